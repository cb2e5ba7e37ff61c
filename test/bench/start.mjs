/** New processes, timed as a whole: from their start to their end. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const RUNS = 15;
const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Processor time of a process with these arguments to Node: it does not run while others have the processor. */
async function startMs(args) {
  // The shell is told by the system to the millisecond. What the process itself prints is of no interest.
  const command = 'TIMEFORMAT="%3U %3S"; time "$@" > /dev/null 2>&1';
  const { stderr } = await execute("bash", ["-c", command, "bash", process.execPath, ...args], { cwd: root });
  const [user, system] = stderr.trim().split(" ").map(Number);
  return 1000 * (user + system);
}

/**
 * Programs in turns, each the arguments to Node. Resolves to the processor time of each in milliseconds, the least of all
 * runs: whatever else the machine does only ever adds.
 */
export async function raceStarts(programs) {
  const runs = programs.map(() => []);
  for (const args of programs) await startMs(args); // The files are in the system's cache from here on.
  for (let i = 0; i < RUNS; i++) for (const [at, args] of programs.entries()) runs[at].push(await startMs(args));
  return runs.map((times) => Math.min(...times));
}
