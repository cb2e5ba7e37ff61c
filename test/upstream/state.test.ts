import { expect, it } from "vitest";
import { createContext } from "../../src/capability/context.js";
import { defineProvider } from "../../src/capability/provider.js";
import { stateOf } from "../../src/upstream/state.js";
import { OPEN_TERMS } from "../support/terms.js";

const provider = defineProvider({
  name: "Slow",
  url: "https://slow.example",
  license: "none",
  terms: OPEN_TERMS,
  baseUrl: "https://slow.example",
  concurrency: 1,
});

it("RES-3 refuses what would wait too long, at once, and works on", async () => {
  const { fetch, signal } = createContext(
    { fetch: () => Promise.reject(new Error("not asked")) },
    { timeoutMs: 60_000 },
  );
  const gate = await stateOf(fetch).gate(provider);
  let release = (_: unknown) => {};
  const first = gate.run(() => new Promise((resolve) => (release = resolve)), signal);
  const waiting = Array.from({ length: 500 }, () => gate.run(async () => "done", signal));
  await expect(gate.run(async () => "done", signal)).rejects.toMatchObject({ code: "OVERLOADED", retryAfter: 5 });
  release(undefined);
  await first;
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["done"]));
});
