/** Shapes of results: the value that `run` returns, and the value that callers get. */
import { z } from "zod";
import { once } from "../lib/lazy.js";
import { marksOf, type Reads } from "./usage.js";

/** Where a result comes from: part of every normalized result, and of the directory. */
export interface Source {
  provider: string;
  url: string;
  license: string;
  /** The line that the licence requires beside the data. */
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

/** Result of a normalized capability: the `data` object of its answer. */
export interface Normalized<Item, Meta = Record<string, unknown>> {
  ok: true;
  items: Item[];
  /** Number of matching rows upstream; null if unknown; 1 for a single document. */
  total: number | null;
  source: Source;
  meta?: Meta;
}

/** Result of a capability that answers with a file. */
export interface BinaryResult {
  contentType: string;
  body: Uint8Array | string;
  headers?: Record<string, string>;
}

/** A result's shape: `run` returns a `Raw`, and `finish` turns it into the result that `schema` describes. */
export interface OutputKind<Raw, Result> {
  shape: "normalized" | "legacy";
  schema(): z.ZodType<Result>;
  finish(raw: Raw, source: Source, reads?: Pick<Reads, "staleMs" | "leftOut">): Result;
  /** Media types, if the answer is not JSON. */
  contentTypes?: string[];
  /** Schema of the answer if it is JSON after all. */
  json?(): z.ZodType;
}

/** A schema, or a function that makes it on first use: discovery needs the schema, a call does not. */
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

/**
 * Output of a list: `run` returns `{ items, total, meta? }`; the result gains `ok` and `source`.
 *
 * @example
 * ```ts
 * output: rows(() => z.object({ date: z.string(), level: z.number().nullable() }));
 * ```
 */
export function rows<Item>(item: SchemaOrMaker<Item>): OutputKind<Rows<Item>, Normalized<Item>> {
  return {
    shape: "normalized",
    schema: once(() => normalizedSchema(resolve(item))),
    finish: ({ items, total, meta, source: own }, source) => ({
      ok: true,
      items,
      total,
      source: own ?? source,
      ...(meta && Object.keys(meta).length > 0 && { meta }),
    }),
  };
}

/**
 * Output of a single document, total 1: `run` returns `{ item, meta? }`.
 *
 * @example
 * ```ts
 * output: one(() => z.object({ symbol: z.string(), name: z.string().nullable() }));
 * ```
 */
export function one<Item>(item: SchemaOrMaker<Item>): OutputKind<One<Item>, Normalized<Item>> {
  const { shape, schema, finish } = rows(item);
  return { shape, schema, finish: ({ item, ...rest }, source) => finish({ items: [item], total: 1, ...rest }, source) };
}

/**
 * Output without an envelope: callers get the object that `run` returns.
 *
 * @example
 * ```ts
 * output: legacy(() => z.object({ temperature: z.number() }));
 * ```
 */
export function legacy<Result>(schema: SchemaOrMaker<Result>): OutputKind<Result, Result> {
  return { shape: "legacy", schema: once(() => resolve(schema)), finish: (raw) => raw };
}

/**
 * Output without an envelope, of what upstreams answered: beside the object that `run` returns stands how old an outdated
 * answer is, and how many records of a list were left out.
 */
export function legacyRead<Shape extends z.ZodRawShape>(make: () => z.ZodObject<Shape>) {
  type Raw = z.output<z.ZodObject<Shape>>;
  // Without a name of their own, which the declarations of every such capability would have to import.
  type Result = Raw & { staleSeconds?: number | undefined; leftOut?: number | undefined };
  const schema = once(() =>
    make().extend({
      staleSeconds: z.int().optional().describe("Age of an outdated answer that replaced a failed upstream"),
      leftOut: z.int().optional().describe("Upstream records that lack what tells them from others"),
    }),
  );
  const kind: OutputKind<Raw, Result> = {
    shape: "legacy",
    schema: schema as unknown as () => z.ZodType<Result>,
    finish: (raw, _, reads = {}) => ({ ...(raw as Result), ...marksOf(reads) }),
  };
  return kind;
}

/** A file of type application/json, which some inputs answer. */
interface JsonFile {
  json: () => z.ZodType;
}

/**
 * Output of a file of one of these media types, the usual one first; some inputs may answer JSON, if its schema is listed.
 * `run` returns `{ contentType, body, headers? }`.
 *
 * @example
 * ```ts
 * output: binary("image/png", "image/svg+xml", { json: () => z.object({ dataUrl: z.string() }) });
 * ```
 */
export function binary(...types: (string | JsonFile)[]): OutputKind<BinaryResult, BinaryResult> {
  const contentTypes = types.map((type) => (typeof type === "string" ? type : "application/json"));
  const json = types.find((type) => typeof type === "object")?.json;
  const make = () =>
    z.object({
      contentType: z.string(),
      body: z.union([z.instanceof(Uint8Array), z.string()]),
      headers: z.record(z.string(), z.string()).optional(),
    });
  return {
    shape: "legacy",
    schema: once(make),
    finish: (raw) => raw,
    contentTypes,
    ...(json ? { json: once(json) } : {}),
  };
}
