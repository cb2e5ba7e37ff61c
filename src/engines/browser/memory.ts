/**
 * Memory limits of a browser. The system limits each process: a page that needs more is refused memory, or dies. The
 * sum of all processes is checked here, if the system reports it.
 */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { totalmem } from "node:os";

/**
 * Limit of one process. Chromium reserves terabytes of address space, so only writable data counts: `ulimit -d`, not
 * `-v`.
 */
const PROCESS_BYTES = 1024 ** 3;
const PER_PAGE_BYTES = 512 * 1024 ** 2;
const LOOK_MS = 250;

/** Memory of all processes of a browser with this many concurrent pages. */
export const usualMemory = (pages: number): number =>
  Math.min(Math.max(PROCESS_BYTES * 1.5, pages * PER_PAGE_BYTES), totalmem() / 2);

/** A command line that runs another within the limit, if the system has one. */
export function withinMemory(path: string, args: string[], bytes = PROCESS_BYTES): { path: string; args: string[] } {
  // guard: pages: the system holds a browser's processes to a bound | always | browser/memory
  if (process.platform !== "linux" || !existsSync(SHELL)) return { path, args };
  return { path: SHELL, args: ["-c", 'ulimit -d "$0"; exec "$@"', String(Math.floor(bytes / 1024)), path, ...args] };
}
const SHELL = "/bin/sh";

interface Process {
  pid: number;
  bytes: number;
}

/** The processes of a group, with their private and shared memory; empty if the system does not report it. */
export async function processesOf(group: number): Promise<Process[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const read = (pid: string, file: string) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
  const found = await Promise.all(
    pids.map(async (pid) => {
      const stat = await read(pid, "stat");
      // After the name, which may contain anything: state, parent, group.
      if (stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2] !== String(group)) return [];
      const status = await read(pid, "status");
      const kilobytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].map(([, count]) => Number(count));
      return [{ pid: Number(pid), bytes: 1024 * kilobytes.reduce((sum, count) => sum + count, 0) }];
    }),
  );
  return found.flat();
}

/**
 * Checks until it is stopped. Above `maxBytes` it ends the largest process, which is the page's; or the whole browser
 * if that is the largest.
 */
export function watchMemory(browser: number, maxBytes: number): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const look = async () => {
    const all = await processesOf(browser);
    const [largest] = all.toSorted((a, b) => b.bytes - a.bytes);
    // guard: pages: a page that has too much memory is ended | gone | browser/memory
    if (largest && !stopped && all.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes)
      end(largest.pid === browser ? -browser : largest.pid);
    if (!stopped) timer = setTimeout(look, LOOK_MS).unref();
  };
  void look();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}
