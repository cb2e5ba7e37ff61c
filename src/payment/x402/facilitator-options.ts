import { type Check, type ChecksOf, listOf, shape, wrong } from "../../lib/options/check.js";
import { count, func, has, webAddress } from "../../lib/options/kinds.js";

export type FacilitatorPath = "verify" | "settle" | "supported";

/** A facilitator by its address, compatible with the configurations of `@coinbase/x402` and others. */
export interface FacilitatorOptions {
  /** Required; optional in the type alone, for compatibility with the ecosystem's packages. */
  url?: string | undefined;
  /** Headers of each call, such as an authorization made anew every time. */
  headers?: ((path: FacilitatorPath) => Record<string, string> | Promise<Record<string, string>>) | undefined;
  /** The same in the form of the ecosystem's packages: the headers of all calls, requested before each. */
  createAuthHeaders?: (() => Promise<{ [path in FacilitatorPath]?: Record<string, string> }>) | undefined;
  /** Time limit of a call. Default 10 s to verify, 45 s to settle. */
  timeoutMs?: number | undefined;
}

const BY_ADDRESS: ChecksOf<FacilitatorOptions> = {
  url: webAddress,
  headers: func('a function of the path that returns headers, such as () => ({ authorization: "…" })'),
  createAuthHeaders: func("a function that returns the headers of verify, settle and supported"),
  timeoutMs: count(1, 600_000),
};
const byAddress = shape<FacilitatorOptions>(BY_ADDRESS, { extras: true });
const MUST = '{ url: "https://…" }, or an object with supported, verify and settle';

/** One facilitator, or a list of them. */
export const facilitatorsOptions: Check = Object.assign(
  (name: string, value: unknown) => {
    if (!Array.isArray(value)) return facilitatorOptions(name, value);
    listOf(facilitatorOptions, { least: 1, most: 10 })(name, value);
  },
  { members: BY_ADDRESS },
);

/** A client or an object of the host's own; otherwise an address with the configuration of the ecosystem's packages. */
export const facilitatorOptions: Check = Object.assign(
  (name: string, value: unknown) => {
    if (has(value, ["verify", "settle"])) return;
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(name, MUST, value);
    byAddress(name, value);
    if ((value as FacilitatorOptions).url === undefined)
      throw new TypeError(`${name} names no url, and has no verify and settle of its own: it must be ${MUST}.`);
  },
  { members: BY_ADDRESS },
);
