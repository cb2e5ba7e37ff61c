import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { describeStore } from "./conformance.js";
import { expectToFollowModel } from "./model.js";

let now = 0;
const clock = () => new Date(now);

describeStore("memory store", {
  async open() {
    now = Date.UTC(2030, 0, 1);
    const store = createMemoryStore({ clock });
    return [store, store];
  },
  async pass(ms) {
    now += ms;
  },
});

describe("createMemoryStore", () => {
  const HOUR = 3_600_000;
  const claim = { ifVersion: 0, ttlMs: HOUR };

  it("follows the model through any sequence of operations", async () => {
    await expectToFollowModel({
      async open() {
        now = 0;
        const store = createMemoryStore({ clock });
        return [store, store];
      },
      pass: (ms) => {
        now += ms;
      },
      runs: 300,
    });
  });

  it("says that no other process sees it", () => {
    expect(createMemoryStore().shared).toBe(false);
  });

  it("PAY-42 refuses new records when full of living ones, and drops none of them", async () => {
    const store = createMemoryStore({ clock, maxRecords: 2 });
    const version = await store.put("a", "1", claim);
    await store.put("b", "1", { ...claim, ttlMs: 100 });
    await expect(store.put("c", "1", claim)).rejects.toThrow("store is full");
    expect(await store.put("a", "2", { ifVersion: version ?? 0, ttlMs: HOUR })).toBeDefined();
    expect((await store.list("", { limit: 9 })).map(({ key }) => key)).toEqual(["a", "b"]);

    now += 100;
    expect(await store.put("c", "1", claim)).toBeDefined();
    expect((await store.list("", { limit: 9 })).map(({ key }) => key)).toEqual(["a", "c"]);
  });

  it("ATK-10 what fills the room of one kind keeps no other out, neither records nor counters", async () => {
    const store = createMemoryStore({ clock, maxRecords: 2, maxBytes: 100 });
    await store.increment("trial:1", 1, { ttlMs: HOUR });
    await store.increment("trial:2", 1, { ttlMs: HOUR });
    await expect(store.increment("trial:3", 1, { ttlMs: HOUR })).rejects.toThrow("store is full");
    expect(await store.increment("trial:1", 1, { ttlMs: HOUR })).toBe(2);
    expect(await store.increment("unsettled:1", 1, { ttlMs: HOUR })).toBe(1);

    await store.put("trial:1", "", claim);
    await store.put("trial:2", "x".repeat(50), claim);
    await expect(store.put("trial:3", "", claim)).rejects.toThrow("store is full");
    await store.put("ledger:1", "x".repeat(100), claim);
    await expect(store.put("ledger:2", "", claim)).rejects.toThrow("store is full");
    expect(await store.put("payment:1", "", claim)).toBeDefined();
  });

  it("ATK-10 compacts the oldest before it refuses a new record, and keeps their versions and their time", async () => {
    const store = createMemoryStore({ clock, maxBytes: 520 });
    const reply = { ...claim, compact: () => "short" };
    const first = await store.put("a:1", "x".repeat(100), reply);
    await store.put("a:2", "x".repeat(100), reply);
    const third = await store.put("a:3", "owed".repeat(10), claim);
    const textOf = async (key: string) => (await store.get(key))?.value;
    expect(await textOf("a:1")).toHaveLength(100);

    expect(await store.put("a:4", "x".repeat(100), reply)).toBeDefined();
    expect(await store.get("a:1")).toEqual({ value: "short", version: first });
    expect(await textOf("a:2")).toHaveLength(100);
    // Written anew, it is not among the oldest any more.
    await store.put("a:2", "y".repeat(100), { ...reply, ifVersion: (await store.get("a:2"))?.version ?? 0 });
    expect(await store.put("a:3", "o".repeat(130), { ...claim, ifVersion: third ?? 0 })).toBeDefined();
    expect(await textOf("a:4")).toBe("short");
    expect(await textOf("a:2")).toHaveLength(100);

    await store.put("a:5", "x".repeat(200), claim);
    expect(await textOf("a:2")).toBe("short");
    expect(await textOf("a:3")).toHaveLength(130);
    await expect(store.put("a:6", "", claim)).rejects.toThrow("store is full");
    now += HOUR;
    expect(await store.list("a:", { limit: 9 })).toEqual([]);
    expect(await store.put("a:6", "x".repeat(200), claim)).toBeDefined();
  });

  it("lists all its pages in as many steps as there are records", async () => {
    let steps = 0;
    const store = createMemoryStore({
      clock: () => {
        steps += 1;
        return new Date(now);
      },
    });
    const count = 5000;
    const isOther = (i: number) => i % 2;
    for (let i = 0; i < 2 * count; i += 1) await store.put(`${isOther(i) ? "payment" : "ledger"}:${i}`, "v", claim);
    steps = 0;
    const seen: string[] = [];
    for (let after: string | undefined; ; after = seen.at(-1)) {
      const page = await store.list("ledger:", { limit: 50, ...(after === undefined ? {} : { after }) });
      seen.push(...page.map(({ key }) => key));
      if (page.length < 50) break;
    }
    expect(new Set(seen).size).toBe(count);
    // Two looks at the clock for each record: has it expired, and has anything else.
    expect(steps).toBeLessThan(3 * count);
  });

  it("refuses new records when their text is too much, and lets a holder save its outcome", async () => {
    const store = createMemoryStore({ clock, maxBytes: 100 });
    const version = await store.put("a", "claimed", claim);
    const saved = await store.put("a", "x".repeat(100), { ifVersion: version ?? 0, ttlMs: HOUR });
    expect(saved).toBeDefined();
    await expect(store.put("b", "claimed", claim)).rejects.toThrow("store is full");
    expect(await store.remove("a", saved ?? 0)).toBe(true);
    expect(await store.put("b", "claimed", claim)).toBeDefined();
  });

  it("uses the system clock by default", async () => {
    const store = createMemoryStore();
    await store.put("a", "1", claim);
    expect(await store.get("a")).toMatchObject({ value: "1" });
  });
});
