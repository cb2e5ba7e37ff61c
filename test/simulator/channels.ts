/**
 * Payment channels lived through at random: two instances on one store that die between any two of its operations, a
 * facilitator that loses answers, buyers that call, retry, ask for refunds and withdraw, and clocks that jump. What the
 * contract does is modelled here; who signed what is real.
 */
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/client";
import { privateKeyToAccount } from "viem/accounts";
import { decodeFunctionData, encodeFunctionResult, parseAbi } from "viem/utils";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createHandler } from "../../src/handler.js";
import { least } from "../../src/lib/money.js";
import type { PaymentRequirements } from "../../src/payment/x402/wire.js";
import type { Store } from "../../src/stores/store.js";
import { quoteOf, TREASURY, toHeader } from "../support/wallets.js";

const NETWORK = "eip155:8453";
const DELAY = 86_400;
const URL_OF = (n: number) => `http://shop.test/api/test/work?n=${n}`;
const PRICE = 1000n;
const authorizer = privateKeyToAccount(`0x${"22".repeat(32)}`);
const abi = parseAbi([
  "struct Call { address target; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function tryAggregate(bool requireSuccess, Call[] calls) returns (Result[] results)",
]);

interface Modelled {
  balance: bigint;
  claimed: bigint;
  nonce: bigint;
  withdrawal?: { amount: bigint; at: number };
}

interface Sent {
  type: string;
  channelConfig: { payer: string };
  voucher: { channelId: string };
  deposit: { amount: string; authorization: { erc3009Authorization: { salt: string } } };
  claims: { voucher: { maxClaimableAmount: string; channel: { payer: string } }; totalClaimed: string }[];
  amount: string;
  refundNonce: string;
}

/** Numbers from a seed. */
function randomFrom(seed: number) {
  let state = seed * 2654435761 + 12345;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  return { chance: (of: number) => next() < of, below: (limit: number) => Math.floor(next() * limit) };
}

