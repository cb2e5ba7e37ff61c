/** The access of an operation to its wallet's data. */
import type { Queryable } from "./database/database.js";

/** Scope of a read: `now` is null if the database's own clock is used. See `nowParam`. */
export interface ReadScope extends Queryable {
  readonly wallet: string;
  readonly now: Date | null;
  /** Whether the database has pgvector. */
  readonly vectors: boolean;
  /** Quota of the wallet in bytes. */
  readonly maxBytes: number;
}

/** Scope of a change: the wallet's row is locked, so that its changes run one after another. */
export interface WriteScope extends ReadScope {
  /** The database's clock after the lock was acquired, or the host's own. */
  readonly now: Date;
  /** Counts added bytes, or released ones if negative. Exceeding the quota refuses the whole change. */
  grow(bytes: number): void;
}

/** Scope of a change whose first statement leaves together with the lock, before the time of the lock is known. */
export interface EagerScope extends ReadScope {
  grow(bytes: number): void;
  /** The scope with that time. */
  readonly full: Promise<WriteScope>;
}

/** The time in a statement whose `$n` is a scope's `now`. */
export const nowParam = (n: number): string => `coalesce($${n}::timestamptz, now())`;

/** The time in a statement of a change, whose `$n` is the scope's `now`: read after the lock, and once. */
export const clockParam = (n: number): string =>
  `(select date_trunc('milliseconds', coalesce($${n}::timestamptz, clock_timestamp())))`;

export type Change<T> = ChangeOf<T> &
  (
    | { work(scope: WriteScope): Promise<T>; eagerly?: never }
    | {
        /** The work of a change that saves a way there and back. A call that has a receipt undoes what it asked first. */
        eagerly(scope: EagerScope): Promise<T>;
      }
  );

/** Runs the work of a change behind the lock. */
export const workOf = <T>(change: Change<T>, scope: WriteScope): Promise<T> =>
  change.eagerly ? change.eagerly({ ...scope, full: Promise.resolve(scope) }) : change.work(scope);

interface ChangeOf<T> {
  /** Id of the capability: a call's name holds for one endpoint only. */
  endpoint: string;
  /** For results of any size: stores a part, and restores the result from it. */
  receipt?: {
    keep(result: T): unknown;
    restore(scope: WriteScope, kept: unknown): Promise<T>;
    /** Size limit of the stored part, as JSON. Default: 64 KB. */
    maxBytes?: number;
  };
}
