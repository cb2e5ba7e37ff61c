/**
 * Locks a folder for one process, because two would overwrite each other's writes without an error. The holder listens
 * on a socket in the folder. A stopped or busy process still answers through its system, and a dead one does not, so no
 * lock expires by time and no living process loses it.
 */
import { createHash } from "node:crypto";
import { mkdir, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { CapabilityError } from "../../../errors.js";
import { once } from "../../../lib/lazy.js";

/** Systems allow about a hundred bytes for the path of a socket. */
const MAX_PATH = 100;
/** Taking over takes milliseconds; a process that needed this long is dead. */
const STALE_MS = 10_000;

export interface FolderLock {
  release(): Promise<void>;
}

/** Rejects with PROVIDER_NOT_CONFIGURED, naming the folder and its holder, while another process holds it. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = socketOf(folder);
  const taking = join(folder, "owner.taking");
  await takeTurn(taking);
  try {
    // guard: wallets: a folder has one owner | gone | embedded
    if (await answers(path)) throw taken(folder, await ownerOf(folder));
    if (process.platform !== "win32") await rm(path, { force: true });
    const server = await listen(path);
    await writeFile(join(folder, OWNER), JSON.stringify({ pid: process.pid, host: hostname() }));
    return { release: () => new Promise((resolve) => server.close(() => resolve())) };
  } finally {
    await rm(taking, { force: true });
  }
}

function socketOf(folder: string): string {
  const hash = createHash("sha256").update(folder).digest("hex").slice(0, 32);
  if (process.platform === "win32") return `\\\\.\\pipe\\wallets-${hash}`;
  const path = join(folder, "owner.sock");
  return Buffer.byteLength(path) > MAX_PATH ? join(tmpdir(), `wallets-${hash}.sock`) : path;
}

/** Only one process at a time may find the lock free and take it. */
async function takeTurn(taking: string): Promise<void> {
  for (;;) {
    try {
      await (await open(taking, "wx")).close();
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const age = await stat(taking).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > STALE_MS) await rm(taking, { force: true });
    else await sleep(50);
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(false);
      // A full backlog means that the holder is alive.
      else if (error.code === "EAGAIN") resolve(true);
      else reject(error);
    });
  });
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", reject);
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** For people only; the socket tells whether the holder is alive. */
const OWNER = "owner.json";
const owner = once(() => z.object({ pid: z.int(), host: z.string() }));

async function ownerOf(folder: string): Promise<string> {
  const text = await readFile(join(folder, OWNER), "utf8").catch(() => "");
  try {
    const { pid, host } = owner().parse(JSON.parse(text));
    return ` (process ${pid} on ${host})`;
  } catch {
    return "";
  }
}

const taken = (folder: string, by: string): CapabilityError =>
  new CapabilityError(
    "PROVIDER_NOT_CONFIGURED",
    `Another process keeps the state of wallets in ${folder}${by}: give each process its own wallets.dataDir, or all of them one Postgres, wallets: { db }.`,
  );
