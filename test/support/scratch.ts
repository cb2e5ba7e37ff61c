/** Where databases of the tests are: in memory where there is room, since on a disk each costs a thousand new files. */
import { readdirSync, statfsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const NEEDED_BYTES = 4 * 2 ** 30;

/** A folder of this run; what a run that was killed has left goes first. */
export async function openScratch(): Promise<{ path: string; remove(): Promise<void> }> {
  const parent = hasRoom() ? MEMORY : tmpdir();
  // Another user's stays.
  for (const name of readdirSync(parent).filter(isLeft))
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
  const path = await mkdtemp(join(parent, `coinslot-run-${process.pid}-`));
  // Postgres runs as a user of its own, who passes through.
  await chmod(path, 0o711);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/** A container has 64 MB there, unless it was asked for more. */
function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

function isLeft(name: string): boolean {
  const [, pid] = /^coinslot-run-(\d+)-/.exec(name) ?? [];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
