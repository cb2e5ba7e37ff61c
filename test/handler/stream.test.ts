import { createHash, generateKeyPairSync } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { legacy } from "../../src/capability/output.js";
import { defineOwnCapability } from "../../src/capability/own/own.js";
import type { PublishedContext as Context } from "../../src/capability/published.js";
import { CapabilityError } from "../../src/errors.js";
import { fakeClock } from "../support/clock.js";
import { readEvents, readUntil } from "../support/events.js";
import { FACILITATOR_URL } from "../support/facilitator.js";
import { NETWORK, openShop, receiptOf, type ShopOptions } from "../support/shop.js";
import { signUpto, uptoFacilitator } from "../support/upto.js";
import { mallory, quoteOf, TREASURY, toHeader } from "../support/wallets.js";

const EVENTS = { accept: "text/event-stream" };

/** What each run does before it yields a word: by the number of the word. */
type Before = (word: number, ctx: Context) => Promise<void> | void;

function teller(
  id: string,
  { billing, price, before = () => {} }: { billing: "exact" | "upto"; price: string; before?: Before },
) {
  const state = { runs: 0, made: 0, ended: 0, aborted: 0 };
  const capability = defineOwnCapability({
    id,
    summary: "Tells a story, word by word.",
    price,
    billing,
    source: { provider: "test", url: "", license: "MIT" },
    input: () => z.strictObject({ words: z.int().min(0).max(1000).describe("How many") }),
    output: legacy(() => z.object({ story: z.string() })),
    example: { words: 3 },
    async *stream({ words }, ctx) {
      state.runs++;
      ctx.signal.addEventListener("abort", () => state.aborted++);
      const story: string[] = [];
      try {
        for (let word = 1; word <= words; word++) {
          await before(word, ctx);
          if (billing === "upto") ctx.meter.add("0.002");
          state.made++;
          story.push(`word${word}`);
          yield { word: `word${word}` };
        }
      } finally {
        state.ended++;
      }
      return { story: story.join(" ") };
    },
  });
  return { capability, state };
}

/** Yields these chunks. */
const sayer = (chunks: unknown[], method: "GET" | "POST" = "GET") =>
  defineOwnCapability({
    id: "test.say",
    method,
    summary: "Says what it is given.",
    price: "0.01",
    source: { provider: "test", url: "", license: "MIT" },
    input: () => z.strictObject({ n: z.int().describe("Any number") }),
    output: legacy(() => z.object({ said: z.number() })),
    example: { n: 1 },
    async *stream() {
      yield* chunks;
      return { said: chunks.length };
    },
  });

const circle: unknown[] = [];
circle.push(circle);

interface Options extends Partial<ShopOptions> {
  before?: Before;
}

async function open({ before, ...rest }: Options = {}) {
  const fixed = teller("test.tale", { billing: "exact", price: "0.01", ...(before ? { before } : {}) });
  const metered = teller("test.talk", { billing: "upto", price: "0.02", ...(before ? { before } : {}) });
  const facilitator = uptoFacilitator();
  const shop = openShop({
    capabilities: [fixed.capability, metered.capability],
    payment: {
      treasury: { [NETWORK]: TREASURY },
      facilitator: { url: FACILITATOR_URL },
      schemes: ["exact", "upto"],
      refunds: { [NETWORK]: mallory },
    },
    facilitator,
    clock: fakeClock(new Date().toISOString()),
    ...rest,
  });
  await new Promise((resolve) => setImmediate(resolve));
  const signFor = async (path: string) => {
    const terms = quoteOf(await shop.get(path)).accepts.find(({ scheme }) => scheme === "upto");
    if (!terms) throw new Error("no upto offer");
    return signUpto(terms);
  };
  return {
    ...shop,
    facilitator,
    fixed: fixed.state,
    metered: metered.state,
    signFor,
    buy: (path: string, payment: unknown, more: Record<string, string> = {}) =>
      shop.get(path, { ...EVENTS, "payment-signature": toHeader(payment), ...more }),
    /** What was moved, in millionths. */
    moved: () => facilitator.settled.map(({ value }) => value),
  };
}

