/** Work that is done one at a time: callers take turns, so that whoever brings a lot waits for itself. */
export interface FairLine {
  /** Does a caller's work when its turn comes. */
  add<T>(caller: string, work: () => Promise<T>): Promise<T>;
}

export function createFairLine(): FairLine {
  /** Of those who wait, the one who is next stands first. */
  const waiting = new Map<string, (() => Promise<unknown>)[]>();
  let isBusy = false;

  async function serve(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (let [next] = waiting; next; [next] = waiting) {
      const [caller, [work, ...rest]] = next;
      // Behind all others who wait.
      waiting.delete(caller);
      if (rest.length > 0) waiting.set(caller, rest);
      await work?.();
    }
    isBusy = false;
  }

  return {
    add: (caller, work) =>
      new Promise((resolve, reject) => {
        waiting.set(caller, [...(waiting.get(caller) ?? []), () => work().then(resolve, reject)]);
        void serve();
      }),
  };
}
