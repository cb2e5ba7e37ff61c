import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import * as fields from "../../state/wallet/fields.js";
import { watcherId, watcherStatusField, watchers } from "./_watcher.js";

export const watchersCancel = /* @__PURE__ */ defineCapability({
  id: "watchers.cancel",
  method: "POST",
  summary: "End a watcher of your wallet; what still waits for delivery is dropped, and nothing is paid back.",
  keywords: ["stop alert", "delete monitor", "no more notifications", "disarm"],
  price: "0.001",
  source: fields.walletData,
  wallet: { effects: true, signIn: true },
  input: () => z.strictObject({ watcherId: watcherId() }),
  output: one(() => z.object({ watcherId: z.string(), status: watcherStatusField() })),
  example: { watcherId: "wat_00000000000000000000000000000001" },
  precheck: async (input, ctx) => (await watchers()).prepareToCancelWatcher(ctx, input),
  run: async (input, ctx) => ({ item: await (await watchers()).cancelWatcher(ctx, input), meta: fields.ownedBy(ctx) }),
});
