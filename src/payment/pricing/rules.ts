/**
 * HostRules that a host sets as a whole while it runs, for all instances of a store: the `pricing` and `payers` of its options,
 * and endpoints that are stopped.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import { exactMicros } from "../../lib/money.js";
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

/** Longer rules are refused, since each process reads them every few seconds. */
const MAX_CHARACTERS = 200_000;

// guard: rules: a price that cannot be read fails no call | = once(() => z.string()) | handler/rules
const price = once(() => z.string().refine(isPrice));

/** The prices of the last hour and of now, and what else holds now. */
export const storedRules = once(() =>
  z.looseObject({
    digest: z.string(),
    prices: z.array(
      z.looseObject({
        from: z.number(),
        markup: z.number().positive().optional(),
        overrides: z.record(z.string(), price()).optional(),
      }),
    ),
    stopped: z.record(z.string(), z.string()).optional(),
    payers: z.looseObject({ allow: z.array(z.string()).optional(), deny: z.array(z.string()).optional() }).optional(),
  }),
);
export type StoredRules = z.infer<ReturnType<typeof storedRules>>;

/** A name of what the rules say, whatever the order of their members. */
export function digestOf({ pricing = {}, payers = {}, stopped = {} }: HostRules): string {
  const sorted = (of: Readonly<Record<string, string>> = {}) => Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([
    pricing.markup ?? 1,
    sorted(pricing.overrides),
    payers.allow ? [...payers.allow].sort() : null,
    [...(payers.deny ?? [])].sort(),
    sorted(stopped),
  ]);
  return createHash("sha256").update(text).digest("hex");
}

/** The rules that follow others. Throws a TypeError for too many changes within an hour, or too much text. */
export function rulesAfter(
  before: StoredRules | undefined,
  rules: HostRules,
  { now, formerMs }: { now: number; formerMs: number },
): StoredRules {
  const { pricing: { markup, overrides } = {}, payers, stopped } = rules;
  const known = before?.prices ?? [];
  const from = Math.max(now, (known.at(-1)?.from ?? 0) + 1);
  const next: StoredRules["prices"][number] = {
    from,
    ...(markup === undefined ? {} : { markup }),
    ...(overrides === undefined ? {} : { overrides: { ...overrides } }),
  };
  // Prices that ended longer ago than any quote is valid hold for no payment.
  const young = known.filter((_, index) => (known[index + 1]?.from ?? from) > now - formerMs);
  const stored: StoredRules = {
    digest: digestOf(rules),
    prices: [...young.slice(-MAX_FORMER), next],
    ...(stopped ? { stopped: { ...stopped } } : {}),
    ...(payers ? { payers: { ...payers } as StoredRules["payers"] } : {}),
  };
  if (JSON.stringify(stored).length > MAX_CHARACTERS)
    throw new TypeError(`configure: prices, stops and lists have more than ${MAX_CHARACTERS} characters together.`);
  return stored;
}

/** Earlier prices that payments may still be signed for. */
const MAX_FORMER = 19;

function isPrice(usd: string): boolean {
  try {
    return exactMicros(usd) > 0n;
  } catch {
    return false;
  }
}
