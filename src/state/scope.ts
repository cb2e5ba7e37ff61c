/** What the code of an operation sees of a wallet. */
import type { Queryable } from "./database/database.js";

/** What a read works with: `now` is null where the database's own clock counts. See `nowParam`. */
export interface ReadScope extends Queryable {
  readonly wallet: string;
  readonly now: Date | null;
  /** Whether the database has pgvector. */
  readonly vectors: boolean;
  /** How many bytes the wallet may have in all. */
  readonly maxBytes: number;
}

/** What a change works with: its wallet's row is locked, so that a wallet's changes are in line. */
export interface WriteScope extends ReadScope {
  /** The database's clock after the lock was had, or the host's own. */
  readonly now: Date;
  /** Counts bytes that are added, or given back where there are fewer. More than fit refuse the whole change. */
  grow(bytes: number): void;
}

/** The time in a statement whose `$n` is a scope's `now`. */
export const nowParam = (n: number): string => `coalesce($${n}::timestamptz, now())`;

export interface Change<T> {
  /** The id of the capability: a call's name is good for one endpoint alone. */
  endpoint: string;
  work(scope: WriteScope): Promise<T>;
  /** For results of any size: what is kept of one, and how it is made again of that. */
  receipt?: {
    keep(result: T): unknown;
    restore(scope: WriteScope, kept: unknown): Promise<T>;
    /** Of what is kept, as JSON. Default: 64 KB. */
    maxBytes?: number;
  };
}
