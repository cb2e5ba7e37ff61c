/** Sample data of a trial: each kind of state hands in a little, under the names that the examples of its operations use. */
import type { PutSample, WriteScope } from "./scope.js";

/**
 * The scope of a trial. An operation asks for the samples that it needs, so that a trial runs no statement for others;
 * everything is rolled back. Rows of a kind leave together, because all others wait for the end of the transaction.
 */
export function withSamples(scope: WriteScope): WriteScope & Required<Pick<WriteScope, "sample">> {
  const begun = new Map<PutSample, Promise<void>>();
  return {
    ...scope,
    sample(put) {
      const done = begun.get(put) ?? put(scope);
      begun.set(put, done);
      return done;
    },
  };
}
