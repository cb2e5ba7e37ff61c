/** The access of an operation to its wallet's data. */
import type { Queryable } from "../database/database.js";

/** Scope of a read: `now` is null if the database's own clock is used. See `nowParam`. */
export interface ReadScope extends Queryable {
  readonly wallet: string;
  readonly now: Date | null;
  /** Whether the database has pgvector. */
  readonly vectors: boolean;
  /** Quota of the wallet in bytes. */
  readonly maxBytes: number;
  /** Of a trial alone: writes sample data, once; called before the first statement that needs them. */
  readonly sample?: (put: PutSample) => Promise<void>;
}

/** Scope of a change: the wallet's row is locked, so that its changes run one after another. */
export interface WriteScope extends ReadScope {
  /** The database's clock after the lock was acquired, or the host's own. */
  readonly now: Date;
  /** Counts added bytes, or released ones if negative. Exceeding the quota refuses the whole change. */
  grow(bytes: number): void;
}

/** Writes what a trial finds of one kind of state. */
export type PutSample = (scope: WriteScope) => Promise<void>;

/** The time in a statement whose `$n` is a scope's `now`. */
export const nowParam = (n: number): string => `coalesce($${n}::timestamptz, now())`;

/**
 * Common table expressions, the last of which is `done`: one row of `grown`, the bytes that the wallet grows by, of
 * `facts`, the JSON that the receipt keeps in plain text, and of `more`, a JSON that it does not keep, or null. Without
 * a row in `opened` they change nothing and `done` has none; nor has it one for a change that must be refused.
 * `opened` has the time as `now`, and as `room` the free bytes of the wallet, null if they are counted later.
 */
export interface ChangeStatement {
  text: string;
  /** `$1` is the wallet and `$2` the time; these follow. */
  values: unknown[];
}

export interface AtOnce<T> {
  /** Undefined if this change takes several statements. */
  statement(scope: ReadScope): ChangeStatement | undefined;
  /**
   * The result, also from a receipt, which has the facts alone. Undefined if it cannot be told from them: then
   * `undo` takes the change back, and the work is done instead.
   */
  result(scope: ReadScope, facts: unknown, more?: unknown): Promise<T | undefined> | T | undefined;
  undo?(scope: WriteScope, facts: unknown): Promise<void>;
}

export interface WalletChange<T> {
  /** Id of the capability: a call's name holds for one endpoint only. */
  endpoint: string;
  work(scope: WriteScope): Promise<T>;
  /** The same as one statement, which is tried first. */
  atOnce?: AtOnce<T>;
  /** For results of any size: stores a part, and restores the result from it. */
  receipt?: {
    keep(result: T): unknown;
    restore(scope: WriteScope, kept: unknown): Promise<T>;
    /** Size limit of the stored part, as JSON. Default: 64 KB. */
    maxBytes?: number;
  };
}
