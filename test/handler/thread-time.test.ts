/** Threads work before it is known whether anybody pays: what is charged to nobody has a bound for each payer. */
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { invalid } from "../../src/errors.js";
import { createWorkerPool } from "../../src/lib/threads/worker-pool.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { openShop, type ShopOptions } from "../support/shop.js";
import { alice, mallory, TREASURY } from "../support/wallets.js";

/** A thread that works for so many milliseconds, by its own account. */
const CODE = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", ({ ms, fails, hangs }) => {
    parentPort.postMessage({ began: true });
    if (hangs) for (;;);
    parentPort.postMessage({ ok: true, result: fails, ms, failed: fails });
  });
`;

type Task = { ms: number; fails: boolean; hangs: boolean };

const open = new Set<{ close(): Promise<void> }>();
afterEach(async () => {
  for (const one of open) await one.close();
  open.clear();
});

function openThreads(options: ShopOptions = {}, size = 1) {
  const started: number[] = [];
  const start = () => new Worker(CODE, { eval: true });
  const openPool = () => createWorkerPool<Task, boolean>({ name: "reading", start, size, maxQueued: 500 });
  const reading = (id: string, timeoutMs: number) =>
    defineCapability({
      id,
      summary: "Reads in a thread.",
      price: "0.001",
      timeoutMs,
      source: { provider: "test", url: "", license: "MIT" },
      input: () =>
        z.strictObject({
          ms: z.coerce.number().default(1).describe("Milliseconds that it takes"),
          fails: z.boolean().default(false).describe("Whether it refuses its input"),
          hangs: z.boolean().default(false).describe("Whether it never ends"),
        }),
      output: one(z.object({ read: z.boolean() })),
      example: { ms: 1 },
      async run(input, ctx) {
        const pool = await ctx.resources.use("test", openPool, (opened) => opened.close());
        started.push(input.ms);
        if (await pool.run(input, ctx)) throw invalid("ms", "cannot be read");
        return { item: { read: true } };
      },
    });
  const capabilities = [reading("test.read", 1500), reading("test.slow", 3000), reading("test.long", 8000)];
  const shop = openShop({ capabilities, trial: false, ...options });
  open.add(shop.handle);
  const pay = async (query: string, wallet = alice, name = "read") => {
    const path = `/test/${name}?${query}`;
    return shop.pay(path, await shop.payFor(path, { wallet }));
  };
  return { ...shop, pay, started };
}

async function expectTooMany(answer: Response) {
  expect([answer.status, (await bodyOf(answer)).code]).toEqual([429, "TOO_MANY_FAILURES"]);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(3500);
}

describe("ATK-16 uncharged thread time of one payer", () => {
  it("is two seconds an hour over all instances, and nobody else's", async () => {
    const store = createMemoryStore();
    const [one, other] = [openThreads({ store }), openThreads({ store })];
    expect((await one.pay("ms=1900&fails=true")).status).toBe(400);
    expect((await other.pay("ms=200&fails=true")).status).toBe(400);
    for (const shop of [one, other]) await expectTooMany(await shop.pay("ms=1"));
    expect((await one.pay("ms=1", mallory)).status).toBe(200);
    one.clock.advance(3601);
    expect((await one.pay("ms=1")).status).toBe(200);
  });

  it("is what the host allows", async () => {
    const payment = {
      treasury: { "eip155:8453": TREASURY },
      facilitator: { url: "https://facilitator.test" },
      maxFailures: { threadSeconds: 5 },
    };
    const { pay } = openThreads({ payment });
    for (let i = 0; i < 5; i++) expect((await pay("ms=1000&fails=true")).status).toBe(400);
    await expectTooMany(await pay("ms=1"));
  });

  it("is none where the answer was charged", async () => {
    const { pay } = openThreads();
    for (let i = 0; i < 5; i++) expect((await pay("ms=1900")).status).toBe(200);
  });

  it("counts where the payment could not be settled after the work", async () => {
    const { pay, facilitator } = openThreads();
    facilitator.faults.settle.push("refuse-poor");
    expect((await pay("ms=2100")).status).toBe(402);
    await expectTooMany(await pay("ms=1"));
  });

  it("ends the calls that wait behind the one that used it up", async () => {
    const { pay } = openThreads({}, 4);
    const answers = await Promise.all(Array.from({ length: 4 }, () => pay("ms=2500&fails=true")));
    expect(answers.map(({ status }) => status).sort()).toEqual([400, 429, 429, 429]);
  });

  it("is that of a trial's caller as well", async () => {
    const { get } = openThreads({ trial: { perHour: 5 } });
    expect((await get("/test/read?ms=2100&fails=true", { "x-svc-trial": "1" })).status).toBe(400);
    await expectTooMany(await get("/test/read?ms=1", { "x-svc-trial": "1" }));
  });

  it("is that of the signer of vouchers, credit and accounts as well", async () => {
    const { get, handle } = openThreads({ accounts: { identify: () => ({ id: "ada" }) } });
    await handle.accounts.topUp("ada", "1", { reference: "r" });
    expect((await get("/test/read?ms=2100&fails=true")).status).toBe(400);
    await expectTooMany(await get("/test/read?ms=1"));
  });
});

it("ATK-16 an honest wallet is not locked out by another's queue", async () => {
  const store = createMemoryStore();
  const shops = Array.from({ length: 3 }, () => openThreads({ store }));
  const hostile = shops.map(({ pay }) => pay("hangs=true", mallory, "long"));
  await vi.waitUntil(() => shops.every(({ started }) => started.length === 1));
  const answers = await Promise.all(shops.flatMap(({ pay }) => Array.from({ length: 8 }, () => pay("ms=1"))));
  const codes = await Promise.all(answers.map(async (answer) => (await bodyOf(answer)).code));
  expect(codes).toEqual(Array(24).fill("UPSTREAM_TIMEOUT"));
  expect((await shops[0]?.pay("ms=1"))?.status).toBe(200);
  await Promise.all(hostile);
}, 30_000);

it("ATK-16 tries of a task that then waited in vain count, and one such call locks nobody out", async () => {
  const { pay, started } = openThreads();
  const slow = pay("hangs=true", mallory, "slow");
  await vi.waitUntil(() => started.length === 1);
  void pay("hangs=true", alice, "long");
  expect(await bodyOf(await slow)).toMatchObject({ code: "UPSTREAM_TIMEOUT" });
  expect((await pay("ms=2&fails=true", mallory, "long")).status).toBe(400);
  await expectTooMany(await pay("ms=1", mallory));
}, 30_000);

describe("ATK-16 failing calls of an account's key", () => {
  const openAccounts = async () => {
    const shop = openThreads({ accounts: { keys: true } });
    await shop.handle.accounts.topUp("ada", "1", { reference: "r" });
    const make = async () => (await shop.handle.accounts.createKey("ada", { limits: { usdPerDay: "0.01" } })).key;
    const call = (key: string, query: string) => shop.get(`/test/read?${query}`, { authorization: `Bearer ${key}` });
    return { make, call };
  };

  it("lock the key and not its account", async () => {
    const { make, call } = await openAccounts();
    const [hostile, honest] = [await make(), await make()];
    for (let i = 0; i < 20; i++) expect((await call(hostile, "fails=true")).status).toBe(400);
    await expectTooMany(await call(hostile, "ms=1"));
    expect((await call(honest, "ms=1")).status).toBe(200);
  });

  it("are bounded over all keys of an account, which may make ever new ones", async () => {
    const { make, call } = await openAccounts();
    for (let i = 0; i < 10; i++) {
      const key = await make();
      for (let j = 0; j < 20; j++) expect((await call(key, "fails=true")).status).toBe(400);
    }
    const another = await make();
    expect((await call(another, "fails=true")).status).toBe(400);
    await expectTooMany(await call(another, "ms=1"));
  });
});
