import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const load = /* @__PURE__ */ lazy(() => import("../../state/docs/docs.js"));

export const storeDocDelete = /* @__PURE__ */ defineCapability({
  id: "store.doc-delete",
  method: "POST",
  summary: "Delete a document that your wallet keeps; deleting a missing one succeeds.",
  keywords: ["document store", "remove", "forget"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  input: () =>
    z.strictObject({
      ns: fields.namespace(),
      id: fields.key().describe("Id within the namespace"),
      ifVersion: fields.ifVersion(),
      fence: fields.fence(),
    }),
  output: one(() => z.object({ id: z.string(), deleted: z.boolean(), reason: fields.refusal() })),
  example: { ns: "menu", id: "tea" },
  run: async (input, ctx) => ({ item: await (await load()).removeDoc(ctx, input), meta: fields.ownedBy(ctx) }),
});
