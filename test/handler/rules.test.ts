/** Rules that a host sets as a whole while it runs: prices, stops and lists of payers, on all instances of a store. */
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { silent } from "../../src/lib/logger.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { Store } from "../../src/stores/store.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { openShop } from "../support/shop.js";
import { alice, bob, quoteOf } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const amountOf = (response: Response) => quoteOf(response).accepts[0]?.amount;

/** Two instances on one store. */
function twins(options: Parameters<typeof openShop>[0] = {}) {
  const store = createMemoryStore();
  const lines: { text: string }[] = [];
  const logger = { ...silent, info: (facts: object, text: string) => void lines.push({ ...facts, text }) };
  const shared = {
    store,
    facilitator: fakeFacilitator(),
    clock: fakeClock(),
    trial: false as const,
    payers: {},
    ...options,
  };
  return { store, lines, clock: shared.clock, one: openShop(shared), other: openShop({ ...shared, logger }) };
}

let gone = 0;
/** Lets so much time pass that a process reads the switches again. */
async function later<T>(work: () => Promise<T>): Promise<T> {
  const now = performance.now.bind(performance);
  gone += 4000;
  const ahead = vi.spyOn(performance, "now").mockImplementation(() => now() + gone);
  try {
    return await work();
  } finally {
    ahead.mockRestore();
  }
}

