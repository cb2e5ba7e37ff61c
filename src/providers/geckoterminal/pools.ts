/** Pools of decentralised exchanges, as GeckoTerminal and CoinGecko list them. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { MINUTE_MS } from "../../lib/time.js";
import {
  identifiedRows,
  instant,
  label,
  maybe,
  number,
  reaching,
  rowsInPlace,
  whole,
  wholeOrNone,
} from "../../upstream/fields.js";
import { readOnchain } from "./provider.js";

/** Rows of one page; a shorter page is the last. */
const PAGE_SIZE = 20;

const related = () => wholeOrNone({ data: wholeOrNone({ id: label() }) });

const pool = lazySchema(() =>
  z.object({
    id: z.string(),
    attributes: whole(
      {
        address: z.string(),
        name: z.string(),
        pool_created_at: instant(),
        base_token_price_usd: number(),
        fdv_usd: number(),
        market_cap_usd: number(),
        reserve_in_usd: number(),
        volume_usd: wholeOrNone({ h24: number() }),
        price_change_percentage: wholeOrNone({ h24: number() }),
        transactions: wholeOrNone({
          h24: wholeOrNone({ buys: number(), sells: number(), buyers: number(), sellers: number() }),
        }),
      },
      // Only among the pools of one token: the token's price.
      { token_price_usd: number() },
    ),
    relationships: whole({ base_token: related(), quote_token: related(), dex: related() }),
  }),
);

const page = (common: readonly string[]) =>
  z.object({
    data: rowsInPlace(pool(), ["id", "attributes.address", "attributes.name"], common, 1),
    // Names of the objects that rows refer to.
    included: maybe(
      identifiedRows(
        // A token without a symbol has an empty one; an exchange has none.
        z
          .unknown()
          .check(reaching(["attributes.symbol"], ({ type }) => type !== "token"))
          .pipe(z.object({ id: z.string(), type: label(), attributes: whole({ name: label() }, { symbol: label() }) })),
        ["id"],
      ),
    ),
  });
type Row = z.output<ReturnType<typeof pool>>;
type Included = NonNullable<z.output<ReturnType<typeof page>>["included"]>[number];

export interface PoolQuery {
  limit: number;
  query?: Record<string, string | undefined>;
  /** Fields that only such a list has, present in one row at least. */
  common?: readonly string[];
}

/** Current state of up to `limit` pools below `path`, page after page. Undefined for an unknown list. */
export async function readPools(
  ctx: Context,
  path: string,
  { limit, query = {}, common = [] }: PoolQuery,
): Promise<Pool[] | undefined> {
  // Pools may move between pages during reading.
  const pools = new Map<string, Pool>();
  const schema = page(common);
  for (let pageNumber = 1; pageNumber <= Math.ceil(limit / PAGE_SIZE); pageNumber++) {
    const answer = await readOnchain(ctx, (client) =>
      client.get(path, {
        query: { ...query, include: "base_token,quote_token,dex", page: pageNumber },
        schema,
        absent: [404],
        ttlMs: MINUTE_MS,
      }),
    );
    if (!answer) return undefined;
    const known = new Map((answer.included ?? []).map((entry) => [entry.id, entry]));
    for (const row of answer.data) if (row) pools.set(row.id, toPool(row, known));
    if (answer.data.length < PAGE_SIZE) break;
  }
  return [...pools.values()].slice(0, limit);
}

export type Pool = ReturnType<typeof toPool>;

function toPool({ id, attributes, relationships }: Row, known: Map<string, Included>) {
  // The pool's id consists of its network and its address.
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
