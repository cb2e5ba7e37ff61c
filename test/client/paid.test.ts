/** The client against a real handler, with the official payment client, a real facilitator and a chain. */
import { wrapFetchWithPayment } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Chain, startChain } from "../../examples/local-chain/chain.js";
import { startFacilitator } from "../../examples/local-chain/facilitator.js";
import { capabilities } from "../../src/capabilities/index.js";
import { createClient } from "../../src/client/index.js";
import type { ClientOptions } from "../../src/client/options.js";
import { createHandler, type Handler } from "../../src/handler/handler.js";
import { payerOf, wireTo } from "../support/client.js";
import { TREASURY } from "../support/wallets.js";

let chain: Chain;
let facilitator: Awaited<ReturnType<typeof startFacilitator>>;
let handle: Handler;
/** Each has trials of its own. */
let callers = 0;

beforeAll(async () => {
  chain = await startChain();
  facilitator = await startFacilitator({ chain });
  handle = createHandler({
    capabilities,
    payment: {
      treasury: { [chain.network]: TREASURY },
      facilitator: { url: facilitator.url },
      rpc: { [chain.network]: chain.rpcUrl },
    },
  }) as Handler;
});
afterAll(async () => {
  await handle?.close();
  await facilitator?.stop();
  await chain?.stop();
});

/** A new wallet with a dollar, and a client that pays with it: itself, or through a fetch that does. */
async function buyer(how: "pay" | "paying fetch", options: Partial<ClientOptions> = {}) {
  const account = privateKeyToAccount(generatePrivateKey());
  await chain.mint(account.address, 1_000_000n);
  const clientAddress = `203.0.113.${++callers}`;
  const wire = wireTo((request) => handle(request, { clientAddress }));
  const { client: payer, signed } = payerOf(account);
  const way = how === "pay" ? { fetch: wire.fetch, pay: payer } : { fetch: wrapFetchWithPayment(wire.fetch, payer) };
  const client = createClient({ baseUrl: "http://shop.test", ...way, ...options });
  return { ...wire, client, signed, paid: async () => 1_000_000n - (await chain.balanceOf(account.address)) };
}

const KG = { value: 1, from: "kg", to: "lb" };
const both = ["pay", "paying fetch"] as const;

it.each(both)("pays for a call and gives its typed result and its facts (%s)", async (how) => {
  const { client, signed, paid } = await buyer(how);
  const { data, meta } = await client.convert.unit.withMeta(KG);
  expect(data.items[0]?.result).toBeCloseTo(2.2046226);
  expect(meta).toMatchObject({ endpoint: "convert.unit", caller: "paid", costUsd: "0.001" });
  const hash = meta.payment?.transaction as `0x${string}`;
  expect((await chain.client.getTransactionReceipt({ hash })).status).toBe("success");
  expect([signed, await paid()]).toEqual([["1000"], 1000n]);
});

it.each(both)("gives a file as the function itself does, and its facts from headers (%s)", async (how) => {
  const { client } = await buyer(how);
  const input = { data: { type: "url", url: "https://example.com" }, output: "png" } as const;
  const { data, meta } = await client.barcode.generate.withMeta(input);
  expect(data.contentType).toBe("image/png");
  expect(
    Buffer.from(data.body as Uint8Array)
      .subarray(1, 4)
      .toString(),
  ).toBe("PNG");
  expect(meta).toMatchObject({ caller: "paid", payment: { network: chain.network } });
});

it.each(both)("a reply lost after the payment is asked for again, and nothing is paid twice (%s)", async (how) => {
  const { client, troubles, paid } = await buyer(how);
  troubles.push("lost", "proxy");
  const { items } = await client.convert.unit(KG);
  expect(items[0]?.result).toBeCloseTo(2.2046226);
  expect(await paid()).toBe(1000n);
});

it("sends the same payment again, byte for byte, also in a later call of the same request", async () => {
  const { client, troubles, payments, signed, paid } = await buyer("pay", { retries: 1 });
  troubles.push("lost", "lost");
  await expect(client.convert.unit(KG)).rejects.toMatchObject({ code: "SETTLEMENT_PENDING", status: 502 });
  expect(client.$spending()).toEqual({ spentUsd: "0", heldUsd: "0.001" });
  await client.convert.unit(KG);
  expect(signed).toEqual(["1000"]);
  expect(payments()).toHaveLength(3);
  expect(new Set(payments()).size).toBe(1);
  expect(client.$spending()).toEqual({ spentUsd: "0.001", heldUsd: "0" });
  expect(await paid()).toBe(1000n);
});

it.each(both)("signs nothing for a call that costs more than one may (%s)", async (how) => {
  const { client, signed, paid } = await buyer(how, { maxPerCallUsd: "0.0015" });
  await client.convert.unit(KG);
  await expect(client.calendar.holidays({ country: "DE", year: 2026 })).resolves.toBeDefined();
  const dear = client.batch.run({ calls: [1, 2].map(() => ({ endpoint: "convert.unit", params: KG })) });
  await expect(dear).rejects.toMatchObject({ code: "SPENDING_LIMIT" });
  expect(signed).toHaveLength(2);
  expect(await paid()).toBe(2000n);
});

it.each(both)("spends no more than the total, however many calls go out at once (%s)", async (how) => {
  const { client, signed, paid } = await buyer(how, { maxPerCallUsd: "0.001", maxTotalUsd: "0.003" });
  const calls = Array.from({ length: 6 }, (_, value) => client.convert.unit({ ...KG, value }));
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  for (const outcome of outcomes)
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "SPENDING_LIMIT" });
  expect(signed).toHaveLength(3);
  expect([await paid(), client.$spending().spentUsd]).toEqual([3000n, "0.003"]);
});

it.each(both)("asks for the trial first, and pays when it is used up (%s)", async (how) => {
  const { client, signed } = await buyer(how, { trial: true });
  const callers = [];
  for (const value of [1, 2]) callers.push((await client.convert.unit.withMeta({ ...KG, value })).meta.caller);
  expect(callers).toEqual(["trial", "paid"]);
  expect(signed).toHaveLength(1);
});
