import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const load = /* @__PURE__ */ lazy(() => import("../../state/vectors/vectors.js"));

export const storeVectorDelete = /* @__PURE__ */ defineCapability({
  id: "store.vector-delete",
  method: "POST",
  summary: "Delete a vector that your wallet keeps; deleting a missing one succeeds.",
  keywords: ["embedding", "vector database", "remove", "forget"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  input: () => z.strictObject({ ns: fields.namespace(), id: fields.key().describe("Id within the namespace") }),
  output: one(() => z.object({ id: z.string(), deleted: z.boolean() })),
  example: { ns: "ideas", id: "tea" },
  check: async (_, ctx) => (await load()).assertVectors(ctx),
  run: async (input, ctx) => ({ item: await (await load()).removeVector(ctx, input), meta: fields.ownedBy(ctx) }),
});
