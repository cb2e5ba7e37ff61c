/** Entries of the audit log, each with the hash of the one before it. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { once } from "../lib/lazy.js";

/** An act of a person or a key. Entries are never changed; each names the hash of the one before it. */
export interface AuditEntry {
  /** Its number in the log, as text. */
  id: string;
  /** ISO 8601. */
  at: string;
  /** The name that `handle.as` was given, the id of a key, or `host`. */
  by: string;
  /** The act, by the name of its method: `setPrice`, `accounts.freeze`. */
  what: string;
  /** The object of the act: an endpoint, an account, a key, a request or a transaction. */
  of?: string;
  /** Further facts that were asked for. */
  asked?: object;
  /** The state that the act found and left, where it changed something that has one. */
  before?: object;
  after?: object;
  /** `failed`: refused, with nothing changed. `unknown`: its process ended before it was known. */
  outcome: "done" | "failed" | "unknown";
  /** Of a failed act: the code of its error, or its kind. */
  error?: string;
  /** Names the act; an act that was `unknown` may be told again once it is known. */
  act: string;
  /** SHA-256 of the entry before it, in hexadecimal; of the first one 64 zeros. */
  previous: string;
  /** SHA-256 of the JSON of this entry without `hash`. */
  hash: string;
  /** True if `previous` is not the hash of the entry before it: that one was changed since, or one is missing. */
  broken?: true;
}

/** A part of the log: each moment as a Date or in ISO 8601; a day alone means all of it. Default: everything. */
export interface AuditQuery {
  from?: string | Date;
  to?: string | Date;
}

export type Act = Pick<AuditEntry, "by" | "what" | "of" | "asked">;

/** The outcome of an act. */
export type Ending = Pick<AuditEntry, "outcome"> & Partial<Pick<AuditEntry, "before" | "after" | "error">>;

export const FIRST = "0".repeat(64);

const written = once(() => z.looseObject({ id: z.string(), at: z.string(), act: z.string(), previous: z.string() }));

export const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The text of an entry, which is stored and hashed. */
export function textOf(entry: Omit<AuditEntry, "hash" | "broken">): string {
  const { id, at, by, what, of, asked, before, after, outcome, error, act, previous } = entry;
  return JSON.stringify({ id, at, by, what, of, asked, before, after, outcome, error, act, previous });
}

/** Throws for a text that is none. */
export function readEntry(text: string): AuditEntry {
  const entry: unknown = JSON.parse(text);
  written().parse(entry);
  return { ...(entry as AuditEntry), hash: sha256Of(text) };
}

const MOST_TEXT = 500;
const MOST_CHARACTERS = 16_000;

/** Facts as an entry has them: short, whatever was asked for. Amounts of a calculation are told as text. */
export function bounded(facts: object | undefined): object | undefined {
  if (facts === undefined) return undefined;
  const text = JSON.stringify(facts, (_, value: unknown) => {
    if (typeof value === "bigint") return value.toString();
    return typeof value === "string" && value.length > MOST_TEXT ? `${value.slice(0, MOST_TEXT)}…` : value;
  });
  if (text.length > MOST_CHARACTERS) return { tooLong: text.length, sha256: sha256Of(text) };
  const kept = JSON.parse(text) as object;
  return Object.keys(kept).length === 0 ? undefined : kept;
}
