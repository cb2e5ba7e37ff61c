/** A shop for a host's own tests: real settlements with play money, and faults. */

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { convertUnit } from "../../src/capabilities/convert/index.js";
import { one } from "../../src/capability/output.js";
import { defineOwnCapability } from "../../src/capability/own/own.js";
import { type TestShop, testShop } from "../../src/testing/index.js";
import { TEST_USDC } from "../../src/testing/test-usdc.js";

const UNIT = { value: 1, from: "kg", to: "lb" };
const asks = defineOwnCapability({
  id: "own.asks",
  summary: "Asks an upstream.",
  method: "POST",
  price: "0.01",
  source: { provider: "own", url: "", license: "none" },
  input: () => z.strictObject({ n: z.number().describe("Any number") }),
  output: one(z.object({ n: z.number() })),
  example: { n: 1 },
  async run({ n }, ctx) {
    await ctx.fetch("https://upstream.test/");
    return { item: { n } };
  },
});

let shop: TestShop;
beforeAll(async () => {
  const fetch: typeof globalThis.fetch = async (input, init) =>
    String(input).startsWith("https://upstream.test") ? new Response("ok") : globalThis.fetch(input, init);
  shop = (await testShop({ capabilities: [convertUnit, asks], trial: false, fetch })) as unknown as TestShop;
});
afterAll(() => shop?.close());

describe("a test shop", () => {
  it("sells for money that moves on its chain", async () => {
    const bought = await shop.buy("convert.unit", UNIT);
    expect([bought.status, bought.items, bought.meta]).toMatchObject([200, [{}], { caller: "paid" }]);
    const price = (bought.meta as { costUsd: string }).costUsd;
    expect(await shop.balanceOf(shop.treasury)).toBe(price);
    expect((await bought.json()) as object).toMatchObject({ data: { ok: true } });
    expect((await fetch(`${shop.url}/api/convert/unit?value=1&from=kg&to=lb`)).status).toBe(402);
    const { requestId } = bought.meta as { requestId: string };
    expect(await shop.handle.refund({ requestId })).toMatchObject({ state: "returned", usd: price });
    expect(await shop.balanceOf(shop.buyer)).toBe("100");
  });

  it("finds a settlement on the chain whose answer was lost", async () => {
    const off = shop.fault("settlement lost");
    const before = Number(await shop.balanceOf(shop.treasury));
    expect((await shop.buy("own.asks", { n: 1 })).status).toBe(200);
    off();
    expect(Number(await shop.balanceOf(shop.treasury)) - before).toBeCloseTo(0.01);
  });

  it("charges nothing while the upstream or the facilitator is down, and sells again after that", async () => {
    const before = await shop.balanceOf(shop.treasury);
    for (const fault of ["upstream down", "facilitator-down"] as const) {
      const off = shop.fault(fault as "upstream down");
      expect((await shop.buy("own.asks", { n: 1 })).status, fault).toBeGreaterThanOrEqual(500);
      off();
    }
    expect(await shop.balanceOf(shop.treasury)).toBe(before);
    expect((await shop.buy("own.asks", { n: 1 })).status).toBe(200);
  });

  it("refuses what it does not know", async () => {
    expect(() => shop.fault("rain" as never)).toThrow("Known: settlement lost");
    await expect(shop.buy("no.such")).rejects.toThrow('no capability "no.such"');
    const wrong = await shop.buy("convert.unit", { value: 1, from: "kg", to: "no such unit" });
    expect(wrong.status).toBe(400);
  });

  it("has the token of the local chain", () => {
    const artifact = new URL("../../examples/local-chain/contracts/TestUSDC.artifact.json", import.meta.url);
    expect(TEST_USDC).toBe(JSON.parse(readFileSync(artifact, "utf8")).deployedBytecode);
  });
});
