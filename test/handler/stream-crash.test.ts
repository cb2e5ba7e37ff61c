/** Streams paid by `upto` whose process dies: what was sent is settled by the next, and a long stream costs few writes. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { legacy } from "../../src/capability/output.js";
import { defineOwnCapability } from "../../src/capability/own/own.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { fakeClock } from "../support/clock.js";
import { readEvents, readUntil } from "../support/events.js";
import { FACILITATOR_URL } from "../support/facilitator.js";
import { fated } from "../support/mortal-store.js";
import { NETWORK, openShop } from "../support/shop.js";
import { signUpto, uptoFacilitator } from "../support/upto.js";
import { quoteOf, TREASURY, toHeader } from "../support/wallets.js";

const PATH = "/test/talk?words=10";

const talk = defineOwnCapability({
  id: "test.talk",
  summary: "Talks, by the word.",
  price: "2",
  billing: "upto",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ words: z.int().min(1).max(1000).describe("How many") }),
  output: legacy(() => z.object({ words: z.number() })),
  example: { words: 3 },
  async *stream({ words }, { meter }) {
    for (let word = 1; word <= words; word++) {
      meter.add("0.002");
      yield { word };
    }
    return { words };
  },
});

function open() {
  const clock = fakeClock(new Date().toISOString());
  const facilitator = uptoFacilitator();
  const living = createMemoryStore({ clock });
  const fate = { left: Number.POSITIVE_INFINITY, done: false, forGood: true };
  const mortal = fated(living, fate);
  const shopOn = (store: typeof living) =>
    openShop({
      capabilities: [talk],
      payment: {
        treasury: { [NETWORK]: TREASURY },
        facilitator: { url: FACILITATOR_URL },
        schemes: ["exact", "upto"],
        maxUnsettledUsd: "1000",
      },
      trial: false,
      facilitator,
      clock,
      store,
    });
  const dying = shopOn(mortal.store);
  const next = shopOn(living);
  const sign = async (path = PATH) => {
    await dying.get(path);
    await new Promise((resolve) => setImmediate(resolve));
    const terms = quoteOf(await dying.get(path)).accepts.find(({ scheme }) => scheme === "upto");
    if (!terms) throw new Error("no upto offer");
    return signUpto(terms);
  };
  const buy = (shop: typeof next, payment: unknown, path = PATH) =>
    shop.get(path, { accept: "text/event-stream", "payment-signature": toHeader(payment) });
  return {
    clock,
    facilitator,
    mortal,
    fate,
    dying,
    next,
    sign,
    buy,
    moved: () => facilitator.settled.map(({ value }) => value),
  };
}

describe("STR-14 a crash in the middle of a stream costs its buyer what was sent", () => {
  it.each([
    [70, 126_000n],
    [130, 252_000n],
    [500, 504_000n],
  ])("after %i words that is %i of it at least, settled by the next process, once", async (words, saved) => {
    const { clock, mortal, fate, dying, next, sign, buy, moved } = open();
    const path = "/test/talk?words=1000";
    const payment = await sign(path);
    const reader = (await buy(dying, payment, path)).body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    await readUntil(reader, (text) => text.includes(`{"word":${words}}`));
    await new Promise((resolve) => setImmediate(resolve));
    fate.left = 0;
    void readUntil(reader, () => false);
    await mortal.failed;
    await next.handle.reconcile();
    expect(moved()).toEqual([]);

    clock.advance(66);
    await next.handle.reconcile();
    const [value = 0n] = moved();
    expect(value).toBeGreaterThanOrEqual(saved);
    expect(value).toBeLessThanOrEqual(BigInt(words + 1) * 2000n);
    expect(moved()).toHaveLength(1);
    const told = readEvents(await (await buy(next, payment, path)).text());
    expect(told.error.detail).toMatch(/stopped in the middle/);
    expect(told.meta.usage).toMatchObject({ method: "upto" });
    await next.handle.reconcile();
    expect(moved()).toHaveLength(1);
  });

  it("is settled for the buyer that comes back first, too", async () => {
    const { clock, mortal, fate, dying, next, sign, buy, moved } = open();
    const path = "/test/talk?words=1000";
    const payment = await sign(path);
    const reader = (await buy(dying, payment, path)).body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    await readUntil(reader, (text) => text.includes('{"word":100}'));
    fate.left = 0;
    void readUntil(reader, () => false);
    await mortal.failed;
    clock.advance(66);
    const told = readEvents(await (await buy(next, payment, path)).text());
    expect(told.error.code).toBe("UPSTREAM_ERROR");
    expect(moved()).toHaveLength(1);
  });

  it("a long stream is written a few times, and the writes of its progress settle nothing", async () => {
    const { mortal, dying, sign, buy, moved } = open();
    const path = "/test/talk?words=1000";
    const payment = await sign(path);
    mortal.asked.length = 0;
    const told = readEvents(await (await buy(dying, payment, path)).text());
    expect(told.chunks).toHaveLength(1000);
    expect(moved()).toEqual([2_000_000n]);
    // The claim, five of its progress at most, the answer, and the settlement.
    expect(mortal.asked.filter((step) => step === "put payment").length).toBeLessThanOrEqual(8);
  });
});
