import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { Store } from "../../src/stores/store.js";
import { update } from "../../src/stores/update.js";

const OPTIONS = { key: "count:1", ttlMs: 1000 };
const addOne = (found: string | undefined) => {
  const next = String(Number(found ?? 0) + 1);
  return { value: next, result: next };
};

/** Counts what is asked of a store, over which each caller has a process of its own, as far as it can tell. */
function counted() {
  const memory = createMemoryStore();
  const writes = { tried: 0, done: 0 };
  const process = (): Store => ({
    ...memory,
    async get(key) {
      await new Promise((resolve) => setImmediate(resolve));
      return memory.get(key);
    },
    async put(key, value, options) {
      writes.tried++;
      await new Promise((resolve) => setImmediate(resolve));
      const version = await memory.put(key, value, options);
      if (version !== undefined) writes.done++;
      return version;
    },
  });
  return { memory, writes, process };
}

describe("update", () => {
  it("ATK-12 writes what waits in one process at once, each change upon the other", async () => {
    const { process, memory, writes } = counted();
    const store = process();
    const results = await Promise.all(Array.from({ length: 120 }, () => update(store, OPTIONS, addOne)));
    expect(new Set(results).size).toBe(120);
    expect((await memory.get("count:1"))?.value).toBe("120");
    expect(writes.done).toBe(2);
  });

  it("ATK-12 loses none of the changes of forty processes, and gives up none", async () => {
    const { process, memory } = counted();
    const stores = Array.from({ length: 40 }, process);
    const all = Array.from({ length: 400 }, (_, n) => update(stores[n % 40] as Store, OPTIONS, addOne));
    expect(new Set(await Promise.all(all)).size).toBe(400);
    expect((await memory.get("count:1"))?.value).toBe("400");
  });

  it("a change that throws, or changes nothing, is none of the others' business", async () => {
    const { process, memory, writes } = counted();
    const store = process();
    const refuse = () => {
      throw new Error("refused");
    };
    const look = (found: string | undefined) => ({ value: undefined, result: found });
    const ends = await Promise.allSettled([
      update(store, OPTIONS, addOne),
      update(store, OPTIONS, refuse),
      update(store, OPTIONS, addOne),
      update(store, OPTIONS, look),
    ]);
    expect(ends.map((end) => (end.status === "fulfilled" ? end.value : "refused"))).toEqual(["1", "refused", "2", "2"]);
    expect((await memory.get("count:1"))?.value).toBe("2");
    const before = writes.tried;
    await expect(update(store, OPTIONS, refuse)).rejects.toThrow("refused");
    expect(await update(store, OPTIONS, look)).toBe("2");
    expect(writes.tried).toBe(before);
  });

  it("a store that fails is told to all who waited for it, and the next try is a new one", async () => {
    const { process } = counted();
    let isDown = true;
    const up = process();
    const store: Store = { ...up, get: async (key) => (isDown ? Promise.reject(new Error("down")) : up.get(key)) };
    const ends = await Promise.allSettled([update(store, OPTIONS, addOne), update(store, OPTIONS, addOne)]);
    expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    isDown = false;
    expect(await update(store, OPTIONS, addOne)).toBe("1");
  });
});
