import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { binary } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const blobs = /* @__PURE__ */ lazy(() => import("../../state/blobs/blobs.js"));

export const storeBlobGet = /* @__PURE__ */ defineCapability({
  id: "store.blob-get",
  method: "POST",
  summary: "Read the bytes of a file that your wallet keeps under a key; reading it prolongs its life.",
  keywords: ["download", "object storage", "load file", "attachment", "artifact"],
  price: "0.01",
  source: fields.walletData,
  wallet: {},
  input: () => z.strictObject({ ns: fields.namespace(), key: fields.key() }),
  output: binary("application/octet-stream"),
  example: { ns: "files", key: "hello.txt" },
  run: async (input, ctx) => (await blobs()).getBlob(ctx, input),
});
