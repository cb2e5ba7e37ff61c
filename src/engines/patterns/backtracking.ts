/** Whether an engine that backtracks may take exponential or polynomial time for a regular expression. */

/** Atoms as the characters they take, over a small alphabet that has one of each kind. */
const ALPHABET = [..."abcxyzABCXYZ0159_ -.,:;!@#/\\\n\t\"'()[]{}<>|&%$*+?=~^`é中"];

const UNBOUNDED = /^(?:[*+]|\{\d+,\})/;
const REPETITION = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/;

interface Node {
  /** Characters that it may begin with. */
  first: Set<string>;
  /** All that it may take. */
  all: Set<string>;
  /** Whether it may match nothing. */
  isEmpty: boolean;
  /** Characters that unbounded repetitions at its end may take. */
  tail: Set<string>;
  /** Characters that unbounded repetitions at its beginning may take. */
  head: Set<string>;
  /** Whether alternatives in it begin alike. */
  overlaps?: true;
}

const NOTHING = (): Node => ({ first: new Set(), all: new Set(), isEmpty: true, tail: new Set(), head: new Set() });
const union = (a: Set<string>, b: Set<string>) => new Set([...a, ...b]);
const shared = (a: Set<string>, b: Set<string>) => new Set([...a].filter((one) => b.has(one)));
const meets = (a: Set<string>, b: Set<string>) => [...a].some((one) => b.has(one));

/** The reason, or null if nothing was found. A judgement by rules of thumb: the pattern is not run. */
export function backtracks(pattern: string, flags: string): string | null {
  const reader = new Reader(pattern, flags);
  reader.either(0);
  return reader.finding;
}

const MAX_DEPTH = 200;

class Reader {
  #at = 0;
  finding: string | null = null;
  constructor(
    readonly pattern: string,
    readonly flags: string,
  ) {}

  #find(reason: string) {
    if (!this.finding?.startsWith("exponential")) this.finding = reason;
  }

  either(depth: number): Node {
    const options = [this.#sequence(depth)];
    while (this.pattern[this.#at] === "|") {
      this.#at++;
      options.push(this.#sequence(depth));
    }
    return options.reduce((a, b) => ({
      first: union(a.first, b.first),
      all: union(a.all, b.all),
      isEmpty: a.isEmpty || b.isEmpty,
      tail: union(a.tail, b.tail),
      head: union(a.head, b.head),
      ...(meets(a.first, b.first) ? { overlaps: true } : {}),
      ...("overlaps" in a || "overlaps" in b ? { overlaps: true } : {}),
    }));
  }

  #sequence(depth: number): Node {
    let whole = NOTHING();
    while (this.#at < this.pattern.length && !"|)".includes(this.pattern[this.#at] as string)) {
      const next = this.#repeated(depth);
      if (meets(whole.tail, next.head)) this.#find("polynomial: two repetitions in a row take the same characters");
      whole = {
        first: whole.isEmpty ? union(whole.first, next.first) : whole.first,
        all: union(whole.all, next.all),
        isEmpty: whole.isEmpty && next.isEmpty,
        // A repetition may also take what follows it, where that is of its characters.
        tail: union(next.tail, next.isEmpty ? whole.tail : shared(whole.tail, next.all)),
        head: whole.isEmpty ? union(whole.head, next.head) : whole.head,
        ...("overlaps" in whole || "overlaps" in next ? { overlaps: true } : {}),
      };
    }
    return whole;
  }

  #repeated(depth: number): Node {
    const node = this.#atom(depth);
    const mark = REPETITION.exec(this.pattern.slice(this.#at, this.#at + 16))?.[0];
    if (!mark) return node;
    this.#at += mark.length;
    if (!UNBOUNDED.test(mark)) return { ...node, isEmpty: node.isEmpty || /^[?]|^\{0/.test(mark) };
    // A repetition inside that may go on where the outer one begins anew.
    if (meets(node.tail, node.first)) this.#find("exponential: a repetition repeats itself, as in (a+)+");
    if ("overlaps" in node) this.#find("exponential: a repetition has alternatives that begin alike, as in (a|ab)*");
    const isEmpty = node.isEmpty || /^[*]|^\{0/.test(mark);
    return { ...node, isEmpty, tail: node.all, head: node.all };
  }

  #atom(depth: number): Node {
    const rest = this.pattern.slice(this.#at);
    if (rest.startsWith("(")) return this.#group(depth);
    const text =
      /^(?:\[\^?\]?(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\x[\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\.|.)/su.exec(
        rest,
      )?.[0] ?? "";
    this.#at += text.length || 1;
    if (/^(?:[\^$]|\\[bBAzZ])$/.test(text)) return NOTHING();
    const takes = this.#takes(text);
    return { first: takes, all: takes, isEmpty: false, tail: new Set(), head: new Set() };
  }

  #group(depth: number): Node {
    const open =
      /^\((?:\?(?:P?<\w+>|[imsU-]*:|[=!]|<[=!]|[imsU-]+(?=\))|>))?/.exec(
        this.pattern.slice(this.#at, this.#at + 60),
      )?.[0] ?? "(";
    this.#at += open.length;
    if (depth > MAX_DEPTH) {
      this.#at = this.pattern.length;
      return NOTHING();
    }
    const inner = this.either(depth + 1);
    if (this.pattern[this.#at] === ")") this.#at++;
    return /[=!]$/.test(open) ? NOTHING() : inner;
  }

  /** Single characters by themselves, classes by what JavaScript's engine takes of the alphabet. */
  #takes(text: string): Set<string> {
    if (text.length === 1 && text !== ".")
      return new Set(this.flags.includes("i") ? [text.toLowerCase(), text.toUpperCase()] : [text]);
    try {
      const one = new RegExp(`^${text}$`, `${this.flags.includes("i") ? "i" : ""}s${/^\\[pP]/.test(text) ? "u" : ""}`);
      return new Set([...ALPHABET, ...text].filter((character) => one.test(character)));
    } catch {
      return new Set(ALPHABET);
    }
  }
}
