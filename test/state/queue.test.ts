import { expect, it } from "vitest";
import {
  queueAck,
  queueDeadLetters,
  queueEnqueue,
  queueExtend,
  queueLease,
  queueNack,
  queueRedrive,
  queueStats,
} from "../../src/capabilities/queue/index.js";
import { storeUsage } from "../../src/capabilities/store/index.js";
import { fakeClock } from "../support/clock.js";
import { onBothEngines } from "../support/wallets-engine.js";

onBothEngines("queues", (engine) => {
  const clock = fakeClock("2026-06-01T12:00:00Z");
  const as = (wallet: string) => ({ wallet, wallets: engine.options(), clock });
  const send = async (wallet: string, body: unknown, more: object = {}) =>
    (await queueEnqueue({ queue: "q", body, ...more }, as(wallet))).items[0];
  const lease = async (wallet: string, more: object = {}) =>
    (await queueLease({ queue: "q", ...more }, as(wallet))).items;
  const ack = async (wallet: string, { id, leaseToken }: { id: string; leaseToken: string }) =>
    (await queueAck({ queue: "q", id, leaseToken }, as(wallet))).items[0]?.acked;
  const stats = async (wallet: string) => (await queueStats({ queue: "q" }, as(wallet))).items[0];

  it("hand out the oldest first, hide it for its lease, and give it out again when that is over", async () => {
    for (const n of [1, 2, 3]) await send("a", { n });
    const [first, second] = await lease("a", { count: 2 });
    expect([first?.body, second?.body]).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await stats("a")).toMatchObject({ ready: 1, leased: 2, delayed: 0, dlq: 0, total: 3 });
    if (!first || !second) throw new Error("nothing leased");
    expect(await ack("a", first)).toBe(true);
    clock.advance(31);
    const again = await lease("a", { count: 10 });
    expect(again.map(({ body, attempts }) => [body, attempts])).toEqual([
      [{ n: 2 }, 2],
      [{ n: 3 }, 1],
    ]);
    // WAL-34
    expect(await ack("a", second)).toBe(false);
    expect(await ack("a", again[0] ?? second)).toBe(true);
  });

  it("WAL-34 an old token, one of another queue or of another wallet changes nothing", async () => {
    await send("b", 1);
    const [one] = await lease("b");
    if (!one) throw new Error("nothing leased");
    const { id, leaseToken } = one;
    expect(await ack("c", one)).toBe(false);
    expect((await queueAck({ queue: "other", id, leaseToken }, as("b"))).items[0]?.acked).toBe(false);
    expect((await queueExtend({ queue: "q", id, leaseToken, visibilitySeconds: 100 }, as("b"))).items[0]).toEqual({
      ...{ id, extended: true, leaseExpiresAt: new Date(clock().getTime() + 100_000).toISOString() },
    });
    clock.advance(101);
    expect((await queueExtend({ queue: "q", id, leaseToken, visibilitySeconds: 100 }, as("b"))).items[0]).toEqual({
      id,
      extended: false,
    });
    expect((await queueNack({ queue: "q", id, leaseToken }, as("b"))).items[0]).toEqual({
      id,
      nacked: false,
      deadLettered: false,
    });
    expect(await ack("b", one)).toBe(false);
    expect((await lease("b"))[0]?.attempts).toBe(2);
    // It is leased again, but not by this token.
    expect((await queueExtend({ queue: "q", id, leaseToken, visibilitySeconds: 100 }, as("b"))).items[0]).toEqual({
      id,
      extended: false,
    });
    expect((await queueNack({ queue: "q", id, leaseToken }, as("b"))).items[0]?.nacked).toBe(false);
    expect(await ack("b", one)).toBe(false);
  });

  it("WAL-33 ten workers that lose acknowledgements work everything off, and no message is held twice at once", async () => {
    const all = Array.from({ length: 100 }, (_, n) => n);
    for (let i = 0; i < all.length; i += 10)
      await queueEnqueue({ queue: "q", messages: all.slice(i, i + 10).map((body) => ({ body })) }, as("d"));
    const done = new Set<unknown>();
    const held = new Map<string, number>();
    for (let round = 0; round < 40 && done.size < all.length; round++) {
      const worked = await Promise.all(Array.from({ length: 10 }, () => lease("d", { count: 3 })));
      for (const message of worked.flat()) {
        expect(held.get(message.id) ?? 0).toBeLessThan(clock().getTime());
        held.set(message.id, Date.parse(message.leaseExpiresAt));
        // Every third worker dies.
        if ((Number(message.id) + round) % 3 === 0) continue;
        expect(done.has(message.body)).toBe(false);
        if (await ack("d", message)) done.add(message.body);
      }
      clock.advance(31);
    }
    expect(done.size).toBe(all.length);
    expect(await lease("d", { count: 100 })).toEqual([]);
  });

  it("WAL-35 a message that never works is set aside, the others go on, and it may be sent again", async () => {
    await send("e", "poison", { maxAttempts: 2 });
    await send("e", "fine");
    for (let attempt = 0; attempt < 2; attempt++) {
      const leased = await lease("e", { count: 2 });
      expect(leased.map(({ body }) => body)).toEqual(["poison", "fine"]);
      for (const { body, id, leaseToken } of leased) {
        const { items } = await queueNack({ queue: "q", id, leaseToken, error: `try ${attempt}` }, as("e"));
        expect(items[0]).toEqual({ id, nacked: true, deadLettered: body === "poison" && attempt === 1 });
      }
    }
    expect((await queueDeadLetters({ queue: "q" }, as("e"))).items).toMatchObject([
      { body: "poison", attempts: 2, lastError: "try 1" },
    ]);
    expect((await stats("e"))?.dlq).toBe(1);
    expect((await queueRedrive({ queue: "q", all: true }, as("e"))).items).toEqual([{ redriven: 1 }]);
    expect((await queueRedrive({ queue: "q", all: true }, as("e"))).items).toEqual([{ redriven: 0 }]);
    expect((await lease("e", { count: 5 })).map(({ body }) => body).sort()).toEqual(["fine", "poison"]);
  });

  it("keeps of an error what a database can keep", async () => {
    await send("nul", "b", { maxAttempts: 1 });
    const [{ id, leaseToken } = {}] = await lease("nul");
    await queueNack({ queue: "q", id, leaseToken, error: "\u0002at\u0000 line 1\n\tdeeper" } as never, as("nul"));
    const { items } = await queueDeadLetters({ queue: "q" }, as("nul"));
    expect(items).toMatchObject([{ lastError: " at  line 1\n\tdeeper" }]);
  });

  it("WAL-35 whose worker dies each time is set aside as well", async () => {
    await send("f", "deadly", { maxAttempts: 2 });
    for (let i = 0; i < 2; i++) {
      expect(await lease("f")).toHaveLength(1);
      clock.advance(31);
    }
    expect(await lease("f")).toEqual([]);
    expect((await queueDeadLetters({ queue: "q" }, as("f"))).items).toMatchObject([{ lastError: "out of attempts" }]);
  });

  it("WAL-36 one dedupId is one message for a day, however often and whatever became of it", async () => {
    const sent = await Promise.all([1, 2, 3].map(() => send("g", "x", { dedupId: "d" })));
    const ids = new Set(sent.map((one) => one?.id));
    expect([ids.size, sent.filter((one) => one?.duplicate).length]).toEqual([1, 2]);
    const [one] = await lease("g");
    if (one) await ack("g", one);
    expect(await send("g", "x", { dedupId: "d" })).toMatchObject({ duplicate: true });
    clock.advance(24 * 3600 + 1);
    expect(await send("g", "x", { dedupId: "d" })).not.toHaveProperty("duplicate");
  });

  it("WAL-36 a thousand messages are the most, dead ones included", async () => {
    const batch = Array.from({ length: 10 }, (_, n) => ({ body: n }));
    for (let i = 0; i < 99; i++) await queueEnqueue({ queue: `q${i % 3}`, messages: batch }, as("h"));
    const more = await Promise.allSettled(Array.from({ length: 20 }, () => send("h", 1)));
    expect(more.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    expect(more.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "QUOTA_EXCEEDED" } });
  });

  it("WAL-37 an answer has at most 2 MB of bodies, and what it took counts towards the wallet's room until it is done", async () => {
    const body = "x".repeat(250_000);
    for (let i = 0; i < 2; i++)
      await queueEnqueue({ queue: "q", messages: Array.from({ length: 6 }, () => ({ body })) }, as("i"));
    const used = async () => (await storeUsage({}, as("i"))).items[0]?.totalBytes ?? 0;
    expect(await used()).toBe(12 * (250_002 + 1 + 200));
    const leased = await lease("i", { count: 100 });
    expect(leased).toHaveLength(8);
    for (const one of leased) await ack("i", one);
    expect(await used()).toBe(4 * (250_002 + 1 + 200));
  });

  it("say which field is wrong", async () => {
    const refused = (input: object) => expect(queueEnqueue({ queue: "q", ...input } as never, as("j"))).rejects;
    await refused({}).toMatchObject({ issues: [{ path: "body" }] });
    await refused({ body: 1, messages: [{ body: 1 }] }).toMatchObject({ issues: [{ path: "body" }] });
    await refused({ body: "x".repeat(300_000) }).toMatchObject({ issues: [{ path: "body" }] });
    await expect(queueAck({ queue: "q", id: "1" }, as("j"))).rejects.toMatchObject({ issues: [{ path: "id" }] });
    await expect(queueRedrive({ queue: "q" }, as("j"))).rejects.toMatchObject({ issues: [{ path: "ids" }] });
    await expect(queueDeadLetters({ queue: "q", after: "x" }, as("j"))).rejects.toMatchObject({
      issues: [{ path: "after" }],
    });
  });
});
