import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { defineProvider } from "../../capability/provider.js";
import type { Terms } from "../../capability/terms.js";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

const TERMS: Terms = {
  resale: "forbidden",
  attribution: "Data provided by CoinGecko",
  note: "CoinGecko asks for the words “Data provided by CoinGecko”; its free plans are not for redistribution.",
  url: "https://www.coingecko.com/en/api_terms",
  checkedAt: null,
};
const SECRET = {
  name: "COINGECKO_API_KEY",
  required: false,
  in: { header: "x-cg-demo-api-key" },
  keyUrl: "https://www.coingecko.com/en/developers/dashboard",
  free: true,
} as const;

/** CoinGecko's prices. Without a key it takes a few calls a minute of each address, with a free one thirty. */
export const coingecko = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "CoinGecko",
  url: "https://www.coingecko.com",
  license: "CoinGecko API terms (attribution: Data provided by CoinGecko)",
  terms: TERMS,
  baseUrl: "https://api.coingecko.com/api/v3",
  secret: SECRET,
  refusals: { 400: "CoinGecko does not know this id or this currency." },
  errorIn: refusalIn,
});

/** The same answers as GeckoTerminal's, with a key. */
export const coingeckoOnchain = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "CoinGecko on-chain",
  url: "https://www.geckoterminal.com",
  license: "CoinGecko API terms (attribution: Data provided by CoinGecko)",
  terms: TERMS,
  baseUrl: "https://api.coingecko.com/api/v3/onchain",
  secret: SECRET,
  refusals: { 400: "CoinGecko cannot read these parameters." },
});

const refusal = lazySchema(() => {
  const status = z.object({ error_code: z.number() });
  return z.union([z.object({ status }), z.object({ error: z.object({ status }) }).transform(({ error }) => error)]);
});

/** The key is missing, wrong or of another plan. */
const KEY_CODES = new Set([1020, 10002, 10010, 10011]);
/** More history than the plan includes. */
const RANGE_CODE = 10012;

function refusalIn(body: unknown, status: number): CapabilityError | undefined {
  if (status !== 401 && status !== 403) return undefined;
  const code = refusal().safeParse(body).data?.status.error_code ?? 0;
  if (code === RANGE_CODE) return new CapabilityError("INVALID_INPUT", "CoinGecko's free plans go back 365 days.");
  return KEY_CODES.has(code)
    ? new CapabilityError("PROVIDER_NOT_CONFIGURED", `CoinGecko requires another key in ${SECRET.name}.`)
    : undefined;
}
