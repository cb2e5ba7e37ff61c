/** The shapes of results: what `run` returns and what callers get. */
import { z } from "zod";
import { once } from "../lib/lazy.js";

/** Where a result comes from: part of every normalized result, and of the directory. */
export interface Source {
  provider: string;
  url: string;
  license: string;
  /** The line to show beside the data, where the licence demands one. */
  attribution?: string;
}

/** The schema of `Source`. */
export const sourceSchema = () =>
  z.object({
    provider: z.string(),
    url: z.string(),
    license: z.string(),
    attribution: z.string().optional(),
  }) as z.ZodType<Source>;

/** The spec's `data` object: what a normalized capability resolves to. */
export interface Normalized<Item, Meta = Record<string, unknown>> {
  ok: true;
  items: Item[];
  /** Matching rows upstream; null when unknown; 1 for single-document results. */
  total: number | null;
  source: Source;
  meta?: Meta;
}

/** What a capability with a file as its answer resolves to. */
export interface BinaryResult {
  contentType: string;
  body: Uint8Array | string;
  headers?: Record<string, string>;
}

/** `run` returns a `Raw`; `finish` makes it the result that callers see and that `schema` describes. */
export interface OutputKind<Raw, Result> {
  shape: "normalized" | "legacy";
  schema(): z.ZodType<Result>;
  finish(raw: Raw, source: Source): Result;
  /** Media types of an answer that is not JSON. */
  contentTypes?: string[];
}

/** A schema, or a function that makes it when it is first needed: discovery needs it, a call does not. */
export type SchemaOrMaker<T> = z.ZodType<T> | (() => z.ZodType<T>);

const resolve = <T>(schema: SchemaOrMaker<T>): z.ZodType<T> => (typeof schema === "function" ? schema() : schema);

type Rows<Item> = { items: Item[]; total: number | null; meta?: Record<string, unknown>; source?: Source };
type One<Item> = { item: Item; meta?: Record<string, unknown>; source?: Source };

function normalizedSchema<Item>(item: z.ZodType<Item>): z.ZodType<Normalized<Item>> {
  return z.object({
    ok: z.literal(true),
    items: z.array(item),
    total: z.number().int().nullable(),
    source: sourceSchema(),
    meta: z.record(z.string(), z.unknown()).optional(),
  });
}

/** A list of rows: `run` returns `{ items, total, meta? }`. */
export function rows<Item>(item: SchemaOrMaker<Item>): OutputKind<Rows<Item>, Normalized<Item>> {
  return {
    shape: "normalized",
    schema: once(() => normalizedSchema(resolve(item))),
    finish: ({ items, total, meta, source: own }, source) => ({
      ok: true,
      items,
      total,
      source: own ?? source,
      ...(meta && Object.keys(meta).length > 0 ? { meta } : {}),
    }),
  };
}

/** A single document, total 1: `run` returns `{ item, meta? }`. */
export function one<Item>(item: SchemaOrMaker<Item>): OutputKind<One<Item>, Normalized<Item>> {
  const { shape, schema, finish } = rows(item);
  return { shape, schema, finish: ({ item, ...rest }, source) => finish({ items: [item], total: 1, ...rest }, source) };
}

/** The endpoint's own payload, without an envelope. */
export function legacy<Result>(schema: SchemaOrMaker<Result>): OutputKind<Result, Result> {
  return { shape: "legacy", schema: once(() => resolve(schema)), finish: (raw) => raw };
}

/** A file of one of `contentTypes`, which may be JSON for some inputs: `run` returns its type, bytes and headers. */
export function binary(...contentTypes: string[]): OutputKind<BinaryResult, BinaryResult> {
  const make = () =>
    z.object({
      contentType: z.string(),
      body: z.union([z.instanceof(Uint8Array), z.string()]),
      headers: z.record(z.string(), z.string()).optional(),
    });
  return { shape: "legacy", schema: once(make), finish: (raw) => raw, contentTypes };
}
