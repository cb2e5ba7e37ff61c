/** Maven's versions: any text, in the order of its ComparableVersion, and ranges such as `[1.0,2.0)`. */
import { numberOf, type Scheme, type Step } from "./scheme.js";

type Item =
  | { kind: "number"; value: bigint }
  | { kind: "word"; value: string }
  | { kind: "both"; word: string; value: bigint }
  | { kind: "list"; items: Item[] };

/** Where qualifiers stand: before the release, as the release, after it; unknown ones follow by alphabet. */
const QUALIFIERS = ["alpha", "beta", "milestone", "rc", "snapshot", "", "sp"];
const RELEASE = QUALIFIERS.indexOf("");
const AS_RELEASE = ["ga", "final", "release"];
const SHORT: Readonly<Record<string, string>> = { a: "alpha", b: "beta", m: "milestone" };

const word = (text: string, beforeDigit: boolean): string => {
  const long = beforeDigit ? (SHORT[text] ?? text) : text;
  return long === "cr" ? "rc" : long;
};

/** Texts are cut at dots and hyphens, and where digits meet letters; a hyphen opens a list of its own. */
function readMaven(version: string): Item {
  const reader = new Reader(version.toLowerCase());
  return reader.read();
}

class Reader {
  readonly #root: Item[] = [];
  readonly #lists: Item[][] = [this.#root];
  #list = this.#root;
  #start = 0;
  #isDigit = false;
  #isBoth = false;

  constructor(readonly text: string) {}

  read(): Item {
    for (let at = 0; at < this.text.length; at++) this.#step(at);
    if (this.text.length > this.#start) {
      if (!this.#isDigit && this.#list.length > 0) this.#open();
      this.#add(this.text.length);
    }
    for (const list of this.#lists.reverse()) normalize(list);
    return { kind: "list", items: this.#root };
  }

  #step(at: number): void {
    const character = this.text[at] as string;
    if (character === ".") {
      this.#add(at);
      this.#start = at + 1;
      this.#isBoth = false;
    } else if (character === "-") this.#hyphen(at);
    else if (/\d/.test(character)) this.#digit(at);
    else {
      if (this.#isDigit && at > this.#start) {
        this.#add(at);
        this.#start = at;
        this.#open();
        this.#isBoth = false;
      }
      this.#isDigit = false;
    }
  }

  #hyphen(at: number): void {
    // `rc-1` is `rc1`.
    if (at > this.#start && !this.#isDigit && /\d/.test(this.text[at + 1] ?? "")) {
      this.#isBoth = true;
      return;
    }
    this.#add(at);
    this.#start = at + 1;
    this.#open();
    this.#isBoth = false;
  }

  #digit(at: number): void {
    if (!this.#isDigit && at > this.#start) {
      this.#isBoth = true;
      if (this.#list.length > 0) this.#open();
    }
    this.#isDigit = true;
  }

  #open(): void {
    const items: Item[] = [];
    this.#list.push({ kind: "list", items });
    this.#list = items;
    this.#lists.push(items);
  }

  #add(end: number): void {
    this.#list.push(itemOf(this.text.slice(this.#start, end), this.#isBoth, this.#isDigit));
  }
}

function itemOf(text: string, isBoth: boolean, isDigit: boolean): Item {
  if (text === "") return { kind: "number", value: 0n };
  if (!isBoth) return isDigit ? { kind: "number", value: BigInt(text) } : { kind: "word", value: word(text, false) };
  const whole = text.replaceAll("-", "");
  const digit = whole.search(/\d/);
  return { kind: "both", word: word(whole.slice(0, digit), true), value: BigInt(whole.slice(digit)) };
}

const isNull = (item: Item | undefined): boolean =>
  item !== undefined &&
  ((item.kind === "number" && item.value === 0n) ||
    (item.kind === "word" && item.value === "") ||
    (item.kind === "list" && item.items.length === 0));

/** Zeros at the end, or before a qualifier, mean nothing: 1.0.0-rc is 1-rc. */
function normalize(items: Item[]): void {
  for (let at = items.length - 1; at >= 0; at--) {
    if (!isNull(items[at])) continue;
    const after = items[at + 1];
    const first = after?.kind === "list" ? after.items[0] : after;
    const isQualifier = first?.kind === "word" || (after?.kind === "list" && first?.kind === "both");
    if (at === items.length - 1 || isQualifier) items.splice(at, 1);
  }
}

