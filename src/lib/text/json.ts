/** Untrusted JSON: measures it before parsing, and parses it without delaying others. */
import { createPacer, type Pacer } from "../pacer.js";
import { measuredJson, UnreadJson } from "./unread-json.js";

/** A list or an object that is too long to be parsed at once, with the commas at which it is divided. */
interface Long {
  start: number;
  end: number;
  cuts: number[];
  /** Elements of lists and members of objects in it, in total. */
  parts: number;
  /** Characters of texts and names in it. */
  characters: number;
  /** Numbers in it that are beyond JavaScript's range. */
  infinite: number;
}

export interface JsonShape {
  /** Nesting depth. */
  depth: number;
  /** Total number of members of objects: each costs a parser as much as fifty bytes of text. */
  members: number;
  /** Whether a number in it may exceed JavaScript's range, and whether one does. */
  mayOverflow: boolean;
  /** The first whole number in it that JavaScript would round to another. */
  rounded: string | undefined;
  isInfinite: boolean;
  /** Ordered by their ends: the last one contains all others. */
  long: Long[];
}

/** A number with fewer digits is finite, unless it has an exponent. */
const MAX_DIGITS = 308;
/** Approximate size that is parsed at once. */
const SLICE = 8 * 1024;
const LONG = 2 * SLICE;

/** A list or an object that is being read. */
interface Open extends Long {
  comma: number;
  isList: boolean;
}

/** Others may have their turn after as many characters. */
const STEP = 32 * 1024;

/** Measures in one pass that skips texts. It assumes valid JSON; the parser reports errors. */
export function shapeOf(json: string): JsonShape {
  const measuring = measure(json);
  for (;;) {
    const step = measuring.next();
    if (step.done) return step.value;
  }
}

