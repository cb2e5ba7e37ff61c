/** The numbers of python-stdnum's tests with the verdicts of its code, judged by our rules. */
import { existsSync, readFileSync } from "node:fs";
import { judgeIdentifier, judgeVatin, kindOf, rulesOf } from "../../../src/engines/numbers/registry.js";
import { judgeNumber, type NumberVerdict } from "../../../src/engines/numbers/rule.js";
import { pathFromRoot } from "../../support/render-indexes.js";

export interface Row {
  kind: string;
  value: string;
  valid: boolean;
  normalized?: string | null;
}

/** Undefined where the set is not beside the checkout: its licence keeps it out. */
export function rowsOf(file: string): Row[] | undefined {
  const path = pathFromRoot(`../shared/beyond/${file}.jsonl`);
  if (!existsSync(path)) return undefined;
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const NOW = new Date("2026-11-01T00:00:00Z");
const MEMBERS = "AT BE BG CY CZ DE DK EE ES FI FR GR EL HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI EU IM".split(
  " ",
);
const OF_NO_COUNTRY: Record<string, string> = { "eu.eic": "eic", "eu.ecnumber": "ecnumber" };

/** Their module `de.vat` is our kind `vat` of DE; a module without a country is an identifier. */
async function verdictOn({ kind, value }: Row): Promise<NumberVerdict | undefined> {
  if (kind === "eu.vat") return judgeVatin(value, MEMBERS, NOW);
  const [, country, name] = /^([a-z]{2})_?\.(\w+?)_?$/.exec(OF_NO_COUNTRY[kind] ?? kind) ?? [];
  if (!country || !name) return judgeIdentifier(OF_NO_COUNTRY[kind] ?? kind, value, NOW);
  const rules = await rulesOf(country.toUpperCase());
  const found = rules && kindOf(rules, name);
  return found && judgeNumber(found[1], value, NOW);
}

/** Kinds with how many rows are right, wrong and of no rule here. */
export async function tally(rows: readonly Row[]) {
  const kinds = new Map<string, { right: number; missing: number; wrong: string[] }>();
  for (const row of rows) {
    const found = kinds.get(row.kind) ?? { right: 0, missing: 0, wrong: [] };
    kinds.set(row.kind, found);
    const verdict = await verdictOn(row);
    const isNormal = row.normalized === undefined || (verdict?.normalized ?? null) === row.normalized;
    if (!verdict) found.missing++;
    else if (verdict.valid === row.valid && isNormal) found.right++;
    else found.wrong.push(row.value);
  }
  return kinds;
}
