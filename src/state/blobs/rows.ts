/** Rows of files. Their bytes are sent as base64, because the embedded database is far slower with raw bytes. */

import { createHash } from "node:crypto";
import { z } from "zod";
import { rowsOf } from "../database/database.js";
import type { RowKey } from "../database/encryption.js";
import { expression, insertInto } from "../database/insert.js";
import type { Name } from "../kv/rows.js";
import type { WriteOptions } from "../wallet/fields.js";
import { bytesBefore, EXPIRES_SOON, epoch, lifeOf, objectSize, timeText } from "../wallet/objects.js";
import { nowParam, type ReadScope, type WriteScope } from "../wallet/scope.js";

export interface PutFile extends Name, Pick<WriteOptions, "ttlSeconds" | "ifVersion"> {
  /** Base64. */
  data: string;
  contentType: string;
}

/** A file with its digest and its size for the quota. */
export interface File extends PutFile {
  sha256: string;
  bytes: number;
}

export function fileOf(input: PutFile): File {
  const data = Buffer.from(input.data, "base64");
  const sha256 = digestOf(data);
  return { ...input, sha256, bytes: objectSize(input.ns, input.key, input.contentType) + data.byteLength };
}

const digestOf = (data: Buffer): string => createHash("sha256").update(data).digest("hex");

export const BLOB_COLUMNS = `key, bytes, content_type as "contentType", sha256, version::float8 as version,
  ${epoch("expires_at")} as "expiresAt"`;
export const blobHeadRow = z.object({
  key: z.string(),
  bytes: z.int(),
  contentType: z.string(),
  sha256: z.string(),
  version: z.number(),
  expiresAt: timeText(),
});
const writtenRow = blobHeadRow.extend({ before: z.int() });
export type BlobHead = z.infer<typeof blobHeadRow>;

const foundRow = blobHeadRow.extend({
  data: z.string().transform((data) => Buffer.from(data, "base64")),
  fading: z.boolean(),
});

export async function findFile(scope: ReadScope, { ns, key }: Name) {
  const text = `select ${BLOB_COLUMNS}, encode(data, 'base64') as data, ${EXPIRES_SOON}
    from @blobs where wallet = $1 and ns = $3 and key = $4 and expires_at > ${nowParam(2)}`;
  const [found] = await rowsOf(scope, foundRow, text, [scope.wallet, scope.now, ns, key]);
  return found && { ...found, data: openFile(scope, { ...found, ns }) };
}

const blobKey = ({ wallet }: ReadScope, { ns, key }: Name): RowKey => ["blobs", "data", wallet, ns, key];

/** A stored file with another digest is encrypted. */
export const openFile = (
  scope: ReadScope,
  { data, sha256, ...name }: Name & { data: Buffer; sha256: string },
): Buffer => scope.encryption.decryptBytes(blobKey(scope, name), data, digestOf(data) === sha256);

export async function writeFile(scope: WriteScope, file: File): Promise<BlobHead> {
  const { rolling, expiresAt } = lifeOf(scope, file.ttlSeconds);
  const sealed = scope.encryption.encryptBytes(blobKey(scope, file), Buffer.from(file.data, "base64"));
  const row = {
    wallet: scope.wallet,
    ns: file.ns,
    key: file.key,
    content_type: file.contentType,
    sha256: file.sha256,
    data: expression("decode(?, 'base64')", sealed.toString("base64")),
    bytes: file.bytes,
    version: expression("nextval('@versions')"),
    rolling,
    expires_at: expiresAt,
    updated_at: scope.now,
  };
  const then = `on conflict (wallet, ns, key) do update set content_type = excluded.content_type, sha256 = excluded.sha256,
      data = excluded.data, bytes = excluded.bytes, version = excluded.version, rolling = excluded.rolling,
      expires_at = excluded.expires_at, updated_at = excluded.updated_at
    returning ${BLOB_COLUMNS}, ${bytesBefore("blobs")}`;
  const [written] = await rowsOf(scope, writtenRow, ...insertInto("@blobs", row, then));
  if (!written) throw new Error("a file was written, and no row came back");
  const { before, ...head } = written;
  scope.grow(file.bytes - before);
  return head;
}
