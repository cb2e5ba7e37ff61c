import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createHandler, type Handler } from "../../src/handler/handler.js";
import type { Facilitator } from "../../src/payment/x402/transport.js";
import { bodyOf } from "../support/body.js";
import { createUptoBuyer, type Permit2Chain, startPermit2Chain } from "../support/permit2-chain.js";
import { receiptOf } from "../support/shop.js";
import { TREASURY } from "../support/wallets.js";

const MODEL = "http://shop.test/api/test/model";

const model = defineCapability({
  id: "test.model",
  summary: "Uses as many millionths of a dollar as it is told, up to two cents.",
  price: "0.02",
  billing: "upto",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ micros: z.int().describe("How much it uses") }),
  output: one(z.object({})),
  example: { micros: 1 },
  run({ micros }, { meter }) {
    meter.add((micros / 1e6).toFixed(6));
    return { item: {} };
  },
});

let lab: Permit2Chain;
const handlers: Handler[] = [];

beforeAll(async () => {
  lab = await startPermit2Chain();
});
afterAll(async () => {
  for (const handle of handlers) await handle.close();
  await lab?.stop();
});

interface OpenOptions {
  facilitator?: Facilitator;
  funds?: bigint;
}

/** A shop on the chain, and a stock buyer at its door with ten cents and no ether. */
async function open({ facilitator = lab.facilitator, funds = 100_000n }: OpenOptions = {}) {
  const { chain } = lab;
  const handle = createHandler({
    capabilities: [model],
    payment: {
      treasury: { [chain.network]: TREASURY },
      facilitator,
      schemes: ["exact", "upto"],
      rpc: { [chain.network]: chain.rpcUrl },
    },
  });
  handlers.push(handle);
  await new Promise((resolve) => setImmediate(resolve));
  const sent: Request[] = [];
  const buyer = createUptoBuyer(chain, async (input, init) => {
    const request = new Request(input, init);
    sent.push(request.clone());
    return handle(request);
  });
  await chain.mint(buyer.address, funds);
  const received = await chain.balanceOf(TREASURY);
  return {
    handle,
    buyer,
    again: () => handle(sent.at(-1) as Request),
    moved: async () => [funds - (await chain.balanceOf(buyer.address)), (await chain.balanceOf(TREASURY)) - received],
  };
}

it("a stock buyer without ether or allowance pays what was used, and no more", async () => {
  const { buyer, moved, handle } = await open();
  for (const micros of [7500, 1, 20_000]) {
    const response = await buyer.fetch(`${MODEL}?micros=${micros}`);
    expect(response.status).toBe(200);
    expect(receiptOf(response)).toMatchObject({ success: true, payer: buyer.address, amount: String(micros) });
    const hash = receiptOf(response).transaction as `0x${string}`;
    expect((await lab.chain.client.getTransactionReceipt({ hash })).status).toBe("success");
    expect((await bodyOf(response)).meta).toMatchObject({ payment: { scheme: "upto" }, usage: { method: "upto" } });
  }
  expect(await moved()).toEqual([27_501n, 27_501n]);
  expect((await handle.ledger()).total).toMatchObject({ calls: 3, settledUsd: "0.027501", earnedUsd: "0.027501" });
});

it("usage of nothing leaves no trace on the chain", async () => {
  const { buyer, moved } = await open();
  const response = await buyer.fetch(`${MODEL}?micros=0`);
  expect([response.status, response.headers.has("payment-response")]).toEqual([200, false]);
  expect(await moved()).toEqual([0n, 0n]);
});

it("PAY-24 a settlement whose answer is lost is found on the chain by its nonce", async () => {
  const { settle } = lab.facilitator;
  const transactions: string[] = [];
  const facilitator: Facilitator = {
    ...lab.facilitator,
    async settle(...args) {
      transactions.push(((await settle(...args)) as { transaction: string }).transaction);
      throw new Error("connection reset");
    },
  };
  const { buyer, moved, again } = await open({ facilitator });
  // The same amount twice from one payer: each payment finds its own transaction.
  const found = [await buyer.fetch(`${MODEL}?micros=300`), await buyer.fetch(`${MODEL}?micros=300`)];
  expect(found.map((response) => receiptOf(response).transaction)).toEqual(transactions);
  expect(await moved()).toEqual([600n, 600n]);
  expect(receiptOf(await again()).transaction).toBe(transactions[1]);
});

it("a settlement that never was is told from one that was, and made by the retry", async () => {
  let fails = true;
  const facilitator: Facilitator = {
    ...lab.facilitator,
    async settle(...args) {
      if (fails) throw new Error("connection reset");
      return lab.facilitator.settle(...args);
    },
  };
  const { buyer, moved, again } = await open({ facilitator });
  expect((await buyer.fetch(`${MODEL}?micros=300`)).status).toBe(502);
  expect(await moved()).toEqual([0n, 0n]);
  fails = false;
  expect((await again()).status).toBe(200);
  expect(await moved()).toEqual([300n, 300n]);
});

it("a payer that cannot pay the maximum is refused before the work", async () => {
  const { buyer, moved } = await open({ funds: 19_999n });
  const response = await buyer.fetch(`${MODEL}?micros=1`);
  expect(response.status).toBe(402);
  expect((await bodyOf(response)).error).toContain("permit2_insufficient_balance");
  expect(await moved()).toEqual([0n, 0n]);
});
