/** Files: what the operations do. */
import type { BinaryResult } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError, invalid } from "../../errors.js";
import { look, mutate } from "../account.js";
import { cursorOf, lastKey, pageOf, positionOf } from "../cursor.js";
import { rowsOf } from "../database/database.js";
import type { Name } from "../kv/rows.js";
import { type Deleted, type Refusal, refusalOf, removeObject, standing, touch } from "../objects.js";
import { assertPlace } from "../quota.js";
import { at } from "../scope.js";
import { COLUMNS, type File, fileOf, findFile, type Head, headRow, type PutFile, writeFile } from "./rows.js";

/** Rejects bytes that are not what the caller meant to send. */
export function checkedFile({ sha256, ...input }: PutFile & { sha256?: string | undefined }): File {
  const file = fileOf(input);
  if (sha256 !== undefined && sha256.toLowerCase() !== file.sha256)
    throw invalid("sha256", `is not that of the data, which is ${file.sha256}`);
  return file;
}

/** Refuses, before money moves, what has no room. */
export const prepareToPut = (ctx: Context, { ns, key, bytes }: File): Promise<void> =>
  look(ctx, (view) => assertPlace(view, "blobs", [ns, key], bytes));

type Stored = { key: string; stored: boolean } & Partial<Omit<Head, "key">> & Partial<Refusal>;

export const put = (ctx: Context, file: File): Promise<Stored> =>
  mutate(ctx, {
    endpoint: "store.blob-put",
    async work(account) {
      const { ns, key } = file;
      const before = await standing(account, "blobs", [ns, key]);
      const refused = await refusalOf(account, before.version, file);
      if (refused) return { key, ...refused };
      return { stored: true, ...(await writeFile(account, file, before.bytes)) };
    },
  });

/** Rejects with NOT_FOUND. Prolongs the life of what lives by being read. */
export const get = (ctx: Context, { ns, key }: Name): Promise<BinaryResult> =>
  look(ctx, async (view) => {
    const found = await findFile(view, { ns, key });
    if (!found) throw new CapabilityError("NOT_FOUND", "No file is kept under this key.");
    if (found.fading) await touch(view, "blobs", "ns = $3 and key = $4", [ns, key]);
    return { contentType: found.contentType, body: found.data, headers: headersOf(found.sha256) };
  });

/** A page that somebody put here must not run in the host's name. */
const headersOf = (sha256: string): Record<string, string> => ({
  etag: `"${sha256}"`,
  "content-disposition": "attachment",
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
});

export const remove = (
  ctx: Context,
  { ns, key, ifVersion }: Name & { ifVersion?: number | undefined },
): Promise<{ key: string } & Deleted> =>
  mutate(ctx, {
    endpoint: "store.blob-delete",
    work: async (account) => ({ key, ...(await removeObject(account, "blobs", [ns, key], { ifVersion })) }),
  });

export interface List {
  ns: string;
  prefix: string;
  limit: number;
  after?: string | undefined;
}

/** In the order of the keys' bytes, without the files themselves. */
export const list = (ctx: Context, { ns, prefix, limit, after }: List) =>
  look(ctx, async (view) => {
    const begin = positionOf(after, lastKey()) ?? null;
    // "~" is beyond every character that a key may have.
    const text = `select ${COLUMNS} from @blobs
      where wallet = $1 and ns = $3 and key >= $4 and key < $4 || '~' and ($5::text is null or key > $5)
        and expires_at > ${at(2)}
      order by key limit $6::int`;
    const found = await rowsOf(view, headRow, text, [view.wallet, view.now, ns, prefix, begin, limit + 1]);
    return pageOf(found, limit, ({ key }) => cursorOf(key));
  });
