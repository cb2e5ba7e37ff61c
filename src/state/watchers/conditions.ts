/** Judges a watcher's condition by the earlier and the current value. */
import { createHash } from "node:crypto";
import { sortedJson } from "../../lib/text/sorted-json.js";

export const CONDITIONS = ["changed", "new_items", "above", "below", "pct_up", "pct_down", "equals"] as const;

export interface Condition {
  type: (typeof CONDITIONS)[number];
  /** JSON pointer into the result. */
  path: string;
  threshold?: number | undefined;
  value?: unknown;
  /** JSON pointer into a row. */
  itemKey?: string | undefined;
}

/** State remembered from one answer to the next. */
export interface Seen {
  value: unknown;
  truncated?: boolean;
  /** Digest of the value, or of the known rows. */
  digests?: string[];
  /** For equals: the value to compare with, stored beside the state, since it is the caller's own. */
  wanted?: unknown;
  /** Id of the account's key that armed it. */
  by?: string | undefined;
  /** Whether the condition held. */
  holds?: boolean;
  /** Base of percentages. */
  base?: number;
}

export interface ConditionVerdict {
  fires: boolean;
  seen: Seen;
  previous: unknown;
  current: unknown;
  truncated: boolean;
  /** The new rows. */
  items?: unknown[];
}

/** Size limit of a value in a message, as JSON. */
const MAX_VALUE_BYTES = 16 * 1024;
const MAX_ITEMS = 50;
const MAX_ITEMS_BYTES = 64 * 1024;
const REMEMBERED = 1000;

/** Why a condition cannot be judged by an answer. */
export class Unusable extends Error {}

/** The value at a JSON pointer (RFC 6901); undefined if there is none. */
function valueAt(data: unknown, pointer: string): unknown {
  let value = data;
  for (const step of pointer.split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    if (Array.isArray(value) && !/^\d+$/.test(name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Never fires on the first answer. Throws Unusable. */
export function judge(condition: Condition, data: unknown, before?: Seen): ConditionVerdict {
  const value = valueAt(data, condition.path);
  if (value === undefined) throw new Unusable(`the answer has nothing at ${condition.path}`);
  const shown = shorten(value);
  const outcome = outcomeOf(condition, value, before);
  const previous = before?.base !== undefined ? before.base : (before?.value ?? null);
  return {
    fires: false,
    ...outcome,
    seen: { ...outcome.seen, ...shown },
    previous,
    current: shown.value,
    truncated: Boolean(shown.truncated || before?.truncated || outcome.truncated),
  };
}

type Outcome = Partial<Pick<ConditionVerdict, "fires" | "items" | "truncated">> & { seen: Omit<Seen, "value"> };

function outcomeOf(condition: Condition, value: unknown, before: Seen | undefined): Outcome {
  const { type, threshold = 0 } = condition;
  switch (type) {
    case "changed": {
      const digests = [digest(value)];
      return { fires: before !== undefined && before.digests?.[0] !== digests[0], seen: { digests } };
    }
    case "new_items":
      return newItems(condition, value, before);
    case "above":
      return crossing(numberOf(condition, value) > threshold, before);
    case "below":
      return crossing(numberOf(condition, value) < threshold, before);
    case "equals":
      return crossing(digest(value) === digest(condition.value), before);
    default:
      return moved(condition, numberOf(condition, value), before);
  }
}

/** Fires when the condition begins to hold, and not while it continues. */
const crossing = (holds: boolean, before: Seen | undefined): Outcome => ({
  fires: holds && before?.holds === false,
  seen: { holds },
});

/**
 * Compares with a base, which moves to the value that fired. A base of zero has no percentage, so it moves without
 * firing.
 */
function moved({ type, threshold = 0 }: Condition, value: number, before: Seen | undefined): Outcome {
  const base = before?.base;
  if (!base) return { seen: { base: value } };
  // Rounds, because ten percent of 121 must be 12.1 in floating point, too.
  const percent = Number((((value - base) / Math.abs(base)) * 100).toPrecision(12));
  const fires = type === "pct_up" ? percent >= threshold : percent <= -threshold;
  return { fires, seen: { base: fires ? value : base } };
}

function newItems({ path, itemKey }: Condition, value: unknown, before: Seen | undefined): Outcome {
  if (!Array.isArray(value)) throw new Unusable(`the answer's value at ${path} is not a list`);
  const rows = new Map(value.map((row) => [digest((itemKey && valueAt(row, itemKey)) ?? row), row as unknown]));
  const old = before?.digests ?? [];
  const known = new Set(old);
  const fresh = before ? [...rows].filter(([key]) => !known.has(key)).map(([, row]) => row) : [];
  // The current rows are remembered in any case.
  const digests = [...old.filter((key) => !rows.has(key)), ...rows.keys()].slice(-Math.max(REMEMBERED, rows.size));
  const items: unknown[] = [];
  let bytes = 0;
  for (const row of fresh.slice(0, MAX_ITEMS)) {
    bytes += sizeOf(row);
    if (bytes > MAX_ITEMS_BYTES) break;
    items.push(row);
  }
  return { fires: fresh.length > 0, seen: { digests }, items, truncated: items.length < fresh.length };
}

function numberOf({ path }: Condition, value: unknown): number {
  const isText = typeof value === "string" && /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value);
  const number = isText || typeof value === "number" ? Number(value) : Number.NaN;
  if (!Number.isFinite(number)) throw new Unusable(`the answer's value at ${path} is not a number`);
  return number;
}

const digest = (value: unknown): string =>
  createHash("sha256").update(sortedJson(value)).digest("base64url").slice(0, 22);

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const shorten = (value: unknown): Pick<Seen, "value" | "truncated"> =>
  sizeOf(value) > MAX_VALUE_BYTES ? { value: null, truncated: true } : { value };
