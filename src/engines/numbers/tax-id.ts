/** Tax and identity numbers of a country, by one kind or by all that it has. */
import { kindOf, rulesOf } from "./registry.js";
import { judgeNumber, type NumberFault, type NumberRules, type NumberVerdict } from "./rule.js";

export interface TaxMatch {
  kind: string;
  name: string;
  type: NumberRules[string]["type"];
  normalized: string;
  formatted: string;
  details: NumberVerdict["details"];
}

export interface TaxVerdict {
  valid: boolean;
  matches: TaxMatch[];
  reason: NumberFault | null;
}

/** The nearer a number came to a kind, the more its reason tells. */
const NEARER: readonly NumberFault[] = ["length", "format", "component", "checksum"];

/** Kinds of a country, first VAT numbers, then those of companies and persons, then accounts and other codes. */
export const TYPES = ["vat", "company", "person", "bank", "other"] as const;

export async function kindsOf(country: string): Promise<string[] | undefined> {
  const rules = await rulesOf(country);
  return rules && Object.keys(rules);
}

/** Judges by one kind; without a kind, by all that name a taxpayer: no bank accounts or postal codes. */
export async function judgeTaxId(
  { country, kind, value }: { country: string; kind?: string | undefined; value: string },
  now: Date,
): Promise<TaxVerdict> {
  const rules: NumberRules = (await rulesOf(country)) ?? {};
  const chosen = kind === undefined ? undefined : kindOf(rules, kind);
  const tried = chosen ? [chosen] : Object.entries(rules).filter(([, { type }]) => TYPES.indexOf(type) < 3);
  const verdicts = tried
    .sort(([, a], [, b]) => TYPES.indexOf(a.type) - TYPES.indexOf(b.type))
    .map(([name, rule]) => ({ kind: name, rule, ...judgeNumber(rule, value, now) }));
  const matches = verdicts.flatMap(({ kind: name, rule, normalized, formatted, details }) =>
    normalized === null
      ? []
      : [{ kind: name, name: rule.name, type: rule.type, normalized, formatted: formatted ?? normalized, details }],
  );
  const reasons = verdicts.flatMap(({ reason }) => reason ?? []);
  const nearest = reasons.sort((a, b) => NEARER.indexOf(b) - NEARER.indexOf(a))[0] ?? "format";
  return { valid: matches.length > 0, matches, reason: matches.length > 0 ? null : nearest };
}
