import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const blobs = /* @__PURE__ */ lazy(() => import("../../state/blobs/blobs.js"));

export const storeBlobPut = /* @__PURE__ */ defineCapability({
  id: "store.blob-put",
  method: "POST",
  summary: "Keep a file of up to 3 MB under a key that only your wallet can read.",
  keywords: ["upload", "object storage", "save file", "attachment", "image", "pdf", "artifact"],
  price: "0.01",
  source: fields.walletData,
  wallet: { effects: true },
  maxBodyBytes: fields.MAX_FILE_BODY_BYTES,
  input: () =>
    z.strictObject({
      ns: fields.namespace(),
      key: fields.key(),
      data: fields.fileData(),
      contentType: fields
        .mediaType()
        .default("application/octet-stream")
        .describe("Its media type, which it is given back under"),
      sha256: z
        .string()
        .regex(/^[0-9A-Fa-f]{64}$/, { error: "must be 64 hexadecimal digits" })
        .describe("SHA-256 of the bytes: another file than you meant is refused")
        .optional(),
      ttlSeconds: fields.ttlSeconds(),
      ifVersion: fields.ifVersion(),
    }),
  output: one(() =>
    z.object({
      key: z.string(),
      ...fields.written(),
      contentType: z.string().optional(),
      sha256: z.string().optional(),
    }),
  ),
  example: { ns: "files", key: "report.txt", data: "aGVsbG8gd29ybGQ=", contentType: "text/plain" },
  read: async (input) => (await blobs()).checkedFile(input),
  precheck: async (file, ctx) => (await blobs()).prepareToPutBlob(ctx, file),
  run: async (file, ctx) => ({ item: await (await blobs()).putBlob(ctx, file), meta: fields.ownedBy(ctx) }),
});