describe("rules of a running host", () => {
  it("replace markup and prices on each instance, and what they do not name is the catalogue's", async () => {
    const { one, other, lines, clock } = twins({ pricing: { markup: 3, overrides: { "test.other": "0.009" } } });
    expect(amountOf(await other.get(WORK))).toBe("3000");
    await one.handle.configure({ pricing: { markup: 2, overrides: { "test.dear": "0.25" } } });
    for (const shop of [one, other])
      await later(async () => {
        expect(amountOf(await shop.get(WORK))).toBe("2000");
        expect(amountOf(await shop.get("/test/other?n=1"))).toBe("2000");
        expect(amountOf(await shop.get("/test/dear?n=1"))).toBe("250000");
      });
    expect(lines.filter(({ text }) => text.startsWith("rules"))).toMatchObject([
      { text: "rules: set by another instance" },
    ]);
    await one.handle.configure({});
    clock.advance(1);
    await later(async () => expect(amountOf(await other.get(WORK))).toBe("1000"));
  });

  it("honour a quote of the former ones while it is valid, and no longer", async () => {
    const { one, other, clock } = twins();
    const [soon, late] = [await other.payFor(WORK), await one.payFor(WORK, { wallet: bob })];
    await one.handle.configure({ pricing: { markup: 5 } });
    await later(async () => expect((await other.pay(WORK, soon)).status).toBe(200));
    clock.advance(3600);
    const refused = await later(() => other.pay(WORK, late));
    expect([refused.status, amountOf(refused)]).toEqual([402, "5000"]);
  });

  it("stop endpoints beside those that the host stopped one by one, until others come", async () => {
    const { one, other } = twins();
    await one.handle.stop("test.other", "Its source is being moved");
    await one.handle.configure({ stopped: { "test.work": "It is being reviewed." } });
    await later(async () => {
      const stopped = await other.get(WORK);
      expect(await bodyOf(stopped)).toMatchObject({
        code: "STOPPED",
        detail: "test.work is stopped: It is being reviewed. Nothing was charged.",
      });
    });
    await one.handle.configure({});
    await later(async () => {
      expect((await other.get(WORK)).status).toBe(402);
      expect((await other.get("/test/other?n=1")).status).toBe(503);
    });
  });

  it("say who may buy, also where nobody was listed at the start", async () => {
    const { one, other } = twins();
    const payment = await other.payFor(WORK);
    await one.handle.configure({ payers: { deny: [alice.address] } });
    await later(async () => {
      const refused = await other.pay(WORK, payment);
      expect(refused.status).toBe(403);
      expect(await bodyOf(refused)).toMatchObject({ reasonCode: "PAYER_DENIED" });
    });
    await one.handle.configure({});
    await later(async () => expect((await other.pay(WORK, payment)).status).toBe(200));
  });

  it("bill a call under way by the markup that it was ordered at", async () => {
    const { billed, shop } = usageShop();
    for (const [quotedUsd, costUsd] of [
      ["0.02", "0.01"],
      ["0.03", "0.015"],
    ]) {
      const { meta } = await bodyOf(await shop.pay(billed, await shop.payFor(billed)));
      expect(meta).toMatchObject({ quotedUsd, costUsd });
    }
  });

  it("are refused as options are, and nothing of them holds then", async () => {
    const { one } = twins();
    const wrong: [object, string][] = [
      [{ stoped: {} }, 'Unknown option "stoped". Did you mean "stopped"?'],
      [{ pricing: { markup: 0 } }, "pricing.markup must be a number above 0"],
      [{ pricing: { overrides: { "no.such": "1" } } }, 'pricing.overrides: unknown capability "no.such"'],
      [{ stopped: { "no.such": "Gone." } }, 'stopped: unknown capability "no.such"'],
      [{ stopped: { "test.work": " " } }, 'stopped["test.work"] must be a sentence'],
      [{ payers: { allow: ["nobody"] } }, "payers.allow[0] must be an account"],
      [{ payers: { deny: Array.from({ length: 6000 }, () => alice.address) } }, "more than 200000 characters"],
    ];
    for (const [rules, message] of wrong) await expect(one.handle.configure(rules)).rejects.toThrow(message);
    expect(amountOf(await one.get(WORK))).toBe("1000");
    const bare = openShop();
    await expect(bare.handle.configure({ payers: {} })).rejects.toThrow("unless it was created with payers");
  });

  it("are stored and noted once, however many instances set the same", async () => {
    const inner = createMemoryStore();
    let written = 0;
    const put: Store["put"] = (key, value, options) => {
      if (key.startsWith("switches:")) written += 1;
      return inner.put(key, value, options);
    };
    const { one, other } = twins({ store: { ...inner, put } });
    const rules = { pricing: { markup: 2 }, stopped: { "test.work": "Soon.", "test.other": "Later." } };
    const turned = { stopped: { "test.other": "Later.", "test.work": "Soon." }, pricing: { markup: 2 } };
    await one.handle.configure(rules);
    await other.handle.configure(turned);
    expect(written).toBe(1);
    const acts: string[] = [];
    for await (const { what } of one.handle.audit()) acts.push(what);
    expect(acts).toEqual(["configure"]);
  });

  it("that a later release wrote in another form stop nothing and change no price", async () => {
    const { one, store } = twins();
    await one.handle.configure({ pricing: { markup: 2 } });
    const [found] = await store.list("switches:", { limit: 1 });
    if (!found) throw new Error("nothing is stored");
    const record = JSON.parse(found.value) as { rules: { prices: { overrides: object }[] } };
    for (const entry of record.rules.prices) entry.overrides = { "test.work": "free" };
    await store.put(found.key, JSON.stringify(record), { ifVersion: found.version, ttlMs: 1e9 });
    await later(async () => expect(amountOf(await one.get(WORK))).toBe("1000"));
  });
});

/** An endpoint that costs its use, during which the host changes the rules. */
function usageShop() {
  const model = defineCapability({
    ...{ id: "test.model", summary: "Is billed by usage, up to two cents.", price: "0.02", billing: "upto" },
    source: { provider: "test", url: "", license: "MIT" },
    input: () => z.strictObject({ n: z.int().describe("Any number") }),
    output: one(z.object({})),
    example: { n: 1 },
    async run(_, { meter }) {
      await shop.handle.configure({ pricing: { markup: 1.5 } });
      meter.add("0.01");
      return { item: {} };
    },
  });
  const shop = openShop({ capabilities: [model], trial: false, payers: {} });
  return { shop, billed: "/test/model?n=1" };
}
