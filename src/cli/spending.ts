/** The file in which the command line keeps what was spent today, and whom sellers wanted paid at first. */
import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { emptyRecord, type SpendingBook, type SpendingRecord } from "../client/buyer-limits.js";
import { UsageError } from "./usage.js";

type Env = Record<string, string | undefined>;

/** A change takes milliseconds, and so long only if its process died. */
const LOCK_MS = 10_000;
const STEP_MS = 20;

/** Undefined where the environment names no folder. */
export function spendingFile({ COINSLOT_SPENDING, XDG_STATE_HOME, HOME, LOCALAPPDATA }: Env): string | undefined {
  if (COINSLOT_SPENDING) return COINSLOT_SPENDING;
  const folder = XDG_STATE_HOME || (HOME && join(HOME, ".local", "state")) || LOCALAPPDATA;
  return folder ? join(folder, "coinslot", "spending.json") : undefined;
}

/** One command changes it at a time, by a lock beside it; a new file takes the old one's place at once. */
export function fileBook(file: string): SpendingBook {
  return {
    async change(edit) {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const leave = await lock(`${file}.lock`);
      try {
        const record = await readRecord(file);
        const before = JSON.stringify(record);
        const result = edit(record);
        const after = JSON.stringify(record);
        if (after !== before) await replace(file, after);
        return result;
      } finally {
        await leave();
      }
    },
  };
}

async function readRecord(file: string): Promise<SpendingRecord> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return emptyRecord();
  try {
    const { day, sums, pins } = JSON.parse(text) as SpendingRecord;
    if (typeof day === "string" && isObject(sums) && isObject(pins)) return { day, sums, pins };
  } catch {
    // Refused below: limits that cannot be read are not taken for none.
  }
  throw new UsageError(
    `${file} cannot be read: mend or remove it. It has what was spent today, and whom sellers want paid.`,
  );
}

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

async function replace(file: string, text: string): Promise<void> {
  const next = `${file}.${randomUUID()}`;
  await writeFile(next, text, { mode: 0o600 });
  await rename(next, file);
}

/** Waits for its turn; the lock of a process that died is taken over. */
async function lock(path: string): Promise<() => Promise<void>> {
  const own = randomUUID();
  let seen: string | undefined;
  for (let waited = 0; ; waited += STEP_MS) {
    const handle = await open(path, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return undefined;
      throw error;
    });
    if (handle) {
      await handle.writeFile(own);
      await handle.close();
      return () => rm(path, { force: true });
    }
    const holder = await readFile(path, "utf8").catch(() => undefined);
    if (holder !== seen) [seen, waited] = [holder, 0];
    if (waited >= LOCK_MS) await takeAway(path, seen);
    await sleep(STEP_MS);
  }
}

/** Moved first and looked at then, so that a lock that somebody else has taken meanwhile is given back. */
async function takeAway(path: string, dead: string | undefined): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(() => {});
  const moved = await readFile(aside, "utf8").catch(() => undefined);
  if (moved !== undefined && moved !== dead) await rename(aside, path).catch(() => {});
  await rm(aside, { force: true });
}
