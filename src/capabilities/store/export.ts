import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { rows } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const load = /* @__PURE__ */ lazy(() => import("../../state/export.js"));

const KINDS = [
  ...(["kv", "docs", "vectors", "blobs", "queue", "dedups", "locks", "callbacks", "schedules", "watchers"] as const),
  ...(["topics", "subscriptions", "events", "deliveries"] as const),
];

export const storeExport = /* @__PURE__ */ defineCapability({
  id: "store.export",
  method: "POST",
  summary:
    "Take out everything that your wallet keeps here, page by page: values, documents, vectors, files, queues and more.",
  keywords: ["backup", "download all", "data portability", "gdpr", "dump", "migrate"],
  price: "0.01",
  source: fields.walletData,
  wallet: { signIn: true },
  input: () =>
    z.strictObject({
      kinds: z.array(z.enum(KINDS)).min(1).max(KINDS.length).describe("Only these kinds; otherwise all").optional(),
      after: fields.after(),
    }),
  output: rows(() =>
    z
      .object({ kind: z.enum(KINDS), ns: z.string().optional(), key: z.string().optional(), id: z.string().optional() })
      .catchall(z.unknown())
      .describe(
        "One object under its names; files are base64, tokens and secrets are left out; `unreadable` names fields that cannot be decrypted now and are null",
      ),
  ),
  example: {},
  async run(input, ctx) {
    const { items, nextCursor } = await (await load()).exportAll(ctx, input);
    return {
      items: items as ({ kind: (typeof KINDS)[number] } & Record<string, unknown>)[],
      total: null,
      meta: { ...fields.ownedBy(ctx), ...(nextCursor ? { nextCursor } : {}) },
    };
  },
});
