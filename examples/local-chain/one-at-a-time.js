/**
 * A queue of one: each task starts when the last one is done. Two transactions that are sent at once from an account
 * would be given the same account nonce, and one of them would be refused.
 */
export function oneAtATime() {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return /** @type {<T>(task: () => Promise<T>) => Promise<T>} */ (
    (task) => {
      const result = last.then(task);
      last = result.catch(() => {});
      return result;
    }
  );
}