function compareWords(a: string, b: string): number {
  const [left, right] = [qualifier(a), qualifier(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function qualifier(text: string): string {
  const at = AS_RELEASE.includes(text) ? RELEASE : QUALIFIERS.indexOf(text);
  return at < 0 ? `${QUALIFIERS.length}-${text}` : String(at);
}

/** Words come before words with a number of another word, those before lists, lists before numbers. */
const RANK = { word: 0, both: 0, list: 1, number: 2 };

function compareItems(a: Item | undefined, b: Item | undefined): number {
  if (!a) return b ? -compareItems(b, undefined) : 0;
  if (!b) return compareWithNothing(a);
  if (RANK[a.kind] !== RANK[b.kind]) return RANK[a.kind] - RANK[b.kind];
  if (a.kind === "list" && b.kind === "list") return compareLists(a.items, b.items);
  if (a.kind === "number" && b.kind === "number") return order(a.value, b.value);
  return compareWords(wordOf(a), wordOf(b)) || order(countOf(a), countOf(b));
}

const wordOf = (item: Item): string => (item.kind === "both" ? item.word : item.kind === "word" ? item.value : "");
/** A word alone comes before the same word with any number. */
const countOf = (item: Item): bigint => (item.kind === "both" ? item.value : -1n);
const order = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

function compareWithNothing(item: Item): number {
  if (item.kind === "number") return item.value === 0n ? 0 : 1;
  if (item.kind !== "list") return compareWords(wordOf(item), "");
  for (const inner of item.items) {
    const result = compareWithNothing(inner);
    if (result !== 0) return result;
  }
  return 0;
}

function compareLists(a: readonly Item[], b: readonly Item[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const result = compareItems(a[at], b[at]);
    if (result !== 0) return result;
  }
  return 0;
}

const compareMaven = (a: string, b: string): number => Math.sign(compareItems(readMaven(a), readMaven(b)));

function canonical(item: Item): string {
  if (item.kind !== "list") return item.kind === "both" ? item.word + item.value : String(item.value);
  return item.items.reduce(
    (text, inner) => text + (text === "" ? "" : inner.kind === "list" ? "-" : ".") + canonical(inner),
    "",
  );
}

interface Interval {
  from: string;
  to: string;
  withFrom: boolean;
  withTo: boolean;
}

const isAbove = (version: string, { from, withFrom }: Interval): boolean =>
  from === "" || compareMaven(version, from) >= (withFrom ? 0 : 1);
const isBelow = (version: string, { to, withTo }: Interval): boolean =>
  to === "" || compareMaven(version, to) <= (withTo ? 0 : -1);

/** The intervals of a range; none for a version alone, which is a wish that any version meets. */
function readMavenRange(range: string): Interval[] | undefined {
  const text = range.trim();
  if (!/[[\](),]/.test(text)) return text === "" ? undefined : [];
  const intervals: Interval[] = [];
  let rest = text;
  while (rest !== "") {
    const end = rest.search(/[\])]/);
    const interval = end > 0 ? readInterval(rest.slice(0, end + 1)) : undefined;
    const last = intervals.at(-1);
    if (!interval || (last && !follows(last, interval))) return undefined;
    intervals.push(interval);
    const after = rest.slice(end + 1).trim();
    rest = after.startsWith(",") ? after.slice(1).trim() : after;
    if (after !== "" && !after.startsWith(",")) return undefined;
  }
  return intervals;
}

function readInterval(text: string): Interval | undefined {
  const open = text[0];
  const close = text.at(-1);
  if (open !== "[" && open !== "(") return undefined;
  const bounds = text
    .slice(1, -1)
    .split(",")
    .map((bound) => bound.trim());
  const [from = "", to] = bounds;
  if (to === undefined) {
    if (open !== "[" || close !== "]" || from === "") return undefined;
    return { from, to: from, withFrom: true, withTo: true };
  }
  if (bounds.length > 2 || (from !== "" && from === to)) return undefined;
  if (from !== "" && to !== "" && compareMaven(to, from) < 0) return undefined;
  return { from, to, withFrom: open === "[", withTo: close === "]" };
}

/** Intervals come in order and do not overlap. */
const follows = (last: Interval, next: Interval): boolean =>
  last.to !== "" && next.from !== "" && compareMaven(next.from, last.to) >= 0;

const STEPS: Partial<Record<Step["release"], number>> = { major: 0, minor: 1, patch: 2 };

export const mavenScheme: Scheme = {
  parse(version) {
    if (version.trim() === "") return null;
    const numbers = /^\d+(?:\.\d+)*/.exec(version)?.[0] ?? "";
    const suffix = version.slice(numbers.length).replace(/^[-.]/, "");
    const isPrerelease = compareMaven(version, numbers || "0") < 0;
    return {
      normalized: canonical(readMaven(version)),
      release: numbers === "" ? [] : numbers.split(".").map(numberOf),
      prerelease: isPrerelease && suffix !== "" ? [suffix] : [],
      qualifier: suffix === "" ? null : suffix,
      isSnapshot: /-snapshot$/i.test(version),
      isPrerelease,
    };
  },
  compare: compareMaven,
  within(version, range) {
    const intervals = readMavenRange(range);
    if (!intervals) return undefined;
    const satisfies =
      intervals.length === 0 || intervals.some((interval) => isAbove(version, interval) && isBelow(version, interval));
    if (satisfies) return { satisfies, order: 0 };
    if (intervals.every((interval) => !isAbove(version, interval))) return { satisfies, order: -1 };
    return { satisfies, order: intervals.every((interval) => !isBelow(version, interval)) ? 1 : null };
  },
  range: (range) =>
    readMavenRange(range)
      ?.map(({ from, to, withFrom, withTo }) =>
        from === to && from !== "" ? `[${from}]` : `${withFrom ? "[" : "("}${from},${to}${withTo ? "]" : ")"}`,
      )
      .join(",") ?? null,
  increment(version, { release }) {
    const place = STEPS[release];
    const numbers = /^\d+(?:\.\d+)*/.exec(version)?.[0];
    if (release === "release") return numbers ?? null;
    if (place === undefined) return undefined;
    if (numbers === undefined) return null;
    const parts = numbers.split(".").map(BigInt);
    const all = Array.from({ length: Math.max(parts.length, place + 1) }, (_, at) => parts[at] ?? 0n);
    const isFirst = all.slice(place + 1).every((part) => part === 0n);
    const step = compareMaven(version, numbers) < 0 && isFirst ? 0n : 1n;
    return all.map((part, at) => (at < place ? part : at === place ? part + step : 0n)).join(".");
  },
};
