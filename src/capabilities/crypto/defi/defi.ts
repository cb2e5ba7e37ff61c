import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { someOf } from "../../../capability/facts.js";
import { limit, words } from "../../../capability/fields.js";
import { rows } from "../../../capability/output.js";
import type { Context } from "../../../capability/types.js";
import { CapabilityError } from "../../../errors.js";
import { type Chain, findChain, readChains } from "../../../providers/defillama/chains.js";
import { type Protocol, readProtocolHistory, readProtocols, toSlug } from "../../../providers/defillama/protocols.js";
import { defillama } from "../../../providers/defillama/provider.js";
import { optional } from "../../../upstream/optional.js";

const figure = () => z.number().nullable();
const label = () => z.string().nullable();

/** Exchanges hold customers' deposits, and chains are counted by their protocols, so neither is ranked. */
const UNRANKED = new Set(["CEX", "Chain"]);

export const cryptoDefi = /* @__PURE__ */ defineCapability({
  id: "crypto.defi",
  summary: "DeFi protocols ranked by total value locked (TVL), over all chains or on one; or one protocol by name.",
  keywords: ["tvl", "total value locked", "ranking", "protocol", "lending", "dex", "defillama", "aave", "uniswap"],
  price: "0.0018",
  provider: defillama,
  input: () =>
    z.strictObject({
      protocol: words(1, 120)
        .optional()
        .describe("One protocol, by DefiLlama's slug, its name or its token's symbol in any case"),
      chain: words(1, 60).optional().describe("Only value locked on one chain, such as Base, in any case"),
      limit: limit(20, 100).describe("How many protocols to return, the largest first"),
    }),
  output: rows(() =>
    z.object({
      rank: z.int(),
      name: z.string(),
      slug: z.string(),
      symbol: label(),
      category: label(),
      chains: z.array(z.string()),
      tvlUsd: figure().describe("Total value locked, on the chain that was asked for or on all"),
      change1h: figure().describe("Percent, over all chains, as the other changes"),
      change1d: figure(),
      change7d: figure(),
      mcapUsd: figure(),
      mcapToTvl: figure().describe("Market cap by what is locked on all chains"),
      chainTvls: z.record(z.string(), z.number()).describe("US dollars by chain"),
      geckoId: label(),
      url: label(),
      twitter: label(),
      logo: label(),
      audits: z.int().nullable(),
      listedAt: label(),
    }),
  ),
  facts: someOf("tvlUsd", "chains", "category"),
  example: { chain: "Base", limit: 5 },
  async run({ protocol, chain: chainName, limit }, ctx) {
    const [candidates, chain] = await Promise.all([
      protocol === undefined ? readRanked(ctx) : findProtocol(ctx, protocol).then((found) => [found]),
      chainName === undefined ? undefined : chainOf(ctx, chainName),
    ]);
    const tvlOf = (row: Protocol) => (chain ? (row.chainTvls[chain.name] ?? null) : row.tvl);
    const matching = candidates
      .filter((row) => !chain || row.chainTvls[chain.name] !== undefined)
      .sort((a, b) => (tvlOf(b) ?? 0) - (tvlOf(a) ?? 0));
    if (protocol !== undefined && matching.length === 0)
      throw new CapabilityError("NOT_FOUND", "This protocol has nothing locked on this chain.");
    const items = matching
      .slice(0, limit)
      .map((row, index) => ({ rank: index + 1, ...toItem(row), tvlUsd: tvlOf(row) }));
    const meta = chain && { chain: { name: chain.name, tvlUsd: chain.tvl, symbol: chain.tokenSymbol } };
    return { items, total: matching.length, ...(meta ? { meta } : {}) };
  },
});

const readRanked = async (ctx: Context) =>
  (await readProtocols(ctx)).filter(({ category }) => !UNRANKED.has(category ?? ""));

async function chainOf(ctx: Context, name: string): Promise<Chain> {
  const chain = findChain(await readChains(ctx), name);
  if (!chain) throw new CapabilityError("NOT_FOUND", "DefiLlama has no chain of this name.");
  return chain;
}

async function findProtocol(ctx: Context, wanted: string): Promise<Protocol> {
  // If the list fails, the protocol's own page is read.
  const listed = await optional(readProtocols(ctx), [], () => {});
  const lower = wanted.toLowerCase();
  const slug = toSlug(wanted);
  const named = listed.find((row) => row.slug === slug) ?? listed.find(({ name }) => name.toLowerCase() === lower);
  if (named) return named;
  // "aave" is a family, and its symbol would match one of its members.
  const isFamily = listed.some(({ parentProtocol }) => parentProtocol === `parent#${slug}`);
  const bySymbol = listed
    .filter(({ symbol }) => symbol?.toLowerCase() === lower)
    .sort((a, b) => (b.tvl ?? 0) - (a.tvl ?? 0))[0];
  const found = (!isFamily && bySymbol) || (await readPage(ctx, slug));
  if (!found) throw new CapabilityError("NOT_FOUND", "DefiLlama has no protocol of this name.");
  return found;
}

/** A protocol from its own page, which has its history instead of changes. */
async function readPage(ctx: Context, slug: string): Promise<Protocol | undefined> {
  const page = await readProtocolHistory(ctx, slug);
  if (!page) return undefined;
  const { tvl: history, currentChainTvls: chainTvls, ...head } = page;
  const tvl = history.at(-1)?.totalLiquidityUSD ?? null;
  const unknown = { change_1h: null, change_1d: null, change_7d: null, parentProtocol: null };
  return { ...head, ...unknown, slug, tvl, chainTvls };
}

const toItem = ({ mcap, tvl, ...row }: Protocol) => ({
  name: row.name,
  slug: row.slug,
  symbol: row.symbol,
  category: row.category,
  chains: row.chains,
  change1h: row.change_1h,
  change1d: row.change_1d,
  change7d: row.change_7d,
  mcapUsd: mcap,
  mcapToTvl: mcap !== null && tvl ? mcap / tvl : null,
  chainTvls: row.chainTvls,
  geckoId: row.gecko_id,
  url: row.url,
  twitter: row.twitter,
  logo: row.logo,
  audits: row.audits === null ? null : Math.trunc(row.audits),
  listedAt: row.listedAt,
});
