/** The rows of documents. `body` holds the document and its meta as they came; the other columns are what is asked. */
import { z } from "zod";
import { rowsOf } from "./database.js";
import type { WriteOptions } from "./fields.js";
import { epoch, FADING, lifeOf, sizeOf, time } from "./objects.js";
import { type Account, at, type View } from "./view.js";

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

export const COLUMNS = `id, bytes, version::float8 as version, ${epoch("expires_at")} as "expiresAt"`;
export const headRow = z.object({ id: z.string(), bytes: z.int(), version: z.number(), expiresAt: time() });
export type Head = z.infer<typeof headRow>;
/** Body and meta of the column `body`. */
export const contents = z.string().transform((json): Doc => JSON.parse(json));

const foundRow = headRow.extend({ contents, fading: z.boolean() });

export async function findDoc(view: View, { ns, id }: DocName) {
  const text = `select ${COLUMNS}, body as contents, ${FADING}
    from @docs where wallet = $1 and ns = $3 and id = $4 and expires_at > ${at(2)}`;
  return (await rowsOf(view, foundRow, text, [view.wallet, view.now, ns, id]))[0];
}

export const sizeOfDoc = ({ ns, id }: DocName, { body, meta }: Doc): number =>
  sizeOf(ns, id, JSON.stringify(body), JSON.stringify(meta));

/** Beyond it nothing is found by its words: a list of words has its bounds. */
const MAX_INDEXED = 131_072;

/** Every text in a document, its body's first. */
function textsOf({ body, meta }: Doc): string {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  collect(body);
  collect(meta);
  // A pair of surrogates that the end cuts in two is no text.
  return texts
    .join("\n")
    .slice(0, MAX_INDEXED)
    .replace(/\p{Cs}$/u, "");
}

export async function writeDoc(account: Account, doc: PutDoc, bytesBefore: number): Promise<Head> {
  const { ns, id, body, meta, ttlSeconds } = doc;
  const bytes = sizeOfDoc(doc, doc);
  account.grow(bytes - bytesBefore);
  const { rolling, expiresAt } = lifeOf(account, ttlSeconds);
  // A document that is one text is found by its words, and has nothing to compare.
  const document = typeof body === "string" ? null : JSON.stringify(body);
  const text = `insert into @docs
      (wallet, ns, id, body, document, meta, words, bytes, version, rolling, expires_at, updated_at)
    values ($1, $2, $3, $4, $5::text::jsonb, $6::text::jsonb, to_tsvector('simple', $7::text), $8::int,
      nextval('@versions'), $9::boolean, $10, $11)
    on conflict (wallet, ns, id) do update set body = excluded.body, document = excluded.document,
      meta = excluded.meta, words = excluded.words, bytes = excluded.bytes, version = excluded.version,
      rolling = excluded.rolling, expires_at = excluded.expires_at, updated_at = excluded.updated_at
    returning ${COLUMNS}`;
  const [row] = await rowsOf(account, headRow, text, [
    ...[account.wallet, ns, id, JSON.stringify({ body, meta }), document, JSON.stringify(meta)],
    ...[textsOf(doc), bytes, rolling, expiresAt, account.now],
  ]);
  if (!row) throw new Error("a document was written, and no row came back");
  return row;
}