/** The shop's events of ended calls, once the streams are over. */
const ended = async (shop: Awaited<ReturnType<typeof open>>) => {
  await vi.waitFor(() =>
    expect(shop.events.some((event) => event.kind === "call" && event.caller === "paid")).toBe(true),
  );
  return shop.events.find((event) => event.kind === "call" && event.caller === "paid");
};

const dyingAt =
  (at: number): Before =>
  (word) => {
    if (word === at) throw new CapabilityError("UPSTREAM_ERROR", "The teller fell asleep.");
  };

afterEach(() => {
  vi.useRealTimers();
});

describe("STR-1 a stream at a fixed price is settled before its first byte, and returned if it breaks off", () => {
  const PATH = "/test/tale?words=3";

  it("is settled before its first byte, with the receipt in the header, and tells the rest in its last event", async () => {
    const shop = await open();
    const response = await shop.buy(PATH, await shop.payFor(PATH));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(receiptOf(response)).toMatchObject({ success: true, amount: "10000" });
    expect(shop.moved()).toEqual([10_000n]);
    // Nothing beyond the first chunk is made before somebody reads it.
    expect(shop.fixed.made).toBe(1);
    const told = readEvents(await response.text());
    expect(told.chunks).toEqual([{ word: "word1" }, { word: "word2" }, { word: "word3" }]);
    expect(told).toMatchObject({ isWhole: true, error: undefined, last: "meta" });
    expect(told.meta).toMatchObject({
      endpoint: "test.tale",
      caller: "paid",
      costUsd: "0.01",
      payment: { amount: "10000" },
    });
    expect(told.headers).toHaveProperty("payment-response");
    expect(await ended(shop)).toMatchObject({ outcome: "paid", chargedUsd: "0.01", status: 200 });
    expect((await shop.handle.ledger()).total).toMatchObject({ calls: 1, earnedUsd: "0.01" });
  });

  it("costs nothing where the work fails before the first chunk, and is answered as any failed call", async () => {
    const shop = await open({ before: dyingAt(1) });
    const response = await shop.buy(PATH, await shop.payFor(PATH));
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ code: "UPSTREAM_ERROR", detail: "The teller fell asleep." });
    expect(shop.moved()).toEqual([]);
  });

  it("that breaks off midway says so in an event, and the whole price goes back", async () => {
    const shop = await open({ before: dyingAt(3) });
    const response = await shop.buy(PATH, await shop.payFor(PATH));
    const told = readEvents(await response.text());
    expect(told.chunks).toHaveLength(2);
    expect(told).toMatchObject({ isWhole: false, last: "meta" });
    expect(told.error).toMatchObject({ code: "UPSTREAM_ERROR", status: 502, error: { code: "UPSTREAM_ERROR" } });
    expect(told.error.detail).toContain("is being refunded");
    expect(told.meta.costUsd).toBe("0");
    expect(await ended(shop)).toMatchObject({ outcome: "failed", code: "UPSTREAM_ERROR", chargedUsd: "0" });
    expect((await shop.handle.ledger()).total).toMatchObject({ earnedUsd: "0" });
  });

  it("is finished for a reader that leaves, who gets the whole of it for the same payment", async () => {
    const shop = await open();
    const payment = await shop.payFor(PATH);
    const first = await shop.buy(PATH, payment);
    const reader = first.body?.getReader();
    if (!reader) throw new Error("no body");
    await readUntil(reader, (text) => text.includes("word1"));
    await reader.cancel();
    expect(await ended(shop)).toMatchObject({ outcome: "paid", chargedUsd: "0.01" });
    const again = await shop.buy(PATH, payment);
    expect(again.headers.get("x-svc-replay")).toBe("1");
    const told = readEvents(await again.text());
    expect(told.chunks).toHaveLength(3);
    expect(told).toMatchObject({ isWhole: true, last: "meta" });
    expect(shop.fixed.runs).toBe(1);
    expect(shop.moved()).toEqual([10_000n]);
  });

  it("is sent again, whole, for the same payment, without a second run or charge", async () => {
    const shop = await open();
    const payment = await shop.payFor(PATH);
    const first = await (await shop.buy(PATH, payment)).text();
    const second = await (await shop.buy(PATH, payment)).text();
    expect(readEvents(second).chunks).toEqual(readEvents(first).chunks);
    expect(readEvents(second).meta.payment).toEqual(readEvents(first).meta.payment);
    expect(shop.fixed.runs).toBe(1);
    expect(shop.moved()).toEqual([10_000n]);
  });

  it("is sent again to its buyer who signed anew under the same Idempotency-Key", async () => {
    const shop = await open();
    const key = { "idempotency-key": "a key that nobody else knows" };
    const first = readEvents(await (await shop.buy(PATH, await shop.payFor(PATH), key)).text());
    const again = await shop.buy(PATH, await shop.payFor(PATH), key);
    expect(again.headers.get("x-svc-replay")).toBe("1");
    expect(readEvents(await again.text()).chunks).toEqual(first.chunks);
    expect(shop.fixed.runs).toBe(1);
    expect(shop.moved()).toEqual([10_000n]);
  });

  it("makes a copy of its payment wait while it leaves", async () => {
    const shop = await open();
    const payment = await shop.payFor(PATH);
    const first = await shop.buy(PATH, payment);
    const second = shop.buy(PATH, payment);
    const whole = await first.text();
    expect(readEvents(await (await second).text()).chunks).toEqual(readEvents(whole).chunks);
    expect(shop.fixed.runs).toBe(1);
  });

  it("refuses a payment that cannot be settled before anything leaves, and counts the run as failed", async () => {
    const shop = await open({
      payment: {
        treasury: { [NETWORK]: TREASURY },
        facilitator: { url: FACILITATOR_URL },
        maxFailures: { runs: 1 },
      },
    });
    const payment = await shop.payFor(PATH);
    const next = await shop.payFor(PATH);
    shop.facilitator.faults.settle.push("refuse-poor");
    const response = await shop.buy(PATH, payment);
    expect(response.status).toBe(402);
    expect((await shop.buy(PATH, next)).status).toBe(429);
    expect(shop.fixed).toMatchObject({ runs: 1, made: 1, ended: 1 });
  });

  it("is answered at once to a caller that asks for no stream", async () => {
    const shop = await open();
    const response = await shop.pay(PATH, await shop.payFor(PATH));
    expect(await response.json()).toEqual({ story: "word1 word2 word3" });
  });
});

