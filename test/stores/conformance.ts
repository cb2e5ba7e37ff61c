import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/stores/store.js";

export interface Subject {
  /** Two instances over the same, empty state. */
  open(): Promise<[Store, Store]>;
  /** Lets time pass for the store. */
  pass(ms: number): Promise<void>;
}

const HOUR = 3_600_000;
const HOSTILE_KEYS = [
  "%",
  "_",
  "\\",
  "*",
  "?",
  "[a-z]",
  "{tag}",
  "'; drop table records; --",
  '"',
  "line\nbreak",
  "\u001b[31m",
  "__proto__",
  "constructor",
  "🪙",
  "\ue000",
  "\u{10ffff}",
  "é",
  "e\u0301",
  " ",
  "k".repeat(1024),
  "🪙".repeat(256),
];

/** What every store promises, whatever it is made of. */
export function describeStore(name: string, subject: Subject): void {
  describe(name, () => {
    let store: Store;
    let other: Store;
    const live = { ttlMs: HOUR };

    beforeEach(async () => {
      [store, other] = await subject.open();
    });
    afterEach(async () => {
      await Promise.all([store.close(), other.close()]);
    });

    async function create(key: string, value = "v", options: { ttlMs?: number; dueAt?: number } = {}): Promise<number> {
      const version = await store.put(key, value, { ifVersion: 0, ...live, ...options });
      if (version === undefined) throw new Error(`${key} was there already`);
      return version;
    }

    it("reads what was written, from every instance", async () => {
      expect(await store.get("a")).toBeUndefined();
      const version = await create("a", "one");
      expect(await store.get("a")).toEqual({ value: "one", version });
      expect(await other.get("a")).toEqual({ value: "one", version });
    });

    it("writes over a record only at its version", async () => {
      const first = await create("a", "one");
      expect(await other.put("a", "two", { ifVersion: 0, ...live })).toBeUndefined();
      expect(await other.put("a", "two", { ifVersion: first + 1, ...live })).toBeUndefined();
      expect(await other.put("b", "two", { ifVersion: first, ...live })).toBeUndefined();
      expect(await store.get("a")).toEqual({ value: "one", version: first });
      expect(await store.get("b")).toBeUndefined();

      const second = await other.put("a", "two", { ifVersion: first, ...live });
      expect(second).toBeGreaterThan(first);
      expect(await store.get("a")).toEqual({ value: "two", version: second });
    });

    it("PAY-31 fences off the late write of a holder that was overtaken", async () => {
      const mine = await create("lease", "first holder");
      const theirs = await other.put("lease", "second holder", { ifVersion: mine, ...live });
      expect(theirs).toBeDefined();
      expect(await store.put("lease", "late", { ifVersion: mine, ...live })).toBeUndefined();
      expect(await store.remove("lease", mine)).toBe(false);
      expect(await store.get("lease")).toEqual({ value: "second holder", version: theirs });
    });

    it("removes a record only at its version, and once", async () => {
      const version = await create("a", "v", { dueAt: 1 });
      expect(await store.remove("a", version + 1)).toBe(false);
      expect(await store.remove("a", 0)).toBe(false);
      expect(await store.remove("b", version)).toBe(false);
      expect(await other.remove("a", version)).toBe(true);
      expect(await store.remove("a", version)).toBe(false);
      expect(await store.get("a")).toBeUndefined();
      expect(await store.due(1, 10)).toEqual([]);
      expect(await store.list("", { limit: 10 })).toEqual([]);
    });

    it("never repeats a version, not even after remove and put", async () => {
      const seen: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const made = await create("a");
        const changed = await other.put("a", "v", { ifVersion: made, ...live });
        if (changed === undefined) throw new Error("The record was not at its version.");
        seen.push(made, changed, await create(`b${round}`));
        expect(await store.remove("a", changed)).toBe(true);
      }
      expect(new Set(seen).size).toBe(15);
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    });

    it("PAY-5 lets exactly one of 100 claims over two instances win", async () => {
      const claims = Array.from({ length: 100 }, async (_, index) => {
        const version = await (index % 2 ? store : other).put("claim", `${index}`, { ifVersion: 0, ...live });
        return version === undefined ? [] : [{ value: `${index}`, version }];
      });
      const won = (await Promise.all(claims)).flat();
      expect(won).toHaveLength(1);
      expect(await store.get("claim")).toEqual(won[0]);
    });

    it("PAY-31 lets exactly one of 50 take over a lease, and a record that is gone", async () => {
      const version = await create("lease");
      const takeovers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          (index % 2 ? store : other).put("lease", `${index}`, { ifVersion: version, ...live }),
        ),
      );
      expect(takeovers.filter((taken) => taken !== undefined)).toHaveLength(1);

      const current = (await store.get("lease"))?.version ?? 0;
      const removals = await Promise.all(
        Array.from({ length: 50 }, (_, index) => (index % 2 ? store : other).remove("lease", current)),
      );
      expect(removals.filter(Boolean)).toHaveLength(1);
    });

    it("forgets a record after its time, and lets it be claimed anew by one", async () => {
      const version = await create("a", "old", { ttlMs: 200, dueAt: 1 });
      await create("b", "stays");
      await subject.pass(300);
      expect(await store.get("a")).toBeUndefined();
      expect(await store.due(1, 10)).toEqual([]);
      expect((await store.list("", { limit: 10 })).map(({ key }) => key)).toEqual(["b"]);
      expect(await store.put("a", "late", { ifVersion: version, ...live })).toBeUndefined();
      expect(await store.remove("a", version)).toBe(false);

      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? store : other).put("a", "new", { ifVersion: 0, ...live }),
        ),
      );
      const [won = 0, ...more] = claims.filter((claim) => claim !== undefined);
      expect(more).toEqual([]);
      expect(won).toBeGreaterThan(version);
      expect(await store.get("a")).toEqual({ value: "new", version: won });
    });

    it("counts a record's time from its last write", async () => {
      const longer = await create("longer", "v", { ttlMs: 2000 });
      expect(await store.put("longer", "v", { ifVersion: longer, ...live })).toBeDefined();
      const shorter = await create("shorter");
      expect(await store.put("shorter", "v", { ifVersion: shorter, ttlMs: 200 })).toBeDefined();
      await subject.pass(2100);
      expect(await store.get("longer")).toBeDefined();
      expect(await store.get("shorter")).toBeUndefined();
    });

    it("TRI-1 never counts past the maximum, under 100 concurrent increments", async () => {
      const totals = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          (index % 2 ? store : other).increment("count", 2, { ttlMs: HOUR, max: 21 }),
        ),
      );
      const granted = totals.filter((total) => total !== undefined).sort((a, b) => a - b);
      expect(granted).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
      expect(await store.increment("count", 1, { ttlMs: HOUR, max: 21 })).toBe(21);
      expect(await other.increment("count", 1, { ttlMs: HOUR, max: 21 })).toBeUndefined();
      expect(await other.increment("count", 1, { ttlMs: HOUR })).toBe(22);
    });

    it("gives back what was taken, and never more", async () => {
      expect(await store.increment("count", 3, { ttlMs: HOUR, max: 3 })).toBe(3);
      expect(await other.increment("count", -1, { ttlMs: HOUR, max: 3 })).toBe(2);
      expect(await other.increment("count", -5, { ttlMs: HOUR, max: 3 })).toBe(0);
      expect(await store.increment("never taken", -1, { ttlMs: HOUR, max: 3 })).toBe(0);
      expect(await store.increment("count", 4, { ttlMs: HOUR, max: 3 })).toBeUndefined();
      expect(await store.increment("too much at once", 4, { ttlMs: HOUR, max: 3 })).toBeUndefined();
      expect(await store.increment("too much at once", 0, { ttlMs: HOUR, max: 3 })).toBe(0);
    });

    it("counts in steps of money without loss", async () => {
      const billion = 1_000_000_000_000_000;
      expect(await store.increment("micros", billion, { ttlMs: HOUR })).toBe(billion);
      expect(await store.increment("micros", 1, { ttlMs: HOUR })).toBe(billion + 1);
    });

    it("TRI-12 forgets a counter at the end of the window that its first increment opened", async () => {
      for (let attempt = 0; ; attempt += 1) {
        const key = `window ${attempt}`;
        await store.increment(key, 1, { ttlMs: 1000 });
        // On a machine that was held up in between, the window has ended by now: once more.
        if ((await other.increment(key, 1, { ttlMs: HOUR })) !== 2) continue;
        await subject.pass(1100);
        expect(await store.increment(key, 1, { ttlMs: HOUR, max: 1 })).toBe(1);
        return;
      }
    });

    it("keeps counters and records apart", async () => {
      const version = await create("same");
      expect(await store.increment("same", 5, { ttlMs: HOUR })).toBe(5);
      expect(await store.get("same")).toEqual({ value: "v", version });
      expect(await store.list("", { limit: 10 })).toHaveLength(1);
    });

    it("names what is due, oldest first, ties by key", async () => {
      await create("late", "v", { dueAt: 3000 });
      await create("early", "v", { dueAt: 1000 });
      await create("middle b", "v", { dueAt: 2000 });
      await create("middle a", "v", { dueAt: 2000 });
      await create("never");
      expect(await store.due(999, 10)).toEqual([]);
      expect(await store.due(1000, 10)).toEqual(["early"]);
      expect(await other.due(9999, 10)).toEqual(["early", "middle a", "middle b", "late"]);
      expect(await other.due(9999, 2)).toEqual(["early", "middle a"]);
      expect(await other.due(9999, 2), "looking takes nothing away").toEqual(["early", "middle a"]);
    });

    it("moves and clears the time when a record is due with each write", async () => {
      const first = await create("a", "v", { dueAt: 1000 });
      await create("b", "v", { dueAt: 2000 });
      const second = await store.put("a", "v", { ifVersion: first, ...live, dueAt: 3000 });
      expect(await store.due(5000, 10)).toEqual(["b", "a"]);
      expect(await store.put("a", "v", { ifVersion: first, ...live, dueAt: 1 })).toBeUndefined();
      expect(await store.due(5000, 10), "a fenced write moves nothing").toEqual(["b", "a"]);
      await store.put("a", "v", { ifVersion: second ?? 0, ...live });
      expect(await store.due(5000, 10)).toEqual(["b"]);
    });

    it("finds what is due behind many that have expired", async () => {
      await Promise.all(
        Array.from({ length: 250 }, (_, index) => create(`dead ${index}`, "v", { ttlMs: 1, dueAt: 1 })),
      );
      await create("living", "v", { dueAt: 2 });
      await subject.pass(50);
      expect(await store.due(5, 1)).toEqual(["living"]);
    });

    it("lists by prefix in key order, page by page", async () => {
      for (const key of ["owed:2", "owed:10", "owed;", "owed", "owe", "owed:1", "Owed:3"]) await create(key, key);
      const keysOf = async (prefix: string, options: { limit: number; after?: string }) =>
        (await other.list(prefix, options)).map(({ key }) => key);
      expect(await keysOf("owed:", { limit: 10 })).toEqual(["owed:1", "owed:10", "owed:2"]);
      expect(await keysOf("owed:", { limit: 2 })).toEqual(["owed:1", "owed:10"]);
      expect(await keysOf("owed:", { limit: 2, after: "owed:10" })).toEqual(["owed:2"]);
      expect(await keysOf("owed:", { limit: 2, after: "owed:2" })).toEqual([]);
      expect(await keysOf("owed:", { limit: 2, after: "a" })).toEqual(["owed:1", "owed:10"]);
      expect(await keysOf("owed:", { limit: 2, after: "z" })).toEqual([]);
      expect(await keysOf("", { limit: 3 })).toEqual(["Owed:3", "owe", "owed"]);
      const [record] = await store.list("owed:2", { limit: 1 });
      expect(record).toEqual({ key: "owed:2", ...(await store.get("owed:2")) });
    });

    it("fills a page past records that have expired", async () => {
      for (const key of ["p1", "p2", "p3"]) await create(key, "v", { ttlMs: 100 });
      for (const key of ["p4", "p5"]) await create(key);
      await subject.pass(200);
      expect((await store.list("p", { limit: 2 })).map(({ key }) => key)).toEqual(["p4", "p5"]);
    });

    it("STO-3 takes every key literally", async () => {
      for (const key of HOSTILE_KEYS) await create(key, `of ${key}`, { dueAt: 1 });
      const inOrder = HOSTILE_KEYS.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect((await store.list("", { limit: 100 })).map(({ key }) => key)).toEqual(inOrder);
      expect(await store.due(1, 100)).toEqual(inOrder);
      for (const key of HOSTILE_KEYS) {
        const record = await other.get(key);
        expect(record?.value).toBe(`of ${key}`);
        const matching = inOrder.filter((candidate) => candidate.startsWith(key));
        expect((await store.list(key, { limit: 100 })).map((found) => found.key)).toEqual(matching);
        expect(await store.increment(key, 1, { ttlMs: HOUR })).toBe(1);
        expect(await other.remove(key, record?.version ?? 0)).toBe(true);
      }
      expect(await store.list("", { limit: 100 })).toEqual([]);
    });

    it("keeps any well-formed value: empty, NUL, control characters, emoji, 2 MB", async () => {
      const values = [
        "",
        "\0",
        "a\0b",
        "\u0001\u001f\u007f\ufffe",
        "🪙 𠮷 e\u0301",
        "\ufeffbom",
        "\\x00",
        "x".repeat(2 ** 21),
      ];
      for (const [index, value] of values.entries()) await create(`value ${index}`, value);
      for (const [index, value] of values.entries()) {
        const record = await other.get(`value ${index}`);
        expect(record?.value === value, `value ${index}`).toBe(true);
      }
    });

    it("refuses alike what some store could not keep apart, and writes nothing", async () => {
      await expect(create("nul\0")).rejects.toThrow("NUL");
      await expect(create("half \ud83e")).rejects.toThrow("well-formed");
      await expect(create("a", "half \ud83e")).rejects.toThrow("well-formed");
      await expect(create("🪙".repeat(513))).rejects.toThrow("2048 bytes");
      await expect(store.get("nul\0")).rejects.toThrow("NUL");
      await expect(store.remove("nul\0", 1)).rejects.toThrow("NUL");
      await expect(store.increment("nul\0", 1, { ttlMs: 1 })).rejects.toThrow("NUL");
      for (const ttlMs of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        await expect(create("a", "v", { ttlMs })).rejects.toThrow("ttlMs");
        await expect(store.increment("a", 1, { ttlMs })).rejects.toThrow("ttlMs");
      }
      await expect(create("a", "v", { dueAt: 1.5 })).rejects.toThrow("dueAt");
      await expect(store.increment("a", 0.1, { ttlMs: 1 })).rejects.toThrow("by");
      await expect(store.increment("a", 1, { ttlMs: 1, max: 0.5 })).rejects.toThrow("max");
      expect(await store.list("", { limit: 10 })).toEqual([]);
    });

    it("closes twice, and leaves the state to the other instance", async () => {
      const version = await create("a");
      await store.close();
      await store.close();
      expect(await other.get("a")).toEqual({ value: "v", version });
    });
  });
}
