/** The embedded database: one owner at a time, and nothing that stands in everybody's way for long. */
import "../support/typescript-workers.js";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, expect, it } from "vitest";
import { convertUnit } from "../../src/capabilities/convert/unit.js";
import { storeKvGet } from "../../src/capabilities/store/index.js";
import { createHandler } from "../../src/handler/handler.js";
import { createResources } from "../../src/lib/resources.js";
import { createRecords } from "../../src/payment/record/records.js";
import { type Driver, openDatabase } from "../../src/state/database/database.js";
import { openFolder } from "../../src/state/database/embedded/database.js";
import { lockFolder } from "../../src/state/database/embedded/folder-lock.js";
import { createEncryption } from "../../src/state/database/encryption.js";
import { openForPayments } from "../../src/state/database/open.js";
import { readWallets } from "../../src/state/wallet/options.js";
import { storeBesideWallets } from "../../src/stores/postgres/beside-wallets.js";
import { createPostgresStore, migrate } from "../../src/stores/postgres/index.js";
import type { Store } from "../../src/stores/store.js";
import { freshFolder } from "../support/fresh-folder.js";
import { aliveThreads } from "../support/typescript-workers.js";
import { TREASURY } from "../support/wallets.js";

const folders: string[] = [];
async function folderOf(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wallets-folder-"));
  folders.push(folder);
  return folder;
}
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** Another process that holds the folder, as a process of ours does. */
async function holder(folder: string) {
  const script = `require("net").createServer((s) => s.destroy()).listen(process.argv[1], () => console.log("held"))`;
  const child = spawn(process.execPath, ["-e", script, join(folder, "owner.sock")], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(child.stdout, "data");
  return child;
}

it("WAL-61 leaves the caller's thread free while it opens, keeps 3 MB and goes through all of it", async () => {
  const driver = await openFolder(await folderOf());
  /** How often others had their turn meanwhile. */
  const turnsOf = async (work: () => Promise<unknown>) => {
    let [turns, going] = [0, true];
    const turn = () => {
      turns++;
      if (going) setImmediate(turn);
    };
    setImmediate(turn);
    await work();
    going = false;
    return turns;
  };
  const works = [
    () => driver.query("create table kept (value text)"),
    () => driver.query("insert into kept values ($1)", ["x".repeat(3_000_000)]),
    () => driver.query("select count(*) from generate_series(1, 300000) as n where md5(n::text) = 'none'"),
  ];
  for (const work of works) expect(await turnsOf(work)).toBeGreaterThan(50);
  await driver.close();
});

it.skipIf(process.platform === "win32")(
  "WAL-59 is refused to a second process while the first lives, stopped or not, and is had once that was killed",
  async () => {
    const folder = await folderOf();
    const child = await holder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(`Another process keeps the state of wallets in ${folder}`);
    child.kill("SIGSTOP");
    await expect(openFolder(folder)).rejects.toMatchObject({ code: "PROVIDER_NOT_CONFIGURED" });
    child.kill("SIGKILL");
    await once(child, "exit");
    const locks = await Promise.allSettled([lockFolder(folder), lockFolder(folder)]);
    expect(locks.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    for (const lock of locks) if (lock.status === "fulfilled") await lock.value.release();
    await (await lockFolder(folder)).release();
  },
);

it.skipIf(process.platform === "win32")(
  "WAL-59 says at the start, and with every call that it refuses, which process has the folder",
  async () => {
    const folder = await freshFolder();
    folders.push(folder);
    await (await lockFolder(folder)).release();
    const child = await holder(folder);
    const lines: string[] = [];
    const note = (facts: object, message: string) => void lines.push(message, inspect(facts));
    const handle = createHandler({
      ...{ capabilities: [storeKvGet, convertUnit], wallets: { dataDir: folder } },
      payment: { treasury: { "eip155:8453": TREASURY }, facilitator: { url: "https://f.test" }, rpc: false },
      fetch: async () => new Response(null, { status: 503 }),
      logger: { debug() {}, info() {}, warn: note, error: note },
    });
    const url = "http://host.test/api/convert/unit?value=1&from=kg&to=lb";
    const tried = await handle(new Request(url, { headers: { "x-svc-trial": "1" } }));
    expect([tried.status, await tried.json()]).toMatchObject([502, { code: "PROVIDER_NOT_CONFIGURED" }]);
    const told = `wallets in ${folder} (process ${process.pid} on ${hostname()})`;
    expect(lines.filter((line) => line.startsWith("wallets: ") && line.includes(told))).toHaveLength(1);
    expect(lines.filter((line) => line.includes(told)).length).toBeGreaterThan(1);
    child.kill("SIGKILL");
    await once(child, "exit");
    // However long the opening takes on a busy machine.
    let status = 0;
    for (let i = 0; i < 20 && status !== 200; i++)
      ({ status } = await handle(new Request(url, { headers: { "x-svc-trial": "1" } })));
    expect(status).toBe(200);
    await handle.close();
  },
  240_000,
);

it("WAL-60 lets what a dead process had taken be due when the next one starts", async () => {
  const folder = await freshFolder();
  folders.push(folder);
  const encryption = createEncryption([]);
  const taken = async (driver: Awaited<ReturnType<typeof openFolder>>) => {
    const database = await openDatabase(driver, "leased", encryption);
    const { rows } = await database.query("select count(*)::int as count from @deliveries where lease is not null");
    return { database, count: (rows[0] as { count: number }).count };
  };
  const first = await taken(await openFolder(folder));
  for (const text of [
    `insert into @callbacks (id, wallet, url, origin, state, created_at) values ('c', 'w', 'u', 'o', 'active', now())`,
    `insert into @events (id, wallet, source, number, type, body, created_at, expires_at) values ('e', 'w', 's', 1, 't', '{}', now(), now())`,
    `insert into @deliveries (event, callback, wallet, state, due_at, lease, lease_until, created_at)
       values ('e', 'c', 'w', 'pending', now(), 'dead', now() + interval '2 minutes', now())`,
  ])
    await first.database.query(text);
  // Another handler of the same process takes nothing from the first.
  const beside = await taken(await openFolder(folder));
  expect(beside.count).toBe(1);
  await beside.database.close();
  await first.database.close();
  const next = await taken(await openFolder(folder));
  expect(next.count).toBe(0);
  await next.database.close();
}, 240_000);

it("WAL-60 ends a statement that takes too long, and goes on with all that was committed", async () => {
  const folder = await freshFolder();
  folders.push(folder);
  const driver = await openFolder(folder, { statementMs: 3000 });
  await driver.query("create table kept (n int)");
  await driver.query("insert into kept values (1)");
  const half = driver.transaction(async (tx) => {
    await tx.query("insert into kept values (2)");
    await tx.query("select count(*) from generate_series(1, 100000000000)");
  });
  const behind = driver.query("select n from kept");
  await expect(half).rejects.toMatchObject({ code: "OVERLOADED" });
  expect((await behind).rows).toEqual([{ n: 1 }]);
  await driver.close();
  expect(aliveThreads()).toBe(0);
}, 90_000);

/** Payments of one opening of a folder. */
async function lived<T>(
  folder: string,
  work: (store: Store, records: ReturnType<typeof createRecords>) => Promise<T>,
): Promise<T> {
  const resources = createResources();
  const store = storeBesideWallets((makeTables) =>
    openForPayments({ wallets: { dataDir: folder }, resources }, makeTables),
  );
  try {
    return await work(store, createRecords(store, Date.now, { has: () => true, on: () => "" } as never));
  } finally {
    await resources.close();
  }
}
const paymentIn = (state: string, leaseUntil: number) => ({
  ...{ state, id: state, requestId: "r", fingerprint: "f", signatureHash: "s", leaseUntil },
  ...{ payment: { requirements: {}, payload: {} }, attempts: 0 },
  ...(state === "running" ? {} : { prepaid: true }),
  ...(state === "settled" ? { settledAt: 1, receipt: { success: true } } : {}),
});

it("WAL-60 lets a payment be taken over that a dead process was at work for, unless it may be settling", async () => {
  const folder = await freshFolder();
  folders.push(folder);
  const states = ["running", "settling", "settled"];
  const leaseUntil = Date.now() + 600_000;
  const read = async (store: Store, records: ReturnType<typeof createRecords>) => {
    await store.get("any");
    return Promise.all(states.map(async (state) => (await records.read(state))?.record.leaseUntil));
  };
  await lived(folder, async (store, records) => {
    for (const state of states) {
      await records.write(state, 0, paymentIn(state, leaseUntil) as never);
    }
    expect(await read(store, records)).toEqual([leaseUntil, leaseUntil, leaseUntil]);
    // Another handler of the same process takes nothing from the first.
    await lived(folder, async (beside, theirs) =>
      expect(await read(beside, theirs)).toEqual([leaseUntil, leaseUntil, leaseUntil]),
    );
  });
  await lived(folder, async (store, records) => {
    expect(await read(store, records)).toEqual([0, leaseUntil, 0]);
    const found = await records.read("running");
    // What is written now has a holder who lives.
    await records.write("running", found?.version ?? 0, { ...found?.record, leaseUntil } as never);
    expect(await read(store, records)).toEqual([leaseUntil, leaseUntil, 0]);
  });
}, 120_000);

it("WAL-62 starts nothing where it is off, and says what else to do where it cannot be", async () => {
  const handle = createHandler({ capabilities: [storeKvGet], payment: false });
  const request = new Request("http://host.test/api/store/kv-get", { method: "POST", body: '{"ns":"n","key":"k"}' });
  const answer = await handle(request, { wallet: "w" });
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([502, "PROVIDER_NOT_CONFIGURED"]);
  expect(aliveThreads()).toBe(0);
  const way = "use a Postgres, wallets: { db: new pg.Pool() }";
  expect(() => createHandler({ capabilities: [convertUnit], payment: false, wallets: true, instances: 2 })).toThrow(
    way,
  );
  expect(() => readWallets({ wallets: {} }, { AWS_LAMBDA_FUNCTION_NAME: "f" })).toThrow(way);
  const noPool = { db: {} as never };
  expect(() => createHandler({ capabilities: [convertUnit], payment: false, wallets: noPool })).toThrow(
    "wallets.db must be a",
  );
});

it("WAL-60 takes the first payment of all from nobody, where a process before made the tables and sold nothing", async () => {
  const folder = await freshFolder();
  folders.push(folder);
  const leaseUntil = Date.now() + 600_000;
  await lived(folder, (store) => store.get("any"));
  await lived(folder, async (_, records) => {
    expect(await records.write("running", 0, paymentIn("running", leaseUntil) as never)).toBe(1);
    expect((await records.read("running"))?.record.leaseUntil).toBe(leaseUntil);
  });
}, 120_000);

it("WAL-60 takes nothing from who opened the folder beside the first and was quicker", async () => {
  const folder = await freshFolder();
  folders.push(folder);
  const [first, second] = [await openFolder(folder), await openFolder(folder)];
  const slow: Driver = {
    ...first,
    async query(...asked) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return first.query(...asked);
    },
  };
  const opened = (driver: Driver) => openDatabase(driver, "coinslot_wallets", createEncryption([]));
  const writing = opened(second).then(async (database) => {
    await migrate(database);
    return createPostgresStore(database).put("running", "1", { ifVersion: 0, ttlMs: 60_000 });
  });
  const { orphanedVersion } = await opened(slow);
  expect(await writing).toBeGreaterThan(orphanedVersion);
  for (const one of [first, second]) await one.close();
}, 120_000);