describe("STR-2 a stream billed by usage costs what was sent, whoever breaks it off", () => {
  const PATH = "/test/talk?words=3";

  it("is settled for what was used, with usage and receipt in the last event", async () => {
    const shop = await open();
    const response = await shop.buy(PATH, await shop.signFor(PATH));
    expect(response.headers.get("payment-response")).toBeNull();
    const told = readEvents(await response.text());
    expect(told).toMatchObject({ isWhole: true, last: "meta" });
    expect(told.meta).toMatchObject({
      costUsd: "0.006",
      quotedUsd: "0.02",
      payment: { scheme: "upto", amount: "6000" },
    });
    expect(told.meta.usage).toEqual({ authorizedUsd: "0.02", usedUsd: "0.006", settledUsd: "0.006", method: "upto" });
    expect(receiptOf(new Response(null, { headers: told.headers }))).toMatchObject({ success: true, amount: "6000" });
    expect(shop.moved()).toEqual([6000n]);
  });

  it("paid by a whole authorization is settled in full before its first byte, and the rest goes back", async () => {
    const shop = await open();
    const response = await shop.buy(PATH, await shop.payFor(PATH));
    expect(receiptOf(response)).toMatchObject({ success: true, amount: "20000" });
    const told = readEvents(await response.text());
    expect(told.meta.usage).toMatchObject({ usedUsd: "0.006", settledUsd: "0.02", method: "exact" });
    expect((await shop.handle.ledger()).total).toMatchObject({ earnedUsd: "0.006" });
  });

  it("costs what was sent when its reader leaves, and the work ends", async () => {
    const shop = await open();
    const payment = await shop.signFor("/test/talk?words=9");
    const response = await shop.buy("/test/talk?words=9", payment);
    const reader = response.body?.getReader();
    if (!reader) throw new Error("no body");
    await readUntil(reader, (text) => text.includes("word2"));
    await reader.cancel();
    expect(await ended(shop)).toMatchObject({ outcome: "paid", chargedUsd: "0.004" });
    expect(shop.moved()).toEqual([4000n]);
    expect(shop.metered).toMatchObject({ ended: 1, aborted: 1 });
    const again = readEvents(await (await shop.buy("/test/talk?words=9", payment)).text());
    expect(again.chunks).toEqual([{ word: "word1" }, { word: "word2" }]);
    expect(again).toMatchObject({ isWhole: false, last: "meta" });
    expect(shop.metered.runs).toBe(1);
  });

  it("ends work that waits for its upstream when its reader leaves", async () => {
    const stuck: Before = (word, { signal }) =>
      word < 3 ? undefined : new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const shop = await open({ before: stuck });
    const response = await shop.buy(PATH, await shop.signFor(PATH));
    const reader = response.body?.getReader();
    if (!reader) throw new Error("no body");
    await readUntil(reader, (text) => text.includes("word2"));
    const waiting = reader.read();
    await reader.cancel();
    await waiting;
    expect(await ended(shop)).toMatchObject({ outcome: "paid", chargedUsd: "0.004" });
    expect(shop.moved()).toEqual([4000n]);
  });

  it("costs what was sent when the work breaks off, and the events say so", async () => {
    const shop = await open({ before: dyingAt(3) });
    const payment = await shop.signFor(PATH);
    const told = readEvents(await (await shop.buy(PATH, payment)).text());
    expect(told.chunks).toHaveLength(2);
    expect(told.error).toMatchObject({ code: "UPSTREAM_ERROR", detail: "The teller fell asleep." });
    expect(told.meta).toMatchObject({ costUsd: "0.004", payment: { amount: "4000" } });
    expect(shop.moved()).toEqual([4000n]);
    expect(await ended(shop)).toMatchObject({ outcome: "paid", chargedUsd: "0.004", code: "UPSTREAM_ERROR" });
    expect(readEvents(await (await shop.buy(PATH, payment)).text()).chunks).toHaveLength(2);
  });

  it("ends at the sum that was paid for, and is not charged above it", async () => {
    const shop = await open();
    const path = "/test/talk?words=40";
    const told = readEvents(await (await shop.buy(path, await shop.signFor(path))).text());
    expect(told.chunks).toHaveLength(10);
    expect(told.error).toMatchObject({ code: "SPENDING_LIMIT" });
    expect(told.meta.costUsd).toBe("0.02");
    expect(shop.moved()).toEqual([20_000n]);
  });

  it("whose settlement is refused at its end says so, and counts what left as lost", async () => {
    const shop = await open();
    const payment = await shop.signFor(PATH);
    shop.facilitator.uptoFaults.push("refuse");
    const told = readEvents(await (await shop.buy(PATH, payment)).text());
    expect(told).toMatchObject({ isWhole: true, meta: undefined, last: "error" });
    expect(told.error.code).toMatch(/PAYMENT_REQUIRED|SETTLEMENT_PENDING/);
    expect(shop.moved()).toEqual([]);
  });
});

