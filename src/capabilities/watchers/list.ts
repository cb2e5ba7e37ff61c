import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import * as fields from "../../state/wallet/fields.js";
import { lastValue, watcher, watcherStatusField, watchers } from "./_watcher.js";

export const watchersList = /* @__PURE__ */ defineCapability({
  id: "watchers.list",
  summary: "List the watchers of your wallet, those that ended in the last 30 days included, page by page.",
  keywords: ["my alerts", "all monitors", "active alerts", "what am I watching"],
  price: "0.001",
  source: fields.walletData,
  wallet: { signIn: true },
  input: () =>
    z.strictObject({
      status: watcherStatusField().describe("Only those of this status").optional(),
      limit: limit(20, 100).describe("How many at most"),
      after: fields.after(),
    }),
  output: rows(() => watcher().extend({ lastValue: lastValue() })),
  example: { status: "armed" },
  async run(input, ctx) {
    const { items, nextCursor } = await (await watchers()).listWatchers(ctx, input);
    return { items, total: null, meta: { ...fields.ownedBy(ctx), ...(nextCursor ? { nextCursor } : {}) } };
  },
});
