/** Who has the threads of a pool, where many want them. */
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, test } from "vitest";
import { CapabilityError } from "../../../src/errors.js";
import type { Payer } from "../../../src/lib/threads/payer.js";
import { createTurns } from "../../../src/lib/threads/turns.js";
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from "../../../src/lib/threads/worker-pool.js";

type Task = { name: string; does?: "hang" | "refuse"; bytes?: Uint8Array };

/** A thread that tells its tasks' names. */
const CODE = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", ({ name, does }) => {
    parentPort.postMessage({ began: true });
    if (does === "hang") for (;;);
    parentPort.postMessage({ ok: true, result: name, ms: 5, failed: does === "refuse" });
  });
`;

let pool: WorkerPool<Task, string>;
afterEach(() => pool.close());

function open(options: Partial<WorkerPoolOptions<Task>> = {}) {
  const start = () => new Worker(CODE, { eval: true });
  pool = createWorkerPool<Task, string>({ name: "reading", start, size: 4, maxQueued: 512, ...options });
}

function payerOf(name: string, facts: Partial<Payer> = {}) {
  const spent: { ms: number; failed: boolean }[] = [];
  const [lostMs, inVainMs]: [number[], number[]] = [[], []];
  const payer: Payer = {
    ...{ name, isKnown: false, isUndecided: false, assertLeft() {} },
    spend: (ms, failed) => void spent.push({ ms, failed }),
    lost: (ms) => void lostMs.push(ms),
    gaveUp: (_, ms) => void inVainMs.push(ms),
    ...facts,
  };
  return Object.assign(payer, { spent, lostMs, inVainMs });
}

const LONG_MS = 60_000;
/** Forty strangers, each with three tasks that take as long as they may. */
function flood() {
  const ended: unknown[] = [];
  for (let i = 0; i < 120; i++) {
    const caller = { signal: AbortSignal.timeout(LONG_MS), payer: payerOf(`hostile ${i % 40}`) };
    pool.run({ name: `hostile ${i}`, does: "hang" }, caller, LONG_MS).catch((error) => ended.push(error));
  }
  return ended;
}

const ask = (payer: Payer | undefined, task: Partial<Task> = {}, signal = new AbortController().signal) =>
  pool.run({ name: "honest", ...task }, { signal, payer });

describe("ATK-16 forty strangers with three endless tasks each keep no thread from", () => {
  test("a stranger who comes after them", async () => {
    open();
    flood();
    expect(await ask(payerOf("newcomer"))).toBe("honest");
  }, 60_000);

  test("a stranger who came before them", async () => {
    open({ size: 2 });
    flood();
    await sleep(100);
    flood();
    expect(await ask(payerOf("newcomer"))).toBe("honest");
  }, 60_000);

  test("whoever paid lately, with a large document too, and the host itself", async () => {
    open();
    flood();
    const large = { bytes: new Uint8Array(1_000_000) };
    const known = payerOf("customer", { isKnown: true });
    expect(await Promise.all([ask(known, large), ask(known), ask(undefined, large)])).toEqual(Array(3).fill("honest"));
  }, 60_000);

  test("a stranger with a large document", async () => {
    open();
    flood();
    await sleep(1000);
    expect(await ask(payerOf("newcomer"), { bytes: new Uint8Array(1_000_000) })).toBe("honest");
  }, 30_000);
});

test("ATK-16 a stranger has one thread at a time, and what its tasks took is its own", async () => {
  open();
  const [hostile, honest] = [payerOf("hostile"), payerOf("honest")];
  const gone = new AbortController();
  const hanging = Array.from({ length: 3 }, () =>
    ask(hostile, { does: "hang" }, gone.signal).catch(({ code }) => code),
  );
  await ask(honest);
  expect(pool.load.queued).toBe(2);
  await ask(honest, { does: "refuse" });
  expect(honest.spent).toEqual([
    { ms: 5, failed: false },
    { ms: 5, failed: true },
  ]);
  gone.abort();
  expect(await Promise.all(hanging)).toEqual(Array(3).fill("UPSTREAM_ERROR"));
  expect(hostile.spent[0]).toEqual({ ms: expect.any(Number), failed: true });
});

test("ATK-16 a payer's queue is bounded, refuses nobody else, and being refused is no failure of the payer", async () => {
  open({ size: 1, maxQueued: 20 });
  const hanging = ask(undefined, { does: "hang" }).catch(({ code }) => code);
  const hostile = payerOf("hostile");
  const flooded = Array.from({ length: 17 }, () => ask(hostile).catch((error) => error));
  expect(await flooded[16]).toMatchObject({ code: "OVERLOADED", excused: true, retryAfter: 2 });
  const others = Array.from({ length: 8 }, (_, i) => ask(payerOf(`other ${i}`)).catch((error) => error));
  expect(await flooded[15]).toMatchObject({ code: "OVERLOADED", excused: true });
  expect(pool.load.queued).toBe(20);
  await pool.close();
  const ends = await Promise.all([...others, hanging]);
  expect(ends.slice(0, 8)).toEqual(Array(8).fill(expect.objectContaining({ message: "reading is being shut down." })));
});

test("ATK-16 a time-out while waiting is no failure of the payer; one of work that ran is", async () => {
  open({ size: 1 });
  const hanging = ask(payerOf("hostile"), { does: "hang" }, AbortSignal.timeout(4000)).catch((error) => error);
  const waiting = ask(payerOf("honest"), {}, AbortSignal.timeout(50)).catch((error) => error);
  expect(await waiting).toMatchObject({ code: "UPSTREAM_TIMEOUT", excused: true });
  const failed = await hanging;
  expect([failed.code, failed.excused]).toEqual(["UPSTREAM_TIMEOUT", undefined]);
});

test("ATK-16 what waited longer than it ran was cut short by others", async () => {
  open({ size: 1 });
  const gone = new AbortController();
  const hanging = ask(payerOf("hostile"), { does: "hang" }, gone.signal).catch(({ code }) => code);
  const honest = payerOf("honest");
  const late = ask(honest, { does: "hang" }, AbortSignal.timeout(2000)).catch((error) => error);
  await sleep(1500);
  gone.abort();
  expect(await late).toMatchObject({ code: "UPSTREAM_TIMEOUT", excused: true });
  expect(honest.spent).toEqual([{ ms: expect.any(Number), failed: false }]);
  expect(honest.inVainMs).toEqual([honest.spent[0]?.ms]);
  await hanging;
});

describe("ATK-16 the tries of a task that made way are its payer's", () => {
  async function makeWay() {
    open({ size: 1 });
    const gone = { hostile: new AbortController(), other: new AbortController() };
    const [hostile, other] = [payerOf("hostile"), payerOf("other")];
    const first = ask(hostile, { does: "hang" }, gone.hostile.signal).catch((error) => error);
    const second = ask(other, { does: "hang" }, gone.other.signal).catch((error) => error);
    await expect.poll(() => hostile.spent.length).toBe(1);
    expect(hostile.spent).toEqual([{ ms: expect.any(Number), failed: false }]);
    expect([hostile.lostMs, hostile.inVainMs]).toEqual([[], []]);
    return { hostile, gone, first, second };
  }

  test("if its caller leaves before it has a thread again", async () => {
    const { hostile, gone, first, second } = await makeWay();
    gone.hostile.abort();
    expect(await first).toMatchObject({ excused: true });
    expect(hostile.inVainMs).toEqual([hostile.spent[0]?.ms]);
    gone.other.abort();
    await second;
  });

  test("if it fails at last", async () => {
    const { hostile, gone, first, second } = await makeWay();
    gone.other.abort();
    await second;
    await expect.poll(() => pool.load.queued).toBe(0);
    gone.hostile.abort();
    await first;
    expect(hostile.spent[1]).toEqual({ ms: expect.any(Number), failed: true });
    expect([hostile.lostMs, hostile.inVainMs]).toEqual([[hostile.spent[0]?.ms], []]);
  });
});

test("ATK-16 whoever used up its thread time while it waited gets no thread any more", async () => {
  open({ size: 1 });
  let isSpent = false;
  const hostile = payerOf("hostile", {
    assertLeft() {
      if (isSpent) throw new CapabilityError("TOO_MANY_FAILURES", "no more");
    },
    spend() {
      isSpent = true;
    },
  });
  const [first, second] = [ask(hostile, { does: "refuse" }), ask(hostile).catch(({ code }) => code)];
  expect([await first, await second]).toEqual(["honest", "TOO_MANY_FAILURES"]);
  await expect(ask(hostile)).rejects.toMatchObject({ code: "TOO_MANY_FAILURES" });
});

test("ATK-16 a stranger's next task waits until it is known whether its last one is charged", async () => {
  open();
  const facts = { isUndecided: true };
  const payer = Object.assign(payerOf("newcomer"), facts);
  const waiting = ask(payer);
  await ask(payerOf("other"));
  expect(pool.load.queued).toBe(1);
  payer.isUndecided = false;
  expect(await waiting).toBe("honest");
});

test("ATK-16 the place for what is quick takes turns of its own, whatever fills the others between", () => {
  const turns = createTurns(() => 0);
  const lists = new Map<string | undefined, { payer: Payer; isQuick: boolean }[]>();
  for (const name of [...Array.from({ length: 40 }, (_, i) => `hostile ${i}`), "honest"])
    lists.set(
      name,
      [false, true].map((isQuick) => ({ payer: payerOf(name), isQuick })),
    );
  const taken = () => {
    const one = turns.next(lists, ({ isQuick }) => isQuick);
    turns.next(lists, ({ isQuick }) => !isQuick);
    return one?.payer.name;
  };
  expect([taken(), taken()]).toContain("honest");
});