describe("STR-3 a reader sets the pace, and counts as gone when it takes nothing", () => {
  it("that takes nothing for half a minute counts as gone", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    const shop = await open();
    const path = "/test/talk?words=9";
    const response = await shop.buy(path, await shop.signFor(path));
    const reader = response.body?.getReader();
    if (!reader) throw new Error("no body");
    await readUntil(reader, (text) => text.includes("word3"));
    await vi.advanceTimersByTimeAsync(31_000);
    await expect(reader.read()).rejects.toThrow(/took nothing/);
    vi.useRealTimers();
    expect(await ended(shop)).toMatchObject({ chargedUsd: "0.006" });
    expect(shop.moved()).toEqual([6000n]);
    expect(shop.metered.made).toBeLessThanOrEqual(4);
  });

  it("hears a comment every quarter of a minute while the work is silent", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    let go = () => {};
    const silent: Before = (word) => (word < 2 ? undefined : new Promise((resolve) => (go = resolve)));
    const shop = await open({ before: silent });
    const path = "/test/talk?words=2";
    const response = await shop.buy(path, await shop.signFor(path));
    const reader = response.body?.getReader();
    if (!reader) throw new Error("no body");
    await readUntil(reader, (text) => text.includes("word1"));
    const next = readUntil(reader, (text) => text.includes("\n\n"));
    await vi.waitFor(() => expect(shop.metered.made).toBe(1));
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await next).toBe(": keep-alive\n\n");
    go();
    expect(await readUntil(reader, (text) => text.includes("event: meta"))).toContain("word2");
  });

  it.each([
    ["text/event-stream", true],
    ["application/json, text/event-stream;q=0.5", false],
    ["text/event-stream, application/json;q=0.9", true],
    ["application/json, text/event-stream", false],
    ["text/event-stream;q=0", false],
    ["*/*", false],
  ])("that accepts %s gets a stream: %s", async (accept, streams) => {
    const shop = await open({ payment: false });
    const response = await shop.get("/test/tale?words=1", { accept });
    expect(response.headers.get("content-type") === "text/event-stream").toBe(streams);
    await response.text();
  });

  it("of a free host gets the whole of a stream billed by usage", async () => {
    const shop = await open({ payment: false });
    const told = readEvents(await (await shop.get("/test/talk?words=20", EVENTS)).text());
    expect(told).toMatchObject({ isWhole: true, error: undefined, meta: { caller: "free", costUsd: "0" } });
  });

  it("that asks for a signature gets the signed events at once", async () => {
    const key = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
    const shop = await open({ payment: false, signing: { key: key as never } });
    const response = await shop.get("/test/tale?words=2&sign=1", EVENTS);
    expect(response.headers.get("signature")).toBeTruthy();
    const body = await response.text();
    const digest = createHash("sha256").update(body).digest("base64");
    expect(response.headers.get("content-digest")).toBe(`sha-256=:${digest}:`);
    expect(readEvents(body)).toMatchObject({ isWhole: true, last: "meta" });
  });

  it("on a trial gets the whole stream, and has used it up though it leaves midway", async () => {
    const shop = await open();
    const path = "/test/talk?words=3&trial=1";
    const response = await shop.get(path, EVENTS);
    const reader = response.body?.getReader();
    if (!reader) throw new Error("no body");
    await readUntil(reader, (text) => text.includes("word2"));
    await reader.cancel();
    await vi.waitFor(() => expect(shop.metered.ended).toBe(1));
    expect((await shop.get(path, EVENTS)).status).toBe(402);
    expect(shop.moved()).toEqual([]);
  });

  it("gets no more than an answer may have, and what was sent is what it pays", async () => {
    const shop = await open({ maxResponseBytes: 100 });
    const path = "/test/talk?words=9";
    const told = readEvents(await (await shop.buy(path, await shop.signFor(path))).text());
    expect(told.error).toMatchObject({ code: "OVERLOADED" });
    expect(told.meta.costUsd).toBe(`0.00${2 * told.chunks.length}`);
  });
});

