/** The embedded database: one owner at a time, and nothing that stands in everybody's way for long. */
import "../support/typescript-workers.js";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { storeKvGet } from "../../src/capabilities/store/index.js";
import { createHandler } from "../../src/handler.js";
import { openFolder } from "../../src/wallet/embedded/database.js";
import { lockFolder } from "../../src/wallet/embedded/folder-lock.js";
import { readWallets } from "../../src/wallet/options.js";
import { freshFolder } from "../support/fresh-folder.js";
import { aliveThreads } from "../support/typescript-workers.js";

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

it("WAL-62 starts nothing where it is off, and says what else to do where it cannot be", async () => {
  const handle = createHandler({ capabilities: [storeKvGet], payment: false });
  const request = new Request("http://host.test/api/store/kv-get", { method: "POST", body: '{"ns":"n","key":"k"}' });
  const answer = await handle(request, { wallet: "w" });
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([502, "PROVIDER_NOT_CONFIGURED"]);
  expect(aliveThreads()).toBe(0);
  const way = "give a Postgres, wallets: { db: new pg.Pool() }";
  expect(() => createHandler({ capabilities: [], payment: false, wallets: true, instances: 2 })).toThrow(way);
  expect(() => readWallets({ wallets: {} }, { AWS_LAMBDA_FUNCTION_NAME: "f" })).toThrow(way);
  expect(() => readWallets({ wallets: { db: {} as never } })).toThrow("wallets.db must be a Pool");
});
