import { existsSync, readFileSync } from "node:fs";

/** Time that this thread had a processor, where the system tells: on a busy machine a turn lasts longer than it works. */
const TIMES = "/proc/thread-self/schedstat";
const now = existsSync(TIMES)
  ? () => Number(readFileSync(TIMES, "latin1").split(" ")[0]) / 1e6
  : () => performance.now();

/** The longest time for which the loop stands still while work is done. */
export async function longestTurn<T>(work: () => Promise<T>): Promise<{ ms: number; result: T | undefined }> {
  let [ms, last, isOver] = [0, now(), false];
  const turn = () => {
    const at = now();
    ms = Math.max(ms, at - last);
    last = at;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const result = await work().catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  return { ms, result };
}
