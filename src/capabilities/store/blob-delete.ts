import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const blobs = /* @__PURE__ */ lazy(() => import("../../state/blobs/blobs.js"));

export const storeBlobDelete = /* @__PURE__ */ defineCapability({
  id: "store.blob-delete",
  method: "POST",
  summary: "Delete a file that your wallet keeps; deleting a missing one succeeds.",
  keywords: ["remove file", "object storage", "unlink"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  input: () => z.strictObject({ ns: fields.namespace(), key: fields.key(), ifVersion: fields.ifVersion() }),
  output: one(() => z.object({ key: z.string(), deleted: z.boolean(), reason: fields.refusal() })),
  example: { ns: "files", key: "hello.txt" },
  run: async (input, ctx) => ({ item: await (await blobs()).removeBlob(ctx, input), meta: fields.ownedBy(ctx) }),
});
