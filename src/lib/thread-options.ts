import type { WorkerOptions } from "node:worker_threads";

/** Switches of Node that contain a program text, which threads refuse because they have their own file. */
const OF_THE_PROGRAM = /^(?:--input-type|-e|--eval|-p|-pe|--print)(=|$)/;

/** Options of a thread in a process that was started with a program text: the other switches. */
export function threadOptions(switches: readonly string[] | undefined = process.execArgv): WorkerOptions {
  if (!switches?.some((one) => OF_THE_PROGRAM.test(one))) return {};
  const execArgv: string[] = [];
  for (let i = 0; i < switches.length; i++) {
    const one = switches[i] ?? "";
    const found = OF_THE_PROGRAM.exec(one);
    if (!found) execArgv.push(one);
    // The switch's value follows, unless it is another switch.
    else if (found[1] === "" && !switches[i + 1]?.startsWith("-")) i++;
  }
  return { execArgv };
}
