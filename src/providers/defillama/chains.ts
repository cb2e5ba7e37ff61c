/** Chains with DefiLlama's names, and the value locked on each. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { figure, id, identifiedRows, isFilled, label, number, unixTime } from "../../upstream/fields.js";
import { defillama } from "./provider.js";

const chain = lazySchema(() =>
  z.object({
    name: z.string(),
    tvl: number(),
    tokenSymbol: label(),
    gecko_id: label(),
    cmcId: id(),
    // Sometimes a text, and sometimes not a number.
    chainId: number().transform((value) => (Number.isSafeInteger(value) ? value : null)),
  }),
);
export type Chain = z.output<ReturnType<typeof chain>>;

/** All chains, unsorted. */
export function readChains(ctx: Context): Promise<Chain[]> {
  return upstream(ctx, defillama).get("/v2/chains", {
    schema: identifiedRows(chain(), ["name"], ["tvl", "tokenSymbol", "gecko_id", "cmcId", "chainId"], 1).refine(
      isFilled,
      "is empty",
    ),
    ttlMs: 10 * MINUTE_MS,
    staleMs: HOUR_MS,
  });
}

/** Common names in lower case that DefiLlama does not use. */
const ALIASES = new Map([
  ["optimism", "op mainnet"],
  ["op", "op mainnet"],
  ["binance", "bsc"],
  ["bnb", "bsc"],
  ["bnb chain", "bsc"],
  ["matic", "polygon"],
  ["avax", "avalanche"],
  ["eth", "ethereum"],
  ["sol", "solana"],
]);

/** A key that is equal for all names of one chain. */
export function chainKey(name: string): string {
  const lower = name.toLowerCase();
  return ALIASES.get(lower) ?? lower;
}

export const findChain = <Named extends { name: string }>(chains: readonly Named[], name: string): Named | undefined =>
  chains.find((chain) => chainKey(chain.name) === chainKey(name));

const history = lazySchema(() => identifiedRows(z.object({ date: unixTime("s"), tvl: figure() }), ["date", "tvl"]));

/** Locked value on a chain for each day of its history. Undefined for an unknown chain. */
export function readChainHistory(
  ctx: Context,
  name: string,
): Promise<z.output<ReturnType<typeof history>> | undefined> {
  return upstream(ctx, defillama).get(`/v2/historicalChainTvl${segments(name)}`, {
    schema: history(),
    absent: [400, 404],
    ttlMs: HOUR_MS,
    staleMs: DAY_MS,
  });
}
