/** Operations on files. */
import type { BinaryResult } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError, invalid } from "../../errors.js";
import { rowsOf } from "../database/database.js";
import type { Name } from "../kv/rows.js";
import { stateOf } from "../wallet/account.js";
import { cursorOf, lastKey, pageOf, positionOf } from "../wallet/cursor.js";
import { type Deleted, type Refusal, refusalAt, removeObject } from "../wallet/demands.js";
import { extendTtl } from "../wallet/objects.js";
import { assertQuotaForReplace } from "../wallet/quota.js";
import { nowParam } from "../wallet/scope.js";
import {
  BLOB_COLUMNS,
  type BlobHead,
  blobHeadRow,
  type File,
  fileOf,
  findFile,
  type PutFile,
  writeFile,
} from "./rows.js";
import { putFile } from "./sample.js";

const { mutate, read } = stateOf(putFile);

/** Rejects bytes that do not match the caller's digest. */
export function checkedFile({ sha256, ...input }: PutFile & { sha256?: string | undefined }): File {
  const file = fileOf(input);
  if (sha256 !== undefined && sha256.toLowerCase() !== file.sha256)
    throw invalid("sha256", `is not that of the data, which is ${file.sha256}`);
  return file;
}

/** Refuses a file without room for it before money moves. */
export const prepareToPutBlob = (ctx: Context, { ns, key, bytes }: File): Promise<void> =>
  read(ctx, (scope) => assertQuotaForReplace(scope, "blobs", [ns, key], bytes));

type Stored = { key: string; stored: boolean } & Partial<Omit<BlobHead, "key">> & Partial<Refusal>;

export const putBlob = (ctx: Context, file: File): Promise<Stored> =>
  mutate(ctx, {
    endpoint: "store.blob-put",
    async work(scope) {
      const { ns, key } = file;
      const refused = await refusalAt(scope, "blobs", [ns, key], file);
      if (refused) return { key, ...refused };
      return { stored: true, ...(await writeFile(scope, file)) };
    },
  });

/** Rejects with NOT_FOUND. Extends the life of a file without a fixed expiry. */
export const getBlob = (ctx: Context, { ns, key }: Name): Promise<BinaryResult> =>
  read(ctx, async (scope) => {
    const found = await findFile(scope, { ns, key });
    if (!found) throw new CapabilityError("NOT_FOUND", "No file is kept under this key.");
    if (found.fading) await extendTtl(scope, "blobs", "ns = $3 and key = $4", [ns, key]);
    return { contentType: found.contentType, body: found.data, headers: headersOf(found.sha256) };
  });

/** A page stored here must not run in the host's name. */
const headersOf = (sha256: string): Record<string, string> => ({
  etag: `"${sha256}"`,
  "content-disposition": "attachment",
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
});

export const removeBlob = (
  ctx: Context,
  { ns, key, ifVersion }: Name & { ifVersion?: number | undefined },
): Promise<{ key: string } & Deleted> =>
  mutate(ctx, {
    endpoint: "store.blob-delete",
    work: async (scope) => ({ key, ...(await removeObject(scope, "blobs", [ns, key], { ifVersion })) }),
  });

export interface List {
  ns: string;
  prefix: string;
  limit: number;
  after?: string | undefined;
}

/** In the order of the keys' bytes, without contents. */
export const listBlobs = (ctx: Context, { ns, prefix, limit, after }: List) =>
  read(ctx, async (scope) => {
    const begin = positionOf(after, lastKey()) ?? null;
    // "~" follows every character that a key may have.
    const text = `select ${BLOB_COLUMNS} from @blobs
      where wallet = $1 and ns = $3 and key >= $4 and key < $4 || '~' and ($5::text is null or key > $5)
        and expires_at > ${nowParam(2)}
      order by key limit $6::int`;
    const found = await rowsOf(scope, blobHeadRow, text, [scope.wallet, scope.now, ns, prefix, begin, limit + 1]);
    return pageOf(found, limit, ({ key }) => cursorOf(key));
  });
