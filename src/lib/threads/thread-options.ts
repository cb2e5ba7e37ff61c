import type { ResourceLimits, WorkerOptions } from "node:worker_threads";

/** Switches of Node that contain a program text, which threads refuse because they have their own file. */
const OF_THE_PROGRAM = /^(?:--input-type|-e|--eval|-p|-pe|--print)(=|$)/;

export interface ThreadOptions {
  /** Switches of the process. Default: those that it was started with. */
  switches?: readonly string[];
  /** Memory of the thread: it ends when it needs more. Default: that of the process. */
  resourceLimits?: ResourceLimits;
}

/** Options of a thread, also in a process that was started with a program text: the other switches. */
export function threadOptions({ switches = process.execArgv, resourceLimits }: ThreadOptions = {}): WorkerOptions {
  const limits = resourceLimits ? { resourceLimits } : {};
  if (!switches?.some((one) => OF_THE_PROGRAM.test(one))) return limits;
  const execArgv: string[] = [];
  for (let i = 0; i < switches.length; i++) {
    const one = switches[i] ?? "";
    const found = OF_THE_PROGRAM.exec(one);
    if (!found) execArgv.push(one);
    // The switch's value follows, unless it is another switch.
    else if (found[1] === "" && !switches[i + 1]?.startsWith("-")) i++;
  }
  return { ...limits, execArgv };
}