/** The same for a long text, with pauses for other work. */
export async function shapeInTurns(json: string, pacer: Pacer): Promise<JsonShape> {
  const measuring = measure(json);
  for (;;) {
    const step = measuring.next();
    if (step.done) return step.value;
    if (pacer.isDue()) await pacer.rest();
  }
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a hostile body passes here before its parser, so each character costs no call.
function* measure(json: string): Generator<void, JsonShape> {
  const open: Open[] = [];
  const long: Long[] = [];
  let [depth, members, elements, digits, isLarge, mayOverflow] = [0, 0, 0, 0, false, false];
  let [characters, infinite, nextEscape] = [0, 0, json.indexOf("\\")];
  let rounded: string | undefined;
  let turn = STEP;
  for (let i = 0; i < json.length; i++) {
    if (i >= turn) {
      turn = i + STEP;
      yield;
    }
    const char = json.charCodeAt(i);
    if (char >= 48 && char <= 57) {
      if (++digits > MAX_DIGITS) isLarge = true;
      continue;
    }
    if (digits > SURE_DIGITS && !rounded) rounded = roundedEndingAt(json, i, digits);
    if (digits > 0 && (char === 101 || char === 69) /* e */) isLarge = true;
    else if (isLarge && !isOfNumber(char)) {
      // Few numbers may be so large; these are read here.
      [mayOverflow, isLarge] = [true, false];
      if (isInfiniteBefore(json, i)) infinite++;
    }
    digits = 0;
    if (char === 34 /* " */) {
      const end = endOfText(json, i);
      characters += end - i - 1;
      if (nextEscape >= 0 && nextEscape < i) nextEscape = json.indexOf("\\", i);
      if (nextEscape >= 0 && nextEscape < end) characters -= escapesIn(json, nextEscape, end);
      i = end;
    } else if (char === 44 /* , */) {
      const within = open.at(-1);
      if (within?.isList) elements++;
      noteComma(within, i);
    } else if (char === 58 /* : */) members++;
    else if (char === 91 /* [ */ || char === 123 /* { */) {
      // Its parts are those after it, less those before it.
      open.push({
        start: i,
        end: i,
        cuts: [],
        comma: i,
        isList: char === 91,
        parts: members + elements,
        characters,
        infinite,
      });
      depth = Math.max(depth, open.length);
    } else if (char === 93 || char === 125) {
      const closed = open.pop();
      if (closed?.isList && !endsEmpty(json, i)) elements++;
      if (!closed || i - closed.start < LONG) continue;
      long.push({
        ...closed,
        end: i,
        parts: members + elements - closed.parts,
        characters: characters - closed.characters,
        infinite: infinite - closed.infinite,
      });
      cutBefore(open.at(-1));
    }
  }
  if (isLarge && isInfiniteBefore(json, json.length)) infinite++;
  return { depth, members, mayOverflow: mayOverflow || isLarge, isInfinite: infinite > 0, rounded, long };
}

/** A point or a sign, within a number. */
const isOfNumber = (char: number): boolean => char === 46 || char === 43 || char === 45;

/** Whether the number that ends here is beyond JavaScript's range. */
function isInfiniteBefore(json: string, end: number): boolean {
  let start = end;
  while (start > 0 && isSignOfNumber(json.charCodeAt(start - 1))) start--;
  return Math.abs(Number(json.slice(start, end))) === Number.POSITIVE_INFINITY;
}

const isSignOfNumber = (char: number): boolean =>
  (char >= 48 && char <= 57) || isOfNumber(char) || char === 101 || char === 69;

/** By how much a text is shorter when its escapes are read. */
function escapesIn(json: string, first: number, end: number): number {
  let less = 0;
  for (let at = first; at >= 0 && at < end; at = json.indexOf("\\", at)) {
    const isCode = json.charCodeAt(at + 1) === 117; /* u */
    less += isCode ? 5 : 1;
    at += isCode ? 6 : 2;
  }
  return less;
}

/** Whole numbers of so many digits are always held. */
const SURE_DIGITS = 15;

/** The digits before a place, if they are a whole number that JavaScript cannot hold; fractions are rounded everywhere. */
function roundedEndingAt(json: string, end: number, count: number): string | undefined {
  const start = end - count;
  if (/[.eE]/.test(json[end] ?? "") || /(?:\.|[eE][+-]?)$/.test(json.slice(Math.max(0, start - 2), start)))
    return undefined;
  const digits = json.slice(start, end);
  return count <= MAX_DIGITS && BigInt(Number(digits)) !== BigInt(digits) ? digits : undefined;
}

/** Whether a bracket closes a list without elements, or the end of one. */
function endsEmpty(json: string, end: number): boolean {
  let before = end - 1;
  while (isBlankAt(json, before)) before--;
  return json.charCodeAt(before) === 91 /* [ */;
}

const isBlankAt = (json: string, i: number): boolean => {
  const char = json.charCodeAt(i);
  return char === 32 || (char >= 9 && char <= 13);
};

function noteComma(open: Open | undefined, at: number): void {
  if (!open) return;
  if (at - (open.cuts.at(-1) ?? open.start) > SLICE) open.cuts.push(at);
  open.comma = at;
}

/** A long member is a slice of its own. */
function cutBefore(open: Open | undefined): void {
  if (open && open.comma > (open.cuts.at(-1) ?? open.start)) open.cuts.push(open.comma);
}

/** End of the text that begins at a quotation mark: the next one that is not escaped. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json.charCodeAt(before) === 92 /* \ */) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return json.length;
}

/** Objects that were assembled from slices of names. */
const wide = new WeakSet<object>();

/** Whether an object is known to have very many names, so that listing them takes as long as parsing. */
export const isKnownWide = (value: object): boolean => wide.has(value);

/** Whether a long member of the whole is left unread, by its name and its size. */
export type Leaving = (name: string, value: UnreadJson) => boolean;

/**
 * Like JSON.parse, but with pauses for other work between the slices of a long value. Rejects with a SyntaxError. An
 * UnreadJson stands for a member that is left, whose text is not checked.
 */
export async function parseInTurns(
  json: string,
  { long }: Pick<JsonShape, "long">,
  { pacer = createPacer(0), leaves = () => false }: { pacer?: Pacer; leaves?: Leaving } = {},
): Promise<unknown> {
  const whole = long.at(-1);
  if (!whole || !isBlank(json.slice(0, whole.start)) || !isBlank(json.slice(whole.end + 1))) return JSON.parse(json);
  return new Assembly(json, long, pacer).read(whole, leaves);
}

