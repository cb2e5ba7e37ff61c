import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const load = /* @__PURE__ */ lazy(() => import("../../state/docs/docs.js"));

export const storeDocGet = /* @__PURE__ */ defineCapability({
  id: "store.doc-get",
  method: "POST",
  summary: "Read a document that your wallet keeps, with its meta data; reading it prolongs its life.",
  keywords: ["document store", "load json", "fetch document", "recall", "agent memory"],
  price: "0.002",
  source: fields.walletData,
  wallet: {},
  input: () => z.strictObject({ ns: fields.namespace(), id: fields.key().describe("Id within the namespace") }),
  output: one(() =>
    z.object({
      id: z.string(),
      body: z.unknown().describe("The text or the JSON object that was put"),
      meta: z.record(z.string(), z.unknown()),
      version: fields.version(),
      bytes: fields.bytes(),
      expiresAt: fields.expiresAt(),
    }),
  ),
  example: { ns: "menu", id: "tea" },
  run: async (input, ctx) => ({ item: await (await load()).getDoc(ctx, input), meta: fields.ownedBy(ctx) }),
});
