/** Two instances on one store whose clocks are minutes apart: what the documents allow changes no limit, and no charge. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { legacy } from "../../src/capability/output.js";
import { defineOwnCapability } from "../../src/capability/own/own.js";
import { CLOCKS_APART_MS, sharedNow } from "../../src/lib/clocks.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { readEvents } from "../support/events.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { failing, openShop, type ShopOptions } from "../support/shop.js";

const WORK = "/test/work?n=1";
const NOON = "2026-06-01T12:10:00Z";

/** Each with its own clock, the second's so many seconds ahead of the first's; the store has a third. */
function twins(ahead: number, options: ShopOptions = {}) {
  const clocks = [fakeClock(NOON), fakeClock(NOON)] as const;
  clocks[1].advance(ahead);
  const store = createMemoryStore({ clock: fakeClock(NOON) });
  const facilitator = fakeFacilitator();
  const shopAt = (clock: (typeof clocks)[0]) =>
    openShop({ store, facilitator, clock, accounts: { keys: true }, ...options });
  const advance = (seconds: number) => clocks.forEach((clock) => void clock.advance(seconds));
  return { one: shopAt(clocks[0]), other: shopAt(clocks[1]), advance, clocks, facilitator, store };
}

describe.each([90, 170, -90])("with a clock %i seconds ahead", (ahead) => {
  it("a pace by the minute holds over both", async () => {
    const { one, other, advance } = twins(ahead);
    const { accounts } = one.handle;
    await accounts.topUp("ada", "1", { reference: "first" });
    await accounts.setLimits("ada", { perMinute: 10 });
    const { key } = await accounts.createKey("ada");
    const sold = async (times: number) => {
      let count = 0;
      for (let i = 0; i < times; i++)
        for (const shop of [one, other])
          if ((await shop.get(WORK, { authorization: `Bearer ${key}` })).status === 200) count++;
      return count;
    };
    // One more where the first call came by the clock that is behind: to the other it is minutes old.
    const most = 10 + Number(ahead > 0);
    expect(await sold(200)).toBe(most);
    advance(30);
    expect(await sold(5)).toBe(0);
    advance(31);
    expect(await sold(20)).toBe(10);
  });

  it.each(["usdPerHour", "usdPerDay"] as const)(
    "a limit %s holds over both, also where a period begins",
    async (name) => {
      const { one, other, advance } = twins(ahead);
      const { accounts } = one.handle;
      await accounts.topUp("ada", "1", { reference: "first" });
      await accounts.setLimits("ada", { [name]: "0.01" });
      const { key } = await accounts.createKey("ada");
      let sold = 0;
      // In some of these moments the period is a new one by one of the clocks only.
      advance((name === "usdPerHour" ? 50 * 60 : 12 * 3600 - 600) - 400);
      for (let i = 0; i < 80; i++) {
        advance(10);
        for (const shop of [one, other])
          if ((await shop.get(WORK, { authorization: `Bearer ${key}` })).status === 200) sold++;
      }
      // Ten in each of two periods.
      expect(sold).toBe(20);
    },
  );

  it("a trial is given once an hour by both together", async () => {
    const { one, other, advance } = twins(ahead);
    const taken = async () => {
      let count = 0;
      for (const shop of [one, other, one, other])
        if ((await shop.get(WORK, { "x-svc-trial": "1" })).status === 200) count++;
      return count;
    };
    expect(await taken()).toBe(1);
    // Three minutes before the hour is over, by the clock that stored it.
    advance(3600 - Math.abs(ahead) - 10);
    expect(await taken()).toBe(0);
    advance(Math.abs(ahead) + 20);
    expect(await taken()).toBe(1);
  });

  it("failures of a payer are counted by both together", async () => {
    const { one, other } = twins(ahead, {
      trial: false,
      payment: {
        treasury: { "eip155:8453": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C" },
        facilitator: { url: "https://facilitator.test" },
        maxFailures: { runs: 4 },
      },
    });
    const codes: unknown[] = [];
    for (let i = 0; i < 4; i++)
      for (const shop of [one, other]) {
        shop.behaviours.push(failing());
        codes.push((await bodyOf(await shop.pay(WORK, await shop.payFor(WORK, LONG)))).code);
      }
    expect(codes.filter((code) => code === "UPSTREAM_ERROR")).toHaveLength(4);
    expect(codes.filter((code) => code === "TOO_MANY_FAILURES")).toHaveLength(4);
  });
});

const LONG = { authorization: { validBefore: "4102444800" } };

describe("a stream that an account pays, with clocks 150 seconds apart", () => {
  async function streaming(ahead: number) {
    const happens = { before: async (_word: number) => {} };
    const talk = defineOwnCapability({
      id: "test.talk",
      summary: "Talks, by the word.",
      price: "1",
      billing: "upto",
      source: { provider: "test", url: "", license: "MIT" },
      input: () => z.strictObject({ words: z.int().min(1).max(100).describe("How many") }),
      output: legacy(() => z.object({ words: z.number() })),
      example: { words: 3 },
      async *stream({ words }, { meter }) {
        for (let word = 1; word <= words; word++) {
          await happens.before(word);
          meter.add("0.01");
          yield { word };
        }
        return { words };
      },
    });
    const found = twins(ahead, { capabilities: [talk], trial: false });
    const { accounts } = found.other.handle;
    await accounts.topUp("ada", "1.5", { reference: "first" });
    const { key } = await accounts.createKey("ada");
    const get = async (shop: typeof found.one, path: string) =>
      shop.get(path, { accept: "text/event-stream", authorization: `Bearer ${key}` });
    const spent = async () => (await accounts.balance("ada")).availableUsd;
    return { ...found, accounts, happens, get, spent };
  }

  it("is charged for all of its words, whatever the other instance does meanwhile", async () => {
    const { one, other, get, happens, spent, accounts } = await streaming(150);
    happens.before = async (word) => {
      if (word % 20 === 0) await accounts.adjust("ada", "0.001", { reference: `w${word}`, note: "Nothing." });
      if (word === 50) expect((await get(other, "/test/talk?words=1")).status).toBe(402);
    };
    const { meta } = readEvents(await (await get(one, "/test/talk?words=90")).text());
    expect(meta.costUsd).toBe("0.9");
    expect(await spent()).toBe("0.604");
  });

  it("is charged the rest at its end, where its hold has ended before", async () => {
    const { one, get, happens, spent, accounts, clocks, store } = await streaming(0);
    happens.before = async (word) => {
      if (word !== 50) return;
      // Its process stands still for minutes, and another takes it for dead.
      const signs = await store.list("owner:", { limit: 10 });
      for (const { key, version } of signs) await store.remove(key, version);
      clocks[1].advance(400);
      await accounts.adjust("ada", "0.001", { reference: "meanwhile", note: "Nothing." });
      expect((await accounts.entries("ada")).filter(({ kind }) => kind === "sale")).toHaveLength(1);
    };
    const { meta } = readEvents(await (await get(one, "/test/talk?words=90")).text());
    expect(meta.costUsd).toBe("0.9");
    expect(await spent()).toBe("0.601");
    const sales = (await accounts.entries("ada")).filter(({ kind }) => kind === "sale");
    expect(sales.map(({ usd }) => Number(usd)).reduce((sum, usd) => sum + usd, 0)).toBeCloseTo(-0.9);
  });
});

it("a clock that is wrong by more than that counts for nothing", () => {
  expect(sharedNow(1000, 1000 + CLOCKS_APART_MS)).toBe(1000 + CLOCKS_APART_MS);
  expect(sharedNow(1000, 1001 + CLOCKS_APART_MS)).toBe(1000);
  expect(sharedNow(1000, 10)).toBe(1000);
});
