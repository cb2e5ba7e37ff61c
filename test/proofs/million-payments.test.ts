import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";

let now = 0;
const clock = () => new Date(now);

it("PAY-42 holds a million distinct payments that come and go in the room for a thousand", {
  timeout: 300_000,
}, async () => {
  const store = createMemoryStore({ clock, maxRecords: 1000 });
  for (let index = 0; index < 1_000_000; index += 1) {
    now += 1;
    await store.put(`payment ${index}`, "reply", { ifVersion: 0, ttlMs: 1000, dueAt: index });
  }
  expect(await store.list("", { limit: 2000 })).toHaveLength(1000);
  expect(await store.due(Number.MAX_SAFE_INTEGER, 2000)).toHaveLength(1000);
});