/** Reads long values slice by slice; those within others are among them. */
class Assembly {
  readonly #json: string;
  readonly #byStart: ReadonlyMap<number, Long>;
  readonly #starts: readonly number[];
  /** How many long values were begun, in the order of their starts. The first is the whole. */
  #begun = 1;
  readonly #pacer: Pacer;

  constructor(json: string, long: readonly Long[], pacer: Pacer) {
    this.#json = json;
    this.#pacer = pacer;
    this.#byStart = new Map(long.map((one) => [one.start, one]));
    this.#starts = [...this.#byStart.keys()].sort((a, b) => a - b);
  }

  async read({ start, end, cuts, parts, characters }: Long, leaves?: Leaving): Promise<unknown> {
    const json = this.#json;
    const isList = json[start] === "[";
    if (json[end] !== (isList ? "]" : "}")) throw new SyntaxError("brackets do not match");
    const whole = isList ? listOf() : objectOf();
    let slices = 0;
    for (const [i, cut] of [start, ...cuts].entries()) {
      const until = cuts[i] ?? end;
      const inner = this.#innerBefore(until);
      if (inner) await this.#addLong(whole, inner, { cut, until, leaves });
      else {
        slices++;
        const text = json.slice(cut + 1, until);
        if (isBlank(text) && cuts.length > 0) throw new SyntaxError("an element is missing");
        whole.addSlice(text);
      }
      if (this.#pacer.isDue()) await this.#pacer.rest();
    }
    if (slices > 1) wide.add(whole.value);
    measuredJson.set(whole.value, { values: parts + 1, characters });
    return whole.value;
  }

  /** Adds a long value, which must be alone in its slice. */
  async #addLong(
    whole: Whole,
    inner: Long,
    { cut, until, leaves }: { cut: number; until: number; leaves: Leaving | undefined },
  ): Promise<void> {
    const name = whole.nameIn(this.#json.slice(cut + 1, inner.start));
    const isAlone = isBlank(this.#json.slice(inner.end + 1, until));
    if (name === undefined || !isAlone) throw new SyntaxError("a comma is missing");
    const { characters, infinite, parts } = inner;
    const text = this.#json.slice(inner.start, inner.end + 1);
    const unread = new UnreadJson(text[0] === "[", parts, { text, characters, isInfinite: infinite > 0 });
    if (!leaves?.(name, unread)) return whole.add(name, await this.read(inner));
    this.#skip(inner);
    whole.add(name, unread);
  }

  /** Counts the long values within one as begun. */
  #skip({ end }: Long): void {
    while ((this.#starts[this.#begun] ?? Number.POSITIVE_INFINITY) < end) this.#begun++;
  }

  /** The long value within a slice, if there is one. */
  #innerBefore(until: number): Long | undefined {
    const inner = this.#byStart.get(this.#starts[this.#begun] ?? -1);
    if (!inner || inner.start >= until) return undefined;
    this.#begun++;
    return inner;
  }
}

/** A list or an object that is put together from its slices. */
interface Whole {
  readonly value: object;
  /** The name of a long member, by the text before it; undefined if more than that stands there. Empty in a list. */
  nameIn(before: string): string | undefined;
  add(name: string, value: unknown): void;
  /** Adds the members of a slice. */
  addSlice(text: string): void;
}

function listOf(): Whole {
  const value: unknown[] = [];
  return {
    value,
    nameIn: (before) => (isBlank(before) ? "" : undefined),
    add: (_, one) => void value.push(one),
    addSlice(text) {
      for (const one of JSON.parse(`[${text}]`) as unknown[]) value.push(one);
    },
  };
}

function objectOf(): Whole {
  const value: Record<string, unknown> = {};
  return {
    value,
    nameIn(before) {
      const [name, ...more] = Object.keys(JSON.parse(`{${before}0}`));
      return more.length > 0 ? undefined : name;
    },
    add: (name, one) => setMember(value, name, one),
    addSlice(text) {
      const slice: Record<string, unknown> = JSON.parse(`{${text}}`);
      // Pairs of names and values would double the garbage.
      for (const name of Object.keys(slice)) setMember(value, name, slice[name]);
    },
  };
}

const isBlank = (text: string): boolean => !/[^ \t\n\r]/.test(text);

function setMember(members: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") members[name] = value;
  else Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true });
}
