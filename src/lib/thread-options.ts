import type { WorkerOptions } from "node:worker_threads";

/** How a program came in that is no file, with its text: a thread has a file of its own, and refuses these. */
const OF_THE_PROGRAM = /^(?:--input-type|-e|--eval|-p|-pe|--print)(=|$)/;

/** What a thread is started with where the process was started with a text: its other switches. */
export function threadOptions(switches: readonly string[] | undefined = process.execArgv): WorkerOptions {
  if (!switches?.some((one) => OF_THE_PROGRAM.test(one))) return {};
  const execArgv: string[] = [];
  for (let i = 0; i < switches.length; i++) {
    const one = switches[i] ?? "";
    const found = OF_THE_PROGRAM.exec(one);
    if (!found) execArgv.push(one);
    // Its value follows, unless it is a switch itself.
    else if (found[1] === "" && !switches[i + 1]?.startsWith("-")) i++;
  }
  return { execArgv };
}
