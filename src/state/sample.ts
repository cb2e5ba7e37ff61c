/** Sample data of a trial: each kind of state has a little, under the names that the examples of its operations use. */
import type { SampleKind, WriteScope } from "./scope.js";

type PutSample = (scope: WriteScope) => Promise<void>;

const SAMPLES: Record<SampleKind, () => Promise<PutSample>> = {
  kv: () => import("./kv/sample.js").then(({ putValues }) => putValues),
  locks: () => import("./locks/sample.js").then(({ putLock }) => putLock),
  queue: () => import("./queues/sample.js").then(({ putMessages }) => putMessages),
  blobs: () => import("./blobs/sample.js").then(({ putFile }) => putFile),
  docs: () => import("./docs/sample.js").then(({ putDocuments }) => putDocuments),
  vectors: () => import("./vectors/sample.js").then(({ putVectors }) => putVectors),
  callbacks: () => import("./webhooks/sample.js").then(({ putCallbacks }) => putCallbacks),
};

/**
 * The scope of a trial. An operation asks for the samples that it needs, so that a trial runs no statement for others;
 * everything is rolled back. Rows of a kind leave together, because all others wait for the end of the transaction.
 */
export function withSamples(scope: WriteScope): WriteScope & Required<Pick<WriteScope, "sample">> {
  const begun = new Map<SampleKind, Promise<void>>();
  return {
    ...scope,
    sample(kind) {
      const put = begun.get(kind) ?? SAMPLES[kind]().then((putSample) => putSample(scope));
      begun.set(kind, put);
      return put;
    },
  };
}
