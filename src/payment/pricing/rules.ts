/**
 * HostRules that a host sets as a whole while it runs, for all instances of a store: the `pricing` and `payers` of its options,
 * and endpoints that are stopped.
 */
import type { PayersOptions } from "../admission/options.js";
import type { PricingOptions } from "./pricing.js";

/** All that is not named here is as the catalogue has it: no stop, no list of wallets. */
export interface HostRules {
  /** Replaces the option `pricing`. */
  pricing?: PricingOptions;
  /** Replaces the option `payers`, which must be set at the start, if only to `{}`. */
  payers?: PayersOptions;
  /** Endpoints that are stopped, and the reason that callers read; those of `handle.stop` are stopped beside them. */
  stopped?: Readonly<Record<string, string>>;
}

/** As they are stored: the prices of the last hour and of now, and what else holds now. */
export interface StoredRules {
  digest: string;
  prices: { from: number; markup?: number | undefined; overrides?: Record<string, string> | undefined }[];
  stopped?: Record<string, string> | undefined;
  payers?: { allow?: string[] | undefined; deny?: string[] | undefined } | undefined;
}
