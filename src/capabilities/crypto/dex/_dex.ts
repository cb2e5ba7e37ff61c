/** Shared by the capabilities on decentralised exchanges: names of networks, and the shape of a pool. */
import { z } from "zod";
import { unavailableIn } from "../../../capability/facts.js";
import { words } from "../../../capability/fields.js";

/** GeckoTerminal's ids of networks with a longer common name. */
const NETWORKS = new Map([
  ["ethereum", "eth"],
  ["polygon", "polygon_pos"],
  ["avalanche", "avax"],
  ["bnb", "bsc"],
]);

/** GeckoTerminal's id of a network, from any case and common names. */
export const network = () => words(1, 40).transform((name) => NETWORKS.get(name.toLowerCase()) ?? name.toLowerCase());

/** An address in the upstream's form: hexadecimal ones in lower case, others unchanged, since their case matters. */
export const dexAddress = () =>
  words(1, 120).transform((address) => (/^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address));

const figure = () => z.number().nullable();
const label = () => z.string().nullable();
const token = () => z.object({ address: z.string(), symbol: label(), name: label() }).nullable();

/** For `meta`: whether pools lack the names of their tokens and exchanges, which come beside the rows. */
export const tellNames = (pools: readonly unknown[]) =>
  unavailableIn(pools, { names: ["baseToken.symbol", "quoteToken.symbol", "dexName"] });

export const pool = () =>
  z.object({
    id: z.string(),
    network: z.string(),
    address: z.string(),
    name: z.string(),
    dexId: label(),
    dexName: label(),
    createdAt: label(),
    baseToken: token(),
    quoteToken: token(),
    priceUsd: figure().describe("Of the base token"),
    fdvUsd: figure().describe("Fully diluted valuation of the base token"),
    marketCapUsd: figure(),
    reserveUsd: figure().describe("Value of the pool's tokens; an estimate, which may be negative"),
    volume24hUsd: figure(),
    change24hPct: figure(),
    buys24h: figure(),
    sells24h: figure(),
    buyers24h: figure(),
    sellers24h: figure(),
    url: z.string(),
  });
