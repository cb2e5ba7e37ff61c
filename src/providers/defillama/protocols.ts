/** Protocols of DefiLlama: all in one list, or one with its history. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import {
  figure,
  identifiedRows,
  isFilled,
  label,
  labels,
  maybe,
  number,
  reaching,
  unixTime,
} from "../../upstream/fields.js";
import { defillama } from "./provider.js";

/** Shared by list and detail. */
const head = lazySchema(() =>
  z.object({
    name: z.string(),
    // "-" means none.
    symbol: label().transform((symbol) => (symbol === "-" ? null : symbol)),
    category: label(),
    chains: labels(),
    mcap: number(),
    gecko_id: label(),
    url: label(),
    twitter: label(),
    logo: label(),
    audits: number(),
    listedAt: maybe(unixTime("s")).catch(null),
  }),
);

const row = lazySchema(() =>
  head().extend({
    slug: label(),
    tvl: number(),
    chainTvls: z.record(z.string(), number()).nullish().transform(onlyChains),
    change_1h: number(),
    change_1d: number(),
    change_7d: number(),
    parentProtocol: label(),
  }),
);
type Row = z.output<ReturnType<typeof row>>;
export type Protocol = Row & { slug: string };

/** Fields that many protocols have, but not all. */
const COMMON = ["symbol", "category", "chains", "tvl", "chainTvls", "change_1d", "change_7d"];

/** About eight thousand, with the current locked value. */
export async function readProtocols(ctx: Context): Promise<Protocol[]> {
  const listed = await upstream(ctx, defillama).get("/protocols", {
    schema: identifiedRows(row(), ["name"], COMMON, 1).refine(isFilled, "is empty"),
    ttlMs: 10 * MINUTE_MS,
    staleMs: HOUR_MS,
  });
  return listed.map((protocol) => ({ ...protocol, slug: protocol.slug ?? toSlug(protocol.name) }));
}

const detail = lazySchema(() =>
  z
    .unknown()
    .check(reaching(["chains"]))
    .pipe(
      head().extend({
        currentChainTvls: z.record(z.string(), number()).nullish().transform(onlyChains),
        tvl: identifiedRows(z.object({ date: unixTime("s"), totalLiquidityUSD: figure() }), [
          "date",
          "totalLiquidityUSD",
        ]),
      }),
    ),
);
export type ProtocolHistory = z.output<ReturnType<typeof detail>>;

/** One protocol, or a family of them, with its history. Undefined if there is none with this slug. */
export function readProtocolHistory(ctx: Context, slug: string): Promise<ProtocolHistory | undefined> {
  return upstream(ctx, defillama).get(segments("protocol", slug), {
    schema: detail(),
    // "Protocol is not in our database" is a 400.
    absent: [400, 404],
    ttlMs: 30 * MINUTE_MS,
    staleMs: DAY_MS,
  });
}

/** DefiLlama's slug of a name. */
export const toSlug = (name: string) => name.toLowerCase().replace(/\s+/g, "-");

/** Categories of locked value, listed beside chains, alone or after a chain's name: "borrowed", "Ethereum-pool2". */
const PARTS = new Set([
  "borrowed",
  "staking",
  "pool2",
  "vesting",
  "treasury",
  "offers",
  "OwnTokens",
  "doublecounted",
  "liquidstaking",
  "dcAndLsOverlap",
]);

function onlyChains(tvls: Record<string, number | null> | null | undefined): Record<string, number> {
  const chains = Object.entries(tvls ?? {}).filter(
    (entry): entry is [string, number] =>
      entry[1] !== null && !PARTS.has(entry[0].slice(entry[0].lastIndexOf("-") + 1)),
  );
  return Object.fromEntries(chains);
}
