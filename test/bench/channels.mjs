import { createHash } from "node:crypto";
import { InMemoryChannelStorage, BatchSettlementEvmScheme as TheirScheme } from "@x402/evm/batch-settlement/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { createPostgresStore } from "coinslot/stores/postgres";
import { createRedisStore } from "coinslot/stores/redis";
import { Hono } from "hono";
import { Redis } from "ioredis";
import pg from "pg";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { decodeFunctionData, encodeFunctionResult, getAddress, parseAbi } from "viem/utils";
import { printGas } from "./channel-gas.mjs";
import { printBar, printRates, race, ratio, say } from "./measure.mjs";
import { startStores } from "./servers.mjs";
import { CALL, NETWORK, offerOf, openOurs, PATH, PROBE, signPayments, TREASURY } from "./shops.mjs";

export const title =
  "Calls paid by voucher of a payment channel, beside exact and beside @x402/hono with batch-settlement";

const ROUNDS = 9;
const COUNT = 100;
const POOL = (ROUNDS + 1) * COUNT + 1;
const LIFE_SECONDS = 3600;
/** A thousand dollars in every channel. */
const BALANCE = 1_000_000_000n;
const authorizer = privateKeyToAccount(generatePrivateKey());

const abi = parseAbi([
  "struct Call { address target; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function tryAggregate(bool requireSuccess, Call[] calls) returns (Result[] results)",
]);
const word = (value) => value.toString(16).padStart(64, "0");

/** A node whose channels are all full and untouched: balance and claimed, no withdrawal, no refund. */
function node(body) {
  const { args } = decodeFunctionData({ abi, data: JSON.parse(body).params[0].data });
  const answers = [`0x${word(BALANCE)}${word(0n)}`, `0x${word(0n)}${word(0n)}`, `0x${word(0n)}`];
  const result = args[1].map((_, i) => ({ success: true, returnData: answers[i % 3] }));
  return Response.json({
    jsonrpc: "2.0",
    id: 1,
    result: encodeFunctionResult({ abi, functionName: "tryAggregate", result }),
  });
}

const stateFor = (payload) => ({
  channelId: payload.voucher.channelId,
  balance: BALANCE.toString(),
  totalClaimed: "0",
  withdrawRequestedAt: 0,
  refundNonce: "0",
});
const kinds = [{ x402Version: 2, scheme: "batch-settlement", network: NETWORK }];
/** It says yes, unread. */
const yes = {
  verify: async ({ payload }) => ({ isValid: true, payer: payload.channelConfig.payer, extra: stateFor(payload) }),
  settle: async ({ payload }) => ({
    success: true,
    transaction: "",
    network: NETWORK,
    payer: payload.channelConfig.payer,
  }),
};

function openChannels(store) {
  return openOurs({
    payment: {
      treasury: { [NETWORK]: TREASURY },
      facilitator: { supported: async () => ({ kinds }), ...yes },
      schemes: ["exact", "batch-settlement"],
      channels: { signer: authorizer, allowMemoryStore: true },
      rpc: { [NETWORK]: "http://node.test" },
      maxTimeoutSeconds: LIFE_SECONDS,
    },
    fetch: async (_, { body }) => node(body),
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    ...(store ? { store } : {}),
  });
}

function openTheirs() {
  const getSupported = async () => ({ kinds, extensions: [], signers: {} });
  const scheme = new TheirScheme(TREASURY, {
    storage: new InMemoryChannelStorage(),
    receiverAuthorizerSigner: authorizer,
    withdrawDelay: 86_400,
  });
  const server = new x402ResourceServer({ ...yes, getSupported }).register(NETWORK, scheme);
  const accepts = {
    scheme: "batch-settlement",
    price: "$0.001",
    network: NETWORK,
    payTo: TREASURY,
    maxTimeoutSeconds: LIFE_SECONDS,
  };
  const app = new Hono().use(paymentMiddleware({ [`GET ${PATH}`]: { accepts, description: "Convert." } }, server));
  app.get(PATH, (c) => c.json({ data: { ok: true, items: [{ result: Number(c.req.query("value")) / 0.45359237 }] } }));
  return app.fetch;
}

