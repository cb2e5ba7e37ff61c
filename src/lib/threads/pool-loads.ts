/** The pools of this process, for those who measure. */

export interface PoolLoad {
  name: string;
  running: number;
  waiting: number;
  /** Threads that were ended during a task, since the process began. */
  ended: number;
}

type Read = () => Pick<PoolLoad, "running" | "waiting">;

const open = new Map<Read, string>();
const ended = new Map<string, number>();

/** Returns the function that forgets the pool. */
export function notePool(name: string, read: Read): () => void {
  open.set(read, name);
  if (!ended.has(name)) ended.set(name, 0);
  return () => open.delete(read);
}

/** A thread was ended during a task. */
export const noteEnded = (name: string): void => {
  ended.set(name, (ended.get(name) ?? 0) + 1);
};

/** By name: several hosts of one process may have a pool each. */
export function poolLoads(): PoolLoad[] {
  const loads = new Map([...ended].map(([name, ends]) => [name, { name, running: 0, waiting: 0, ended: ends }]));
  for (const [read, name] of open) {
    const load = loads.get(name);
    if (!load) continue;
    const { running, waiting } = read();
    load.running += running;
    load.waiting += waiting;
  }
  return [...loads.values()];
}
