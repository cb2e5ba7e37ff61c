/** The samples of all kinds of state in a trial, for operations that read or change several. */
import { putFile } from "./blobs/sample.js";
import { putDocuments } from "./docs/sample.js";
import { putValues } from "./kv/sample.js";
import { putMessages } from "./queues/sample.js";
import { putSchedule } from "./schedules/sample.js";
import { putTopic } from "./topics/sample.js";
import { putVectors } from "./vectors/sample.js";
import { putLock } from "./wallet/lock-rows.js";
import type { PutSample, ReadScope } from "./wallet/scope.js";
import { putWatcher } from "./watchers/sample.js";

/** A schedule, a watcher and a topic, each with a callback. */
export const CALLBACK_SAMPLES: readonly PutSample[] = [putSchedule, putWatcher, putTopic];

const SAMPLES = {
  kv: [putValues],
  locks: [putLock],
  queue: [putMessages],
  blobs: [putFile],
  docs: [putDocuments],
  vectors: [putVectors],
  callbacks: CALLBACK_SAMPLES,
} satisfies Record<string, readonly PutSample[]>;

export type SampleKind = keyof typeof SAMPLES;

/** In a trial: writes the samples of one kind, or of all. */
export async function putSamples({ sample }: ReadScope, kinds = Object.keys(SAMPLES) as SampleKind[]): Promise<void> {
  if (sample) for (const put of kinds.flatMap((kind): readonly PutSample[] => SAMPLES[kind])) await sample(put);
}
