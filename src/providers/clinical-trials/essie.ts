/** Converts callers' text to Essie, the query language of ClinicalTrials.gov. */
import { invalid } from "../../errors.js";

const PHASES = new Set(["EARLY_PHASE1", "PHASE1", "PHASE2", "PHASE3", "PHASE4", "NA"]);

/**
 * Search words. Text that is not an Essie expression loses its brackets and quotes, because they would fail the search.
 */
export function toWords(field: string, text: string): string {
  // Square brackets belong to an operator: AREA[Phase]PHASE3.
  const words = /\b(?:AREA|COVERAGE|EXPANSION|SEARCH|TILT)\[/.test(text) ? text : text.replace(/[[\]]/g, " ");
  const plain = isBalanced(words) ? words : words.replace(/[()[\]"]/g, " ");
  const trimmed = plain.replace(/\p{Cc}/gu, " ").trim();
  if (trimmed === "") throw invalid(field, "must contain words");
  return trimmed;
}

function isBalanced(text: string): boolean {
  const open: string[] = [];
  for (const character of text.replace(/"[^"]*"/g, "")) {
    if (character === '"') return false;
    if (character === "(") open.push(")");
    if (character === "[") open.push("]");
    if ((character === ")" || character === "]") && open.pop() !== character) return false;
  }
  return open.length === 0;
}

/** `PHASE3`, `Phase 3`, `3`, `Early Phase 1`, `N/A`, or several of them: `PHASE2/PHASE3`. */
export function phaseFilter(text: string): string {
  const areas = text
    .toUpperCase()
    .replace("N/A", "NA")
    .split(/[/,|]/)
    .map((part) => `AREA[Phase]${toPhase(part)}`);
  return areas.length > 1 ? `(${areas.join(" OR ")})` : areas.join();
}

function toPhase(text: string): string {
  const word = text.replace(/[\s_-]/g, "").replace("EARLYPHASE", "EARLY_PHASE");
  const phase = /^\d$/.test(word) ? `PHASE${word}` : word;
  if (!PHASES.has(phase)) throw invalid("phase", `must be of ${[...PHASES].join(", ")}, several joined by a slash`);
  return phase;
}

/** The name in quotes: as a location it would match cities and hospitals, too. */
export function countryFilter(country: string): string {
  const name = country.trim();
  if (name === "" || /["\\[\]\p{Cc}]/u.test(name)) throw invalid("country", "must be the English name of a country");
  return `AREA[LocationCountry]"${name}"`;
}
