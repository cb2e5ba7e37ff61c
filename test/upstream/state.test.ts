import { describe, expect, it } from "vitest";
import { createContext } from "../../src/capability/context.js";
import { defineProvider } from "../../src/capability/provider.js";
import type { Payer } from "../../src/lib/threads/payer.js";
import { upstreamStateOf } from "../../src/upstream/state.js";
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
  const gate = await upstreamStateOf(fetch).gate(provider);
  let release = (_: unknown) => {};
  const first = gate.run(() => new Promise((resolve) => (release = resolve)), { signal });
  const waiting = Array.from({ length: 500 }, () => gate.run(async () => "done", { signal }));
  await expect(gate.run(async () => "done", { signal })).rejects.toMatchObject({ code: "OVERLOADED", retryAfter: 5 });
  release(undefined);
  await first;
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["done"]));
});

const payerOf = (name: string, isKnown = true): Payer => ({
  ...{ name, isKnown, isUndecided: false },
  ...{ assertLeft() {}, spend() {}, lost() {}, gaveUp() {} },
});

/** A gate with so many places, whose work is noted when it begins and ends when a test says so. */
async function openGate(concurrency: number) {
  const { fetch } = createContext({ fetch: () => Promise.reject(new Error("not asked")) }, { timeoutMs: 60_000 });
  const gate = await upstreamStateOf(fetch).gate({ ...provider, concurrency });
  const begun: string[] = [];
  const ends = new Map<string, (() => void)[]>();
  const run = (payer: Payer, signal = new AbortController().signal) =>
    gate.run(
      () =>
        new Promise<void>((resolve) => {
          begun.push(payer.name);
          ends.set(payer.name, [...(ends.get(payer.name) ?? []), resolve]);
        }),
      { signal, payer },
    );
  const end = async (name: string) => {
    ends.get(name)?.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { run, begun, end };
}

describe("payers who want one upstream", () => {
  it("leave a quarter of its places to others, however much one of them wants", async () => {
    const { run, begun, end } = await openGate(24);
    for (let n = 0; n < 60; n++) void run(payerOf("many"));
    expect(begun).toHaveLength(18);
    for (let n = 0; n < 6; n++) void run(payerOf(`other ${n}`));
    expect(begun.slice(18)).toEqual([0, 1, 2, 3, 4, 5].map((n) => `other ${n}`));
    await end("other 3");
    expect(begun).toHaveLength(24);
  });

  it("take turns where all places are taken", async () => {
    const { run, begun, end } = await openGate(1);
    for (let n = 0; n < 20; n++) void run(payerOf("many"));
    void run(payerOf("one"));
    await end("many");
    await end("many");
    expect(begun.slice(0, 3)).toContain("one");
  });

  it("as strangers together leave places to those who paid lately", async () => {
    const { run, begun } = await openGate(24);
    for (let n = 0; n < 60; n++) void run(payerOf(`stranger ${n}`, false));
    expect(begun).toHaveLength(18);
    void run(payerOf("customer"));
    expect(begun.at(-1)).toBe("customer");
  });

  it("lose waiting work to those who have less of it, once the line is full", async () => {
    const { run, begun, end } = await openGate(1);
    const outcomes: unknown[] = [];
    for (let n = 0; n < 501; n++) run(payerOf("many")).catch((error) => outcomes.push(error));
    void run(payerOf("one"));
    await end("many");
    await end("many");
    expect(begun).toContain("one");
    expect(outcomes).toMatchObject([{ code: "OVERLOADED", excused: true, retryAfter: 5 }]);
  });

  it("leave the line when their calls end, which is no failure of theirs", async () => {
    const { run, begun, end } = await openGate(1);
    void run(payerOf("first"));
    const leaving = new AbortController();
    const left = run(payerOf("leaver"), leaving.signal);
    leaving.abort(new DOMException("late", "TimeoutError"));
    await expect(left).rejects.toMatchObject({ code: "UPSTREAM_TIMEOUT", excused: true });
    void run(payerOf("next"));
    await end("first");
    expect(begun).toEqual(["first", "next"]);
  });
});
