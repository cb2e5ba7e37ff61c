import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const blobs = /* @__PURE__ */ lazy(() => import("../../state/blobs/blobs.js"));

export const storeBlobList = /* @__PURE__ */ defineCapability({
  id: "store.blob-list",
  method: "POST",
  summary: "List the files of a namespace of your wallet by prefix, page by page, with sizes, types and digests.",
  keywords: ["files", "object storage", "directory", "prefix", "ls"],
  price: "0.002",
  source: fields.walletData,
  wallet: {},
  input: () =>
    z.strictObject({
      ns: fields.namespace(),
      prefix: fields.keyPrefix(),
      limit: limit(50, 1000).describe("How many files at most"),
      after: fields.after(),
    }),
  output: rows(() =>
    z.object({
      key: z.string(),
      bytes: fields.bytes(),
      contentType: z.string(),
      sha256: z.string(),
      version: fields.version(),
      expiresAt: fields.expiresAt(),
    }),
  ),
  example: { ns: "files" },
  async run(input, ctx) {
    return fields.paged(ctx, await (await blobs()).listBlobs(ctx, input));
  },
});