describe("STR-9 who reads slowly pays as others do", () => {
  const CLOCKS = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] as const;

  /** Reads events one at a time, after a pause before each. */
  async function readSlowly(response: Response, pausesMs: number[]) {
    const reader = response.body?.getReader();
    if (!reader) throw new Error("no body");
    let text = "";
    for (const ms of pausesMs) {
      await vi.advanceTimersByTimeAsync(ms);
      const { value } = await reader.read();
      text += new TextDecoder().decode(value);
    }
    return { reader, text };
  }

  it("gets all of a stream at a fixed price for the price, since its pauses take none of the work's time", async () => {
    vi.useFakeTimers({ toFake: [...CLOCKS] });
    const five: Before = (word) => (word === 1 ? undefined : new Promise((resolve) => setTimeout(resolve, 5000)));
    const shop = await open({ before: five });
    const response = await shop.buy("/test/tale?words=3", await shop.payFor("/test/tale?words=3"));
    // Ten seconds of work and 29 of pauses are more than the work's limit of 30.
    const { reader, text } = await readSlowly(response, [0, 20_000, 19_000]);
    const told = readEvents(text + (await readUntil(reader, (rest) => rest.includes("event: meta"))));
    expect(told).toMatchObject({ isWhole: true, error: undefined, meta: { costUsd: "0.01" } });
    expect(shop.moved()).toEqual([10_000n]);
  });

  it("waits no longer than the time limit for work that hangs", async () => {
    vi.useFakeTimers({ toFake: [...CLOCKS] });
    const shop = await open({ before: (word) => (word === 1 ? undefined : new Promise(() => {})) });
    const response = await shop.buy("/test/tale?words=3", await shop.payFor("/test/tale?words=3"));
    const whole = response.text();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(readEvents(await whole)).toMatchObject({ error: { code: "UPSTREAM_TIMEOUT" }, meta: { costUsd: "0" } });
  });

  it("counts as gone after half a minute of pauses in all", async () => {
    vi.useFakeTimers({ toFake: [...CLOCKS] });
    const shop = await open();
    const response = await shop.buy("/test/talk?words=9", await shop.signFor("/test/talk?words=9"));
    const { reader } = await readSlowly(response, [20_000]);
    await vi.advanceTimersByTimeAsync(11_000);
    await expect(reader.read()).rejects.toThrow(/took nothing/);
    vi.useRealTimers();
    expect(await ended(shop)).toMatchObject({ outcome: "paid", chargedUsd: "0.002" });
  });

  it("does not hold up the settlement by leaving the end of the chunks unread", async () => {
    const shop = await open();
    const response = await shop.buy("/test/talk?words=3", await shop.signFor("/test/talk?words=3"));
    const reader = response.body?.getReader();
    if (!reader) throw new Error("no body");
    await readUntil(reader, (text) => text.includes("word3"));
    await vi.waitFor(() => expect(shop.moved()).toEqual([6000n]));
    expect(readEvents(await readUntil(reader, (text) => text.includes("event: meta"))).isWhole).toBe(true);
  });

  it("needs an upto payment that outlives its pauses, too, and is offered one", async () => {
    const shop = await open();
    const path = "/test/talk?words=3";
    const terms = quoteOf(await shop.get(path)).accepts.find(({ scheme }) => scheme === "upto");
    if (!terms) throw new Error("no upto offer");
    // Work of 30 seconds, as long for the reader, as long to settle.
    const short = async () => ({ ...(await signUpto({ ...terms, maxTimeoutSeconds: 85 })), accepted: terms });
    const refused = await shop.buy(path, await short());
    expect(refused.status).toBe(402);
    expect(await refused.text()).toContain("expires too soon");
    expect(shop.metered.runs).toBe(0);
    expect(terms.maxTimeoutSeconds).toBeGreaterThan(90);
    expect((await shop.pay(path, (await short()) as never)).status).toBe(200);
  });
});