/** The contract, a facilitator in front of it, and a node: all that is on chain. */
function createChain(random: ReturnType<typeof randomFrom>, now: () => number) {
  const channels = new Map<string, Modelled>();
  /** A payer has one channel here. */
  const byPayer = new Map<string, string>();
  const usedSalts = new Set<string>();
  let [claimed, swept, transactions] = [0n, 0n, 0];
  const at = (id: string): Modelled => {
    const found = channels.get(id) ?? { balance: 0n, claimed: 0n, nonce: 0n };
    channels.set(id, found);
    return found;
  };
  const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, "0");

  function apply(sent: Sent): string | undefined {
    if (sent.type === "deposit") {
      const { salt } = sent.deposit.authorization.erc3009Authorization;
      if (usedSalts.has(salt)) return "invalid_batch_settlement_evm_deposit_simulation_failed";
      usedSalts.add(salt);
      byPayer.set(sent.channelConfig.payer.toLowerCase(), sent.voucher.channelId);
      at(sent.voucher.channelId).balance += BigInt(sent.deposit.amount);
    }
    const rows = sent.claims ?? [];
    const channelOf = ({ voucher }: (typeof rows)[0]) => at(byPayer.get(voucher.channel.payer.toLowerCase()) ?? "");
    const isBad = rows.some((row) => {
      const total = BigInt(row.totalClaimed);
      const { balance, claimed: before } = channelOf(row);
      return total > before && (total > balance || total > BigInt(row.voucher.maxClaimableAmount));
    });
    if (isBad) return "invalid_batch_settlement_evm_claim_simulation_failed";
    if (sent.type === "refund" && at(sent.voucher.channelId).nonce !== BigInt(sent.refundNonce))
      return "invalid_batch_settlement_evm_refund_simulation_failed";
    for (const row of rows) {
      const channel = channelOf(row);
      const gained = BigInt(row.totalClaimed) - channel.claimed;
      if (gained <= 0n) continue;
      channel.claimed += gained;
      claimed += gained;
    }
    if (sent.type === "refund") {
      const channel = at(sent.voucher.channelId);
      const left = channel.balance - channel.claimed;
      const amount = BigInt(sent.amount);
      channel.balance -= least(amount, left);
      channel.nonce++;
      delete channel.withdrawal;
    }
    if (sent.type === "settle") {
      if (claimed === swept) return "invalid_batch_settlement_evm_nothing_to_settle";
      swept = claimed;
    }
    return undefined;
  }

  return {
    channels,
    at,
    totals: () => ({ claimed, swept, transactions }),
    finalize(id: string) {
      const channel = at(id);
      const { withdrawal } = channel;
      if (!withdrawal || now() / 1000 < withdrawal.at + DELAY) return;
      const left = channel.balance - channel.claimed;
      channel.balance -= least(withdrawal.amount, left);
      delete channel.withdrawal;
    },
    facilitator: {
      supported: async () => ({
        kinds: ["exact", "batch-settlement"].map((scheme) => ({ x402Version: 2, scheme, network: NETWORK })),
      }),
      verify: async () => ({ isValid: true }),
      async settle(payment: object): Promise<unknown> {
        const sent = (payment as { payload: Sent }).payload;
        // It is down before it did anything, or nobody hears what it did.
        if (random.chance(0.08)) throw new TypeError("fetch failed");
        const reason = apply(sent);
        transactions++;
        if (random.chance(0.08)) throw new TypeError("fetch failed");
        if (reason) return { success: false, errorReason: reason, transaction: "", network: NETWORK };
        return { success: true, transaction: `0x${word(transactions)}`, network: NETWORK };
      },
    },
    async node(_: unknown, init?: RequestInit): Promise<Response> {
      const { method, params } = JSON.parse(String(init?.body));
      const answer = (result: unknown) => Response.json({ jsonrpc: "2.0", id: 1, result });
      if (random.chance(0.03)) throw new TypeError("fetch failed");
      if (method === "eth_getLogs") return answer([]);
      if (method === "eth_getBlockByNumber")
        return answer({ number: "0x1", hash: `0x${word(1)}`, timestamp: `0x${Math.floor(now() / 1000).toString(16)}` });
      const { data } = params[0] as { data: `0x${string}` };
      // receivers(address,address)
      if (data.length === 2 + 8 + 128) return answer(`0x${word(claimed)}${word(swept)}`);
      const { args } = decodeFunctionData({ abi, data });
      const result = args[1].map(({ callData }, i) => {
        const { balance, claimed: done, nonce, withdrawal } = at(`0x${callData.slice(10, 74)}`);
        const views = [
          word(balance) + word(done),
          word(withdrawal?.amount ?? 0n) + word(withdrawal?.at ?? 0),
          word(nonce),
        ];
        return { success: true, returnData: `0x${views[i % 3]}` as const };
      });
      return answer(encodeFunctionResult({ abi, functionName: "tryAggregate", result }));
    },
  };
}

/** A store that its process leaves for good at one operation: it may have been done, or not. */
function mortal(store: Store, fate: { left: number; done: boolean }): Store {
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    if (fate.left < 0) throw new Error("dead");
    if (fate.left-- > 0) return work();
    if (fate.done) await work();
    throw new Error("dead");
  };
  return {
    shared: true,
    get: (key) => step(() => store.get(key)),
    put: (...args) => step(() => store.put(...args)),
    remove: (...args) => step(() => store.remove(...args)),
    increment: (...args) => step(() => store.increment(...args)),
    due: (...args) => step(() => store.due(...args)),
    list: (...args) => step(() => store.list(...args)),
    close: async () => {},
  };
}

export interface Life {
  calls: number;
  answers: number;
  runs: number;
  crashes: number;
  /** Micro-dollars, by the buyers' receipts. */
  charged: bigint;
  earned: bigint;
  claimed: bigint;
  lost: bigint;
  unclaimed: bigint;
  attended: boolean;
}

