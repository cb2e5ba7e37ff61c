import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { defineProvider, type Provider } from "../../capability/provider.js";
import { CapabilityError, invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { SECOND_MS } from "../../lib/time.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** Short, so that the next explorer has time before the caller's limit. */
export const EXPLORER_TIMEOUT_MS = 5 * SECOND_MS;

/** Etherscan's API for many chains. It requires a key; a free one opens only some chains. */
export const etherscan = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Etherscan",
  url: "https://etherscan.io",
  license: "Etherscan API terms of service",
  terms: {
    resale: "limited",
    attribution: "Powered by Etherscan.io APIs",
    note: "Etherscan's free plan asks for attribution and is for limited commercial use; it is asked where ETHERSCAN_API_KEY is set.",
    url: "https://etherscan.io/terms",
    checkedAt: null,
  },
  baseUrl: "https://api.etherscan.io/v2",
  secret: {
    name: "ETHERSCAN_API_KEY",
    required: false,
    in: { query: "apikey" },
    keyUrl: "https://etherscan.io/apidashboard",
    free: true,
  },
  perSecond: 3,
  timeoutMs: EXPLORER_TIMEOUT_MS,
  errorIn: refusalsOf("Etherscan"),
});

/** An explorer with Etherscan's API: its provider, and the API's path. */
export interface Explorer {
  provider: Provider;
  path: string;
  query?: Record<string, string | number>;
}

const refusal = lazySchema(() =>
  z.object({ status: z.string().nullish(), message: z.string().nullish(), result: z.unknown().optional() }),
);

/** Errors by the reason that a refusal gives; the first one that fits. */
const REFUSALS: readonly (readonly [reason: RegExp, error: (name: string) => CapabilityError])[] = [
  [/unsupported chainid|chain not supported/i, (name) => invalid("chainId", `is not served by ${name}`)],
  [
    /rate limit|max calls/i,
    (name) =>
      new CapabilityError("UPSTREAM_RATE_LIMIT", `${name} is rate limiting requests; retry later.`, { retryAfter: 5 }),
  ],
  [
    /free api access|upgrade your api plan|api ?key/i,
    (name) => new CapabilityError("PROVIDER_NOT_CONFIGURED", `${name} requires a key, or another plan for this chain.`),
  ],
  [/invalid address/i, (name) => invalid("address", `cannot be read by ${name}`)],
  [
    /result window/i,
    (name) => new CapabilityError("RESULT_TOO_LARGE", `${name} goes no further back by pages: narrow the blocks.`),
  ],
];

/** They refuse with status 200, a status of "0" in the body, and a text. */
export function refusalsOf(name: string) {
  return (body: unknown): CapabilityError | undefined => {
    const { data } = refusal().safeParse(body);
    // Rows are an answer, whatever the status: "0" means none, and sometimes stands beside rows.
    if (data?.status !== "0" || Array.isArray(data.result)) return undefined;
    const reason = typeof data.result === "string" ? data.result : (data.message ?? "");
    // The contract's source was never published, which is an answer.
    if (/not verified/i.test(reason)) return undefined;
    const [, error] = REFUSALS.find(([pattern]) => pattern.test(reason)) ?? [];
    return error?.(name) ?? new CapabilityError("UPSTREAM_ERROR", `${name} could not answer.`);
  };
}