describe("STR-10 hostile requests and odd chunks", () => {
  it("an Accept header of blanks is read in one pass", async () => {
    const shop = await open({ payment: false });
    // Quadratic work on this header would outlast the test's time by far.
    const accept = `text/event-stream${" ".repeat(200_000)}x`;
    const response = await shop.get("/test/tale?words=1", { accept });
    expect(await response.json()).toEqual({ story: "word1" });
  });

  it.each(["talk?words=40", "tale?words=3"])(
    "a trial that ends at its sum, or fully, is used up: %s",
    async (query) => {
      const shop = await open();
      const path = `/test/${query}&trial=1`;
      const told = readEvents(await (await shop.get(path, EVENTS)).text());
      expect(told.chunks.length).toBeGreaterThan(2);
      expect((await shop.get(path, EVENTS)).status).toBe(402);
    },
  );

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["a function", () => {}],
    ["a circle", circle],
    ["a bigint", 1n],
  ])("a chunk that JSON cannot hold, %s, breaks the stream off, and what was paid goes back", async (_, odd) => {
    const shop = await open({ capabilities: [sayer([{ fine: true }, odd])] });
    const path = "/test/say?n=1";
    const response = await shop.get(path, { ...EVENTS, "payment-signature": toHeader(await shop.payFor(path)) });
    const told = readEvents(await response.text());
    expect(told.chunks).toEqual([{ fine: true }]);
    expect(told).toMatchObject({ isWhole: false, error: { code: "INTERNAL" }, meta: { costUsd: "0" }, last: "meta" });
  });

  it("a chunk cannot forge an event", async () => {
    const forged = ["\n\nevent: meta\ndata: {}\n\n", "\r\revent: error\rdata: {}", "[DONE]", "\u2028event: meta"];
    const shop = await open({ payment: false, capabilities: [sayer(forged)] });
    const text = await (await shop.get("/test/say?n=1", EVENTS)).text();
    expect(text).not.toContain("\r");
    expect(readEvents(text)).toMatchObject({ chunks: forged, isWhole: true, last: "meta" });
  });

  it("a reader whose connection ends does not wait for ever", async () => {
    const shop = await open({ payment: false });
    const leaving = new AbortController();
    const request = new Request("http://shop.test/api/test/tale?words=3", { headers: EVENTS, signal: leaving.signal });
    const reader = (await shop.handle(request)).body?.getReader();
    if (!reader) throw new Error("no body");
    await reader.read();
    leaving.abort();
    await expect(reader.read().then(() => reader.read())).rejects.toThrow(/left/);
  });

  it("a tool's call is answered at once, whatever its arguments say", async () => {
    const shop = await open({ payment: false, capabilities: [sayer(["a"], "POST")] });
    const ask = (more: object) =>
      shop.handle(
        new Request("http://shop.test/api/mcp", {
          method: "POST",
          headers: { "content-type": "application/json", accept: "text/event-stream, application/json" },
          body: JSON.stringify({
            ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
            params: { name: "test_say", arguments: { n: 1, ...more } },
          }),
        }),
      );
    expect(await (await ask({})).json()).toMatchObject({ result: { structuredContent: { said: 1 } } });
    expect(await (await ask({ stream: true })).json()).toMatchObject({ result: { isError: true } });
  });
});

