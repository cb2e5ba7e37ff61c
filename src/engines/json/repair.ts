/** Repairs almost-JSON, as models and people write it, and tells each place that was changed. */
import { CapabilityError, invalid } from "../../errors.js";
import { jsonObjection } from "./bounds.js";
import { repairText } from "./repairing/repair-text.js";
import { parseJson, plainValue, writeJson } from "./text.js";
import { changesOf, type TextChange } from "./text-changes.js";

export interface Repair {
  value: unknown;
  /** JSON text of the value, with every digit. */
  json: string;
  changed: boolean;
  changes: TextChange[];
  /** Whether the changes leave no doubt about what was meant. */
  certain: boolean;
}

export function repair(text: string): Repair {
  const strict = attempt(() => parseJson(text));
  if (strict) return { ...answerFor(strict.value), changed: false, changes: [], certain: true };
  const repaired = repairedOf(text);
  const changes = changesOf(text, repaired);
  // A name that stands twice is refused by the strict reader; the last one counts, as everywhere, but that is a guess.
  const exact = attempt(() => parseJson(repaired));
  const value = exact ? exact.value : JSON.parse(repaired);
  const certain = exact !== undefined && changes.every(({ kind }) => CERTAIN.has(kind));
  return { ...answerFor(value), changed: true, changes, certain };
}

/** Kinds of changes that have one meaning. */
const CERTAIN: ReadonlySet<TextChange["kind"]> = new Set([
  "comment",
  "constant",
  "fence",
  "quotes",
  "trailing-comma",
  "blank",
]);

function answerFor(value: unknown): { value: unknown; json: string } {
  const plain = plainValue(value);
  const objection = jsonObjection(plain);
  if (objection)
    throw new CapabilityError("RESULT_TOO_LARGE", `The repaired JSON ${objection}.`, {
      issues: [{ path: "text", message: `repaired, it ${objection}` }],
    });
  return { value: plain, json: writeJson(value) };
}

function attempt<T>(read: () => T): { value: T } | undefined {
  try {
    return { value: read() };
  } catch {
    return undefined;
  }
}

/** The text itself, the blocks of code in it, or its part from the first bracket to the last. */
function partsOf(text: string): string[] {
  const blocks = blocksOf(text);
  const start = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf("]"), text.lastIndexOf("}")) + 1;
  const before = text.slice(0, Math.max(start, 0));
  const isProse = /[a-z]/i.test(before) && !/["'`]/.test(before);
  const isBlock = blocks.length > 0 && !/^\s*[[{"]/.test(text);
  return [
    ...(isBlock ? [blocks.length === 1 ? (blocks[0] ?? "") : `[${blocks.join(",")}]`] : []),
    ...(isProse ? [text.slice(start)] : []),
    text,
    ...(end > start ? [text.slice(start, end)] : []),
  ];
}

const LANGUAGE = /(?:json5?|javascript|js)?[ \t]*\r?\n?/iy;

/** The texts between fences of Markdown, or after one to the end. */
function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  for (let fence = text.indexOf("```"); fence >= 0; ) {
    LANGUAGE.lastIndex = fence + 3;
    LANGUAGE.test(text);
    const tick = text.indexOf("`", fence + 3);
    const end = tick < 0 ? text.length : tick;
    const block = text.slice(LANGUAGE.lastIndex, end) || text.slice(fence + 3, end);
    const isBlock = block !== "" && (tick < 0 || text.startsWith("```", tick));
    if (isBlock) blocks.push(block.trim());
    fence = text.indexOf("```", isBlock ? end + 3 : fence + 1);
  }
  return blocks;
}

function repairedOf(text: string): string {
  let first: unknown;
  for (const part of partsOf(text)) {
    try {
      const repaired = repairText(part);
      JSON.parse(repaired);
      return repaired;
    } catch (error) {
      if (error instanceof RangeError || CapabilityError.is(error)) throw error;
      first ??= error;
    }
  }
  const message = first instanceof Error ? first.message.slice(0, 200) : "";
  throw invalid("text", `cannot be repaired without guessing: ${message}`);
}
