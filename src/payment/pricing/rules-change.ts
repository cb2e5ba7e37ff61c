/** Rules of a running host as they are read and changed: their name, what follows them, and what the audit log has of them. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import { exactMicros } from "../../lib/money.js";
import type { HostRules, StoredRules } from "./rules.js";

// guard: rules: a price that cannot be read fails no call | = once(() => z.string()) | handler/rules
const price = once(() => z.string().refine(isPrice));

const storedRules = once(() =>
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

function isPrice(usd: string): boolean {
  try {
    return exactMicros(usd) > 0n;
  } catch {
    return false;
  }
}

/** Undefined for what a later release wrote in another form: the options hold then. */
export const readHostRules = (stored: unknown): StoredRules | undefined => storedRules().safeParse(stored).data;

/** Longer rules are refused, since each process reads them every few seconds. */
const MAX_CHARACTERS = 200_000;

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

/** For the audit log, which has no room for long lists. */
export const auditedRules = ({ digest, prices, stopped = {}, payers = {} }: StoredRules) => ({
  ...{ digest, markup: prices.at(-1)?.markup ?? 1, stopped: Object.keys(stopped).slice(0, 50) },
  overrides: Object.fromEntries(Object.entries(prices.at(-1)?.overrides ?? {}).slice(0, 50)),
  payers: { ...(payers.allow ? { allow: payers.allow.length } : {}), deny: payers.deny?.length ?? 0 },
});