/** Vouchers of one new channel, each for one call more than the last, as header values. */
async function signVouchers(offer, count) {
  const { signVoucher, computeChannelId } = await import("@x402/evm/batch-settlement/client");
  const wallet = privateKeyToAccount(generatePrivateKey());
  const channelConfig = {
    payer: wallet.address,
    payerAuthorizer: wallet.address,
    receiver: offer.payTo,
    receiverAuthorizer: getAddress(offer.extra.receiverAuthorizer),
    token: offer.asset,
    withdrawDelay: offer.extra.withdrawDelay,
    salt: `0x${createHash("sha256").update(wallet.address).digest("hex")}`,
  };
  const id = computeChannelId(channelConfig, NETWORK);
  const headers = [];
  for (let call = 1n; call <= BigInt(count); call++) {
    const ceiling = (call * BigInt(offer.amount)).toString();
    const voucher = await signVoucher(wallet, id, ceiling, NETWORK);
    const payment = { x402Version: 2, accepted: offer, payload: { type: "voucher", channelConfig, voucher } };
    headers.push(Buffer.from(JSON.stringify(payment)).toString("base64"));
  }
  return headers;
}

const channelOffer = (response) =>
  JSON.parse(Buffer.from(response.headers.get("payment-required"), "base64").toString()).accepts.find(
    ({ scheme }) => scheme === "batch-settlement",
  );

/** Sends one payment after the other. */
function buyer(name, handle, payments) {
  let next = 0;
  return {
    name,
    async run() {
      const headers = { "payment-signature": payments[next++] };
      const response = await handle(new Request(CALL, { headers }));
      if (response.status !== 200) throw new Error(`${name} answered ${response.status}: ${await response.text()}`);
      if (response.headers.has("x-svc-replay")) throw new Error(`${name} sold a payment's answer twice.`);
    },
  };
}

async function channelBuyer(name, handle) {
  await handle(new Request(CALL));
  const offer = channelOffer(await handle(new Request(CALL)));
  return buyer(name, handle, await signVouchers(offer, POOL));
}

export async function run() {
  const exact = openOurs();
  const handles = [exact, openChannels()];
  const contenders = [
    buyer("coinslot, exact", exact, await signPayments(offerOf(await exact(new Request(PROBE))), POOL)),
    await channelBuyer("coinslot, channel", handles[1]),
    await channelBuyer("@x402/hono, channel", openTheirs()),
  ];
  const rates = await race(contenders, { rounds: ROUNDS, count: COUNT });
  printRates(rates, "coinslot, exact");
  say("  One channel, one call after the other, all in memory; no facilitator and no node is asked.");
  const bars = [
    printBar("a call by voucher, beside exact", ratio(rates, "coinslot, channel", "coinslot, exact"), { atLeast: 3 }),
    printBar("a call by voucher, beside @x402/hono", ratio(rates, "coinslot, channel", "@x402/hono, channel"), {
      atLeast: 1,
    }),
  ];
  bars.push(...(await durable(handles)));
  for (const handle of handles) await handle.close();
  await printGas();
  return bars;
}

/** Ours on stores that outlive the process, beside theirs in memory, by the time of day: what a store adds is waiting. */
async function durable(handles) {
  say("\n  On stores that outlive the process, by the time of day, @x402/hono still in memory:");
  const servers = await startStores();
  const contenders = [await channelBuyer("@x402/hono, in memory", openTheirs())];
  const endings = [];
  const add = async (name, store, ...ends) => {
    const handle = openChannels(store);
    handles.push(handle);
    contenders.push(await channelBuyer(name, handle));
    endings.push(...ends);
  };
  if (servers.redis) {
    const client = new Redis(servers.redis.url);
    await add("coinslot, Redis", createRedisStore(client), () => client.quit(), servers.redis.stop);
  } else say("  SKIPPED Redis: redis-server is not installed here.");
  if (servers.postgres) {
    const pool = new pg.Pool({ connectionString: servers.postgres.url, max: 4 });
    await add("coinslot, Postgres", createPostgresStore(pool), () => pool.end(), servers.postgres.stop);
  } else say("  SKIPPED Postgres: there is no binary of it for this machine.");
  const rates = await race(contenders, { rounds: ROUNDS, count: COUNT, clock: () => performance.now() });
  printRates(rates, "@x402/hono, in memory");
  const names = [...rates.keys()].slice(1);
  const bars = names.map((name) =>
    printBar(`${name}, beside @x402/hono in memory`, ratio(rates, name, "@x402/hono, in memory"), { atLeast: 1 }),
  );
  for (const end of endings) await end();
  return bars;
}
