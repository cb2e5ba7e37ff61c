/** Pools of decentralised exchanges, as GeckoTerminal and CoinGecko list them. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { MINUTE_MS } from "../../lib/time.js";
import { instant, label, list, number, part } from "../../upstream/fields.js";
import { readOnchain } from "./index.js";

/** Rows of one page; a shorter page is the last. */
const PAGE_SIZE = 20;

const related = () => part({ data: part({ id: label() }) });

const pool = lazySchema(() =>
  z.object({
    id: z.string(),
    attributes: z.object({
      address: z.string(),
      name: z.string(),
      pool_created_at: instant(),
      base_token_price_usd: number(),
      // Only among the pools of one token: that token's price.
      token_price_usd: number(),
      fdv_usd: number(),
      market_cap_usd: number(),
      reserve_in_usd: number(),
      volume_usd: part({ h24: number() }),
      price_change_percentage: part({ h24: number() }),
      transactions: part({ h24: part({ buys: number(), sells: number(), buyers: number(), sellers: number() }) }),
    }),
    relationships: z.object({ base_token: related(), quote_token: related(), dex: related() }),
  }),
);

const page = lazySchema(() =>
  z.object({
    data: z.array(pool()),
    // Names of what the rows refer to.
    included: list(z.object({ id: z.string(), attributes: z.object({ name: label(), symbol: label() }) })),
  }),
);
type Row = z.output<ReturnType<typeof pool>>;
type Included = z.output<ReturnType<typeof page>>["included"][number];

/** The newest state of up to `limit` pools below `path`, page after page. Undefined when there is no such list. */
export async function readPools(
  ctx: Context,
  path: string,
  { limit, query = {} }: { limit: number; query?: Record<string, string | undefined> },
): Promise<Pool[] | undefined> {
  // While pages are turned, a pool may slip from one to the next.
  const pools = new Map<string, Pool>();
  for (let pageNumber = 1; pageNumber <= Math.ceil(limit / PAGE_SIZE); pageNumber++) {
    const answer = await readOnchain(ctx, (client) =>
      client.get(path, {
        query: { ...query, include: "base_token,quote_token,dex", page: pageNumber },
        schema: page(),
        absent: [404],
        ttlMs: MINUTE_MS,
      }),
    );
    if (!answer) return undefined;
    const known = new Map(answer.included.map((entry) => [entry.id, entry]));
    for (const row of answer.data) pools.set(row.id, toPool(row, known));
    if (answer.data.length < PAGE_SIZE) break;
  }
  return [...pools.values()].slice(0, limit);
}

export type Pool = ReturnType<typeof toPool>;

function toPool({ id, attributes, relationships }: Row, known: Map<string, Included>) {
  // The pool's id is its network and its address.
  const network = id.endsWith(`_${attributes.address}`) ? id.slice(0, -attributes.address.length - 1) : "";
  const { buys, sells, buyers, sellers } = attributes.transactions.h24;
  const tokenOf = ({ data: { id } }: Row["relationships"]["base_token"]) =>
    id === null
      ? null
      : {
          address: id.startsWith(`${network}_`) ? id.slice(network.length + 1) : id,
          symbol: known.get(id)?.attributes.symbol ?? null,
          name: known.get(id)?.attributes.name ?? null,
        };
  const dexId = relationships.dex.data.id;
  return {
    id,
    network,
    address: attributes.address,
    name: attributes.name,
    dexId,
    dexName: (dexId && known.get(dexId)?.attributes.name) || null,
    createdAt: attributes.pool_created_at,
    baseToken: tokenOf(relationships.base_token),
    quoteToken: tokenOf(relationships.quote_token),
    priceUsd: attributes.base_token_price_usd,
    tokenPriceUsd: attributes.token_price_usd,
    fdvUsd: attributes.fdv_usd,
    marketCapUsd: attributes.market_cap_usd,
    reserveUsd: attributes.reserve_in_usd,
    volume24hUsd: attributes.volume_usd.h24,
    change24hPct: attributes.price_change_percentage.h24,
    buys24h: buys,
    sells24h: sells,
    buyers24h: buyers,
    sellers24h: sellers,
    url: `https://www.geckoterminal.com/${encodeURIComponent(network)}/pools/${encodeURIComponent(attributes.address)}`,
  };
}