/** One world from its seed: `moves` random moves, and then peace until everything is settled. */
export async function live(seed: number, store: Store, { moves = 40, clock = { ms: 0 } } = {}): Promise<Life> {
  const random = randomFrom(seed);
  const began = 1_800_000_000_000;
  const now = () => began + clock.ms;
  const chain = createChain(random, now);
  const life = { calls: 0, answers: 0, runs: 0, crashes: 0, charged: 0n, attended: true };
  const skews = [0, 0];
  const fates = [
    { left: Number.POSITIVE_INFINITY, done: false },
    { left: Number.POSITIVE_INFINITY, done: false },
  ];

  const start = (i: number) => {
    const fate = { left: Number.POSITIVE_INFINITY, done: random.chance(0.5) };
    fates[i] = fate;
    return createHandler({
      capabilities: [
        defineCapability({
          id: "test.work",
          summary: "Works.",
          price: "0.001",
          timeoutMs: 1000,
          source: { provider: "test", url: "", license: "MIT" },
          input: () => z.strictObject({ n: z.int().describe("Any number") }),
          output: one(z.object({ n: z.number() })),
          example: { n: 1 },
          async run({ n }) {
            life.runs++;
            if (random.chance(0.05)) throw new Error("broken");
            return { item: { n } };
          },
        }),
      ],
      payment: {
        treasury: { [NETWORK]: TREASURY },
        facilitator: chain.facilitator,
        rpc: { [NETWORK]: "http://node.test" },
        schemes: ["exact", "batch-settlement"],
        channels: { signer: authorizer, minDepositUsd: "0.01", claimAboveUsd: "0.004" },
        maxTimeoutSeconds: 100_000_000,
      },
      trial: false,
      fetch: chain.node,
      store: mortal(store, fate),
      clock: () => new Date(now() + (skews[i] ?? 0)),
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
  };
  const handles = [start(0), start(1)];
  const restart = async (i: number) => {
    await handles[i]?.close();
    handles[i] = start(i);
    life.crashes++;
    await handles[i]?.(new Request(URL_OF(0)));
  };
  const ask = (i: number, url: string, headers: Record<string, string> = {}) =>
    (handles[i] as (typeof handles)[0])(new Request(url, { headers }));
  for (const i of [0, 1]) await ask(i, URL_OF(0));
  await new Promise((resolve) => setImmediate(resolve));

  const buyers = await Promise.all(
    [1, 2, 3].map(async (key) => {
      const account = privateKeyToAccount(`0x${word32(seed * 7 + key)}`);
      const readContract = async ({ args }: { args: [string] }) => {
        const { balance, claimed } = chain.at(args[0]);
        return [balance, claimed];
      };
      const scheme = new BatchSettlementEvmScheme({ ...account, readContract } as never);
      return { scheme, id: "", asked: 0 };
    }),
  );

  /** One purchase as an honest buyer makes it: the same payment again after a lost answer, a new one once corrected. */
  async function buy(buyer: (typeof buyers)[0], patience = 3): Promise<void> {
    const n = ++buyer.asked;
    life.calls++;
    const quote = quoteOf(await ask(random.below(2), URL_OF(n)));
    const offer = quote.accepts.find(({ scheme }) => scheme === "batch-settlement") as PaymentRequirements | undefined;
    if (!offer) return;
    let corrected = false;
    let { payload } = await buyer.scheme.createPaymentPayload(2, offer as never);
    buyer.id = (payload as unknown as Sent).voucher.channelId;
    for (let attempt = 0; attempt < patience; ) {
      const i = random.below(2);
      const payment = { x402Version: 2, accepted: offer, payload };
      const response = await ask(i, URL_OF(n), { "payment-signature": toHeader(payment) });
      if ((fates[i]?.left ?? 0) < 0) await restart(i);
      const hooks = buyer.scheme.schemeHooks as { onPaymentResponse(context: object): Promise<unknown> };
      if (response.status === 200) {
        const receipt = JSON.parse(Buffer.from(response.headers.get("payment-response") ?? "", "base64").toString());
        // Its answer is lost on the way, now and then: the buyer knows nothing of it and asks again.
        if (random.chance(0.1) && attempt + 1 < patience) {
          attempt++;
          continue;
        }
        await hooks.onPaymentResponse({ settleResponse: receipt, paymentPayload: payment, requirements: offer });
        life.answers++;
        life.charged += BigInt(receipt.extra.chargedAmount);
        return;
      }
      if (response.status === 402) {
        if (corrected) return;
        const recovered = await buyer.scheme.processCorrectivePaymentRequired(quoteOf(response) as never);
        if (!recovered) return;
        corrected = true;
        ({ payload } = await buyer.scheme.createPaymentPayload(2, offer as never));
        continue;
      }
      attempt++;
      // Longer than any lease.
      clock.ms += 90_000;
    }
  }

  for (let move = 0; move < moves; move++) {
    const buyer = buyers[random.below(buyers.length)] as (typeof buyers)[0];
    const pick = random.below(100);
    if (pick < 60) await buy(buyer);
    else if (pick < 70) {
      const fate = fates[random.below(2)];
      if (fate) fate.left = random.below(6);
    } else if (pick < 84) {
      const i = random.below(2);
      await handles[i]?.tick().catch(() => 0);
      if ((fates[i]?.left ?? 0) < 0) await restart(i);
    } else if (pick < 90) clock.ms += random.below(8) * 3_600_000;
    else if (pick < 92) skews[random.below(2)] = (random.below(20) - 10) * 1000;
    else if (pick < 95 && buyer.id) {
      const channel = chain.at(buyer.id);
      const left = channel.balance - channel.claimed;
      if (!channel.withdrawal && left > 0n) channel.withdrawal = { amount: left, at: Math.floor(now() / 1000) };
    } else if (pick < 97 && buyer.id) {
      // Nobody looked while it ran: then, and only then, something may be lost.
      const { withdrawal } = chain.at(buyer.id);
      if (withdrawal && now() / 1000 >= withdrawal.at + DELAY) chain.finalize(buyer.id);
    } else if (buyer.id) {
      await buyer.scheme
        .refund(URL_OF(0), { fetch: async (_, init) => ask(random.below(2), URL_OF(0), headersOf(init)) })
        .catch(() => undefined);
      for (const i of [0, 1]) if ((fates[i]?.left ?? 0) < 0) await restart(i);
    }
  }
  for (const i of [0, 1]) await restart(i);
  for (let round = 0; round < 14; round++) {
    clock.ms += 6 * 3_600_000;
    for (const handle of handles) await handle.tick().catch(() => 0);
  }
  const sums = await eventually(async () => (await handles[0]?.ledger({ from: "2020-01-01" }))?.channels);
  for (const handle of handles) await handle.close();
  const micros = (usd = "0") => BigInt(Math.round(Number(usd) * 1e6));
  return {
    ...life,
    earned: micros(sums.earnedUsd),
    claimed: micros(sums.claimedUsd),
    lost: micros(sums.lostUsd),
    unclaimed: micros(sums.unclaimedUsd),
  };
}

const headersOf = (init: RequestInit | undefined) => Object.fromEntries(new Headers(init?.headers).entries());
const word32 = (value: number) => value.toString(16).padStart(64, "5");

async function eventually<T>(work: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; ; tries++) {
    const result = await work().catch((error: unknown) => {
      if (tries > 20) throw error;
      return undefined;
    });
    if (result !== undefined) return result;
  }
}

/** What must hold of every life; undefined where it does. */
export function faultOf({ answers, runs, charged, earned, claimed, lost, unclaimed }: Life): string | undefined {
  if (earned !== claimed + lost + unclaimed) return `earned ${earned} is not ${claimed} + ${lost} + ${unclaimed}`;
  if (charged !== BigInt(answers) * PRICE) return `${answers} answers, and receipts of ${charged}`;
  // Charged and never fetched, as its buyer gave up: its answer was saved, which is what it paid for.
  if (earned < charged) return `answers of ${charged} were given, ${earned} is known`;
  if (earned > BigInt(runs) * PRICE) return `${earned} was charged for ${runs} runs`;
  return undefined;
}
