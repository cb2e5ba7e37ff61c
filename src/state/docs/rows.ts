/** Rows of documents. `body` holds the document and its meta as given; the other columns are for searching. */
import { z } from "zod";
import { rowsOf } from "../database/database.js";
import type { WriteOptions } from "../wallet/fields.js";
import { bytesBefore, EXPIRES_SOON, epoch, lifeOf, objectSize, timeText } from "../wallet/objects.js";
import { nowParam, type ReadScope, type WriteScope } from "../wallet/scope.js";
import { MAX_INDEXED_CHARACTERS, vectorOf } from "./search-index.js";

export interface DocName {
  ns: string;
  id: string;
}

type Members = Record<string, unknown>;

export interface Doc {
  /** A text, or a JSON object. */
  body: unknown;
  meta: Members;
}

export type PutDoc = DocName & Doc & WriteOptions;

export const DOC_COLUMNS = `id, bytes, version::float8 as version, ${epoch("expires_at")} as "expiresAt"`;
export const docHeadRow = z.object({ id: z.string(), bytes: z.int(), version: z.number(), expiresAt: timeText() });
export type DocHead = z.infer<typeof docHeadRow>;
/** Body and meta in the column `body`. */
export const contents = z.string().transform((json): Doc => JSON.parse(json));

const foundRow = docHeadRow.extend({ contents, fading: z.boolean() });

export async function findDoc(scope: ReadScope, { ns, id }: DocName) {
  const text = `select ${DOC_COLUMNS}, body as contents, ${EXPIRES_SOON}
    from @docs where wallet = $1 and ns = $3 and id = $4 and expires_at > ${nowParam(2)}`;
  return (await rowsOf(scope, foundRow, text, [scope.wallet, scope.now, ns, id]))[0];
}

export const sizeOfDoc = ({ ns, id }: DocName, { body, meta }: Doc): number =>
  objectSize(ns, id, JSON.stringify(body), JSON.stringify(meta));

/** All texts of a document, the body's first, up to the search limit. */
function textOf({ body, meta }: Doc): string {
  const texts: string[] = [];
  let length = 0;
  const collect = (value: unknown): void => {
    if (length > MAX_INDEXED_CHARACTERS) return;
    if (typeof value === "string") length += texts.push(value) && value.length + 1;
    else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) collect(inner);
  };
  collect(body);
  collect(meta);
  return texts.join("\n");
}

const writtenRow = docHeadRow.extend({ before: z.int() });

/** The words of a document. Computed before its transaction begins, because it takes time. */
export const wordsOf = (doc: Doc): Promise<string> => vectorOf(textOf(doc));

export async function writeDoc(scope: WriteScope, doc: PutDoc, words: string): Promise<DocHead> {
  const { ns, id, body, meta, ttlSeconds } = doc;
  const bytes = sizeOfDoc(doc, doc);
  const { rolling, expiresAt } = lifeOf(scope, ttlSeconds);
  // A document that is only a text has words, but no fields to compare.
  const document = typeof body === "string" ? null : JSON.stringify(body);
  const text = `insert into @docs
      (wallet, ns, id, body, document, meta, words, bytes, version, worded, rolling, expires_at, updated_at)
    select $1, $2, $3, $4, $5::text::jsonb, $6::text::jsonb, $7::text::tsvector, $8::int,
      version, version, $9::boolean, $10::timestamptz, $11::timestamptz from (select nextval('@versions') as version) as next
    on conflict (wallet, ns, id) do update set body = excluded.body, document = excluded.document,
      meta = excluded.meta, words = excluded.words, bytes = excluded.bytes, version = excluded.version,
      worded = excluded.worded, rolling = excluded.rolling, expires_at = excluded.expires_at, updated_at = excluded.updated_at
    returning ${DOC_COLUMNS}, ${bytesBefore("docs")}`;
  const [row] = await rowsOf(scope, writtenRow, text, [
    scope.wallet,
    ns,
    id,
    JSON.stringify({ body, meta }),
    document,
    JSON.stringify(meta),
    words,
    bytes,
    rolling,
    expiresAt,
    scope.now,
  ]);
  if (!row) throw new Error("a document was written, and no row came back");
  const { before, ...head } = row;
  scope.grow(bytes - before);
  return head;
}