describe("STR-4 a host that closes waits for its streams", () => {
  it("and settles them", async () => {
    const shop = await open();
    const path = "/test/talk?words=3";
    const response = await shop.buy(path, await shop.signFor(path));
    const closed = shop.handle.close();
    expect(readEvents(await response.text())).toMatchObject({ isWhole: true, last: "meta" });
    await closed;
    expect(shop.moved()).toEqual([6000n]);
  });
});

describe("STR-5 in-process a capability streams its chunks and returns the whole", () => {
  it("and ends its work when the loop ends early", async () => {
    const { capability, state } = teller("test.tale", { billing: "exact", price: "0.01" });
    const chunks: unknown[] = [];
    const stream = capability.stream({ words: 2 });
    let step = await stream.next();
    for (; !step.done; step = await stream.next()) chunks.push(step.value);
    expect(chunks).toEqual([{ word: "word1" }, { word: "word2" }]);
    expect(step.value).toEqual({ story: "word1 word2" });
    for await (const { word } of capability.stream({ words: 5 })) if (word === "word2") break;
    expect(state).toMatchObject({ runs: 2, made: 4, ended: 2 });
    expect(await capability({ words: 2 })).toEqual({ story: "word1 word2" });
    await expect(capability.stream({ words: -1 }).next()).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("a definition without run and stream is refused", () => {
    const bare = {
      id: "test.none",
      summary: "Does nothing.",
      price: "0.01",
      source: { provider: "t", url: "", license: "MIT" },
    };
    const rest = { input: () => z.strictObject({}), output: legacy(() => z.object({})), example: {} };
    expect(() => defineOwnCapability({ ...bare, ...rest } as never)).toThrow(/test\.none.*run/);
  });
});

describe("STR-7 OpenAPI describes the events beside the JSON", () => {
  it("of a capability that streams, and of no other", async () => {
    const shop = await open();
    const { paths } = shop.handle.openapi();
    const responses = paths["/api/test/talk"]?.get?.responses as Record<string, { content: object }>;
    expect(Object.keys(responses["200"]?.content ?? {})).toEqual(["application/json", "text/event-stream"]);
    const other = openShop().handle.openapi().paths["/api/test/work"]?.get?.responses as typeof responses;
    expect(Object.keys(other["200"]?.content ?? {})).toEqual(["application/json"]);
  });
});
