import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const load = /* @__PURE__ */ lazy(() => import("../../state/docs/docs.js"));

export const storeDocPut = /* @__PURE__ */ defineCapability({
  id: "store.doc-put",
  method: "POST",
  summary: "Keep a document, a text or a JSON object with meta data, that your wallet can query and search.",
  keywords: ["document store", "save json", "notes", "knowledge base", "index text", "agent memory", "upsert"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  maxBodyBytes: fields.MAX_VALUE_BODY_BYTES,
  anyJson: ["body"],
  input: () =>
    z.strictObject({
      ns: fields.namespace(),
      id: fields.key().describe("Id within the namespace"),
      body: fields
        .docBody()
        .describe(
          "A text or a JSON object, up to 1 MB and 100,000 elements and members in all; it replaces what there was. Search sees 131,072 characters of its texts, and 32,768 words, each by its first 64 letters",
        ),
      meta: fields.jsonObject(fields.MAX_META_BYTES).describe("A JSON object beside the body, up to 16 KB").default({}),
      ...fields.writeOptions(),
    }),
  output: one(() =>
    z.object({
      id: z.string(),
      ...fields.written(),
    }),
  ),
  example: { ns: "menu", id: "cocoa", body: { title: "Hot cocoa", price: 5 }, meta: { lang: "en" } },
  precheck: async (input, ctx) => (await load()).prepareToPutDoc(ctx, input),
  run: async (input, ctx) => ({ item: await (await load()).putDoc(ctx, input), meta: fields.ownedBy(ctx) }),
});
