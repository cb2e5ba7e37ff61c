/** The record of a job while this process works on it. Its writes come one after the other. */
import type { Host } from "../../host/host.js";
import { retry } from "../../lib/retry.js";
import { WHILE_SILENT } from "../../stores/fail-closed.js";
import { createLeaseOwner, type LeaseOwner } from "../../stores/owner.js";
import { DUE_MS, type FoundJob, type JobRecord, readJob, writeJob } from "./record.js";

/** Each write puts off when another process looks, and shows whether the job was cancelled elsewhere. */
const BEAT_MS = 3000;

interface JobsOfHost {
  owner: LeaseOwner;
  /** Jobs that run in this process, by their id; each looks at its record when it is told to. */
  running: Map<string, () => void>;
  /** Jobs of other processes that this one goes on with. */
  repeated: number;
  /** Calls to callers under way. */
  calling: number;
}

const known = /* @__PURE__ */ new WeakMap<Host, JobsOfHost>();

export function jobsOf(host: Host): JobsOfHost {
  const found = known.get(host) ?? {
    owner: createLeaseOwner(host.store, host.now),
    running: new Map(),
    repeated: 0,
    calling: 0,
  };
  known.set(host, found);
  return found;
}

export interface HeldJob {
  readonly id: string;
  readonly record: JobRecord;
  /** True once another process has it, or it was cancelled: nothing is written any more. */
  readonly isLost: boolean;
  /** False if the job is lost. `edit` may run more than once. */
  change(edit: (record: JobRecord) => JobRecord, dueAt?: number): Promise<boolean>;
  /** Written with the next sign of life. */
  note(progress: number): void;
  /** Ends the writes between, and the lease. */
  leave(): void;
}

/** `seen` is told after each write, and when the job is lost. */
export function holdJob(host: Host, id: string, first: FoundJob, seen: (record: JobRecord) => void): HeldJob {
  const { owner, running } = jobsOf(host);
  let { record, version } = first;
  let isLost = false;
  let line: Promise<unknown> = Promise.resolve();

  async function write(edit: (record: JobRecord) => JobRecord, dueAt: number | undefined): Promise<boolean> {
    while (!isLost) {
      const next = edit(record);
      // guard: jobs: a holder that was overtaken, or whose job was cancelled, writes nothing |
      //   { record: next, version } -> { record: next, version: (await readJob(host, id))?.version ?? 0 } | job-crashes
      const at = await writeJob(host, id, { record: next, version }, dueAt);
      if (at !== undefined) {
        record = next;
        version = at;
        return true;
      }
      const found = await readJob(host, id);
      isLost = !found || found.record.owner !== first.record.owner || found.record.end !== undefined;
      if (found) ({ record, version } = found);
      seen(record);
    }
    return false;
  }

  const change: HeldJob["change"] = (edit, dueAt) => {
    const done = line.then(() => retry(() => write(edit, dueAt), WHILE_SILENT));
    line = done.catch(() => {});
    return done;
  };
  let progress = record.progress;
  const beat = () =>
    void change((same) => ({ ...same, ...(progress === undefined ? {} : { progress }) }), host.now() + DUE_MS).catch(
      () => {},
    );
  const timer = setInterval(beat, BEAT_MS).unref();
  running.set(id, beat);

  return {
    id,
    get record() {
      return record;
    },
    get isLost() {
      return isLost;
    },
    change,
    note(part) {
      progress = part;
    },
    leave() {
      clearInterval(timer);
      if (running.get(id) === beat) running.delete(id);
      owner.end(first.record);
    },
  };
}
