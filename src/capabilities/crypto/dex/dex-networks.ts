import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { lazySchema, limit } from "../../../capability/fields.js";
import { rows } from "../../../capability/output.js";
import { DAY_MS } from "../../../lib/time.js";
import { geckoTerminal, ONCHAIN_ORIGINS, readOnchain } from "../../../providers/geckoterminal/provider.js";
import { label, rowsInPlace, whole } from "../../../upstream/fields.js";

const PAGE_SIZE = 100;

const page = lazySchema(() =>
  z.object({
    data: rowsInPlace(
      z.object({
        id: z.string(),
        attributes: whole({ name: z.string(), coingecko_asset_platform_id: label() }),
      }),
      ["id", "attributes.name"],
    ),
  }),
);

export const cryptoDexNetworks = /* @__PURE__ */ defineCapability({
  id: "crypto.dex-networks",
  summary: "The networks whose decentralised exchanges are covered, with the ids that the other dex endpoints take.",
  keywords: ["blockchains", "chain slug", "dex", "supported networks", "geckoterminal", "platform id"],
  price: "0.00144",
  provider: geckoTerminal,
  origins: ONCHAIN_ORIGINS,
  input: () =>
    z.strictObject({ limit: limit(100, PAGE_SIZE).describe("How many networks to return, the best known first") }),
  output: rows(() =>
    z.object({
      id: z.string().describe("What the other dex endpoints take as `network`"),
      name: z.string(),
      coingeckoPlatformId: z.string().nullable(),
    }),
  ),
  example: { limit: 20 },
  async run({ limit }, ctx) {
    const { data } = await readOnchain(ctx, (client) =>
      client.get("/networks", { query: { page: 1 }, schema: page(), ttlMs: DAY_MS, staleMs: 7 * DAY_MS }),
    );
    const networks = data.filter((row) => row !== null);
    const items = networks.slice(0, limit).map(({ id, attributes }) => ({
      id,
      name: attributes.name,
      coingeckoPlatformId: attributes.coingecko_asset_platform_id,
    }));
    // A full page may be followed by another.
    return { items, total: data.length < PAGE_SIZE ? networks.length : null };
  },
});
