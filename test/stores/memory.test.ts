import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory.js";
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

  it("PAY-42 holds a million distinct payments that come and go in the room for a thousand", async () => {
    const store = createMemoryStore({ clock, maxRecords: 1000 });
    for (let index = 0; index < 1_000_000; index += 1) {
      now += 1;
      await store.put(`payment ${index}`, "reply", { ifVersion: 0, ttlMs: 1000, dueAt: index });
    }
    expect(await store.list("", { limit: 2000 })).toHaveLength(1000);
    expect(await store.due(Number.MAX_SAFE_INTEGER, 2000)).toHaveLength(1000);
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

  it("leaves room for payments when callers have filled the counters", async () => {
    const store = createMemoryStore({ clock, maxRecords: 2 });
    await store.increment("caller 1", 1, { ttlMs: HOUR });
    await store.increment("caller 2", 1, { ttlMs: HOUR });
    await expect(store.increment("caller 3", 1, { ttlMs: HOUR })).rejects.toThrow("store is full");
    expect(await store.increment("caller 1", 1, { ttlMs: HOUR })).toBe(2);
    expect(await store.put("payment", "1", claim)).toBeDefined();
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
