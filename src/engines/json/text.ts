/** Reads and writes JSON text without loss: every digit of a number, and no name twice. */
import { type CapabilityError, invalid } from "../../errors.js";
import { MAX_DEPTH, MAX_NODES } from "./bounds.js";
import { has, type Members, setMember } from "./members.js";
import { ExactNumber, numberOf } from "./numbers.js";

export { ExactNumber, numberOf };

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const VAST = /[eE][+-]?0*[1-9]\d{9}/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids these characters in texts.
const PLAIN = /[^"\\\0-\x1f]*/y;
const BLANKS = /[ \t\r\n]*/y;
const ESCAPES: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\", "/": "/" };

/**
 * The value of a JSON text. Throws INVALID_INPUT with the line and column, under the name of a field. Of a name that stands twice
 * in an object the last counts where they are allowed.
 */
export function parseJson(text: string, field = "", { mayRepeat = false } = {}): unknown {
  return new JsonReader(text.replace(/^\uFEFF/, ""), field, mayRepeat).read();
}

class JsonReader {
  readonly #text: string;
  readonly #field: string;
  readonly #mayRepeat: boolean;
  #at = 0;
  #nodes = 0;

  constructor(text: string, field: string, mayRepeat: boolean) {
    this.#text = text;
    this.#field = field;
    this.#mayRepeat = mayRepeat;
  }

  read(): unknown {
    const value = this.#value(0);
    this.#skipBlanks();
    if (this.#at < this.#text.length) throw this.#wrong("the text goes on after the value");
    return value;
  }

  #value(depth: number): unknown {
    if (++this.#nodes > MAX_NODES) throw this.#wrong(`there are more than ${MAX_NODES} values`);
    this.#skipBlanks();
    const char = this.#text[this.#at];
    if (char === "{" || char === "[") {
      // guard: offline: JSON text is nested so deeply | gone | query
      if (depth >= MAX_DEPTH) throw this.#wrong(`the text is nested deeper than ${MAX_DEPTH} levels`);
      return char === "{" ? this.#object(depth + 1) : this.#list(depth + 1);
    }
    if (char === '"') return this.#string();
    for (const [word, value] of WORDS)
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    return this.#number();
  }

  #object(depth: number): Members {
    const object: Members = {};
    this.#at++;
    if (this.#next("}")) return object;
    do {
      this.#skipBlanks();
      const start = this.#at;
      if (this.#text[start] !== '"') throw this.#wrong("a name in quotation marks is missing");
      const name = this.#string();
      if (!this.#mayRepeat && has(object, name))
        throw this.#wrong(`the name ${JSON.stringify(name).slice(0, 60)} stands twice in an object`, start);
      if (!this.#next(":")) throw this.#wrong("a colon is missing");
      setMember(object, name, this.#value(depth));
    } while (this.#next(","));
    if (!this.#next("}")) throw this.#wrong("a comma or } is missing");
    return object;
  }

  #list(depth: number): unknown[] {
    const list: unknown[] = [];
    this.#at++;
    if (this.#next("]")) return list;
    do list.push(this.#value(depth));
    while (this.#next(","));
    if (!this.#next("]")) throw this.#wrong("a comma or ] is missing");
    return list;
  }

  #string(): string {
    const start = this.#at++;
    let value = "";
    for (;;) {
      PLAIN.lastIndex = this.#at;
      const [plain = ""] = PLAIN.exec(this.#text) ?? [];
      value += plain;
      this.#at += plain.length;
      const char = this.#text[this.#at];
      if (char === undefined) throw this.#wrong("a text does not end", start);
      if (char !== '"' && char !== "\\") throw this.#wrong("a control character stands in a text: escape it");
      this.#at++;
      if (char === '"') return value;
      value += this.#escape();
    }
  }

  #escape(): string {
    const char = this.#text[this.#at++] ?? "";
    if (char !== "u") {
      const known = has(ESCAPES, char) ? ESCAPES[char] : undefined;
      if (known === undefined) throw this.#wrong("\\ begins no escape that JSON knows", this.#at - 2);
      return known;
    }
    const hex = this.#text.slice(this.#at, this.#at + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw this.#wrong("\\u needs four hexadecimal digits", this.#at - 2);
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }

  #number(): number | ExactNumber {
    NUMBER.lastIndex = this.#at;
    const [literal] = NUMBER.exec(this.#text) ?? [];
    if (literal === undefined)
      throw this.#wrong(this.#at < this.#text.length ? "a value is missing" : "the text ends too early");
    if (VAST.test(literal)) throw this.#wrong("an exponent has more than nine digits");
    this.#at += literal.length;
    return numberOf(literal);
  }

  #next(char: string): boolean {
    this.#skipBlanks();
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #skipBlanks(): void {
    BLANKS.lastIndex = this.#at;
    this.#at += BLANKS.exec(this.#text)?.[0].length ?? 0;
  }

  #wrong(what: string, at = this.#at): CapabilityError {
    return invalid(this.#field, `is not JSON: ${what} ${placeIn(this.#text, at)}`);
  }
}

const WORDS: readonly [string, unknown][] = [
  ["null", null],
  ["true", true],
  ["false", false],
];

/** A place for readers: (line 3, column 5). */
export function placeIn(text: string, at: number): string {
  const before = text.slice(0, at);
  return `(line ${before.split("\n").length}, column ${at - before.lastIndexOf("\n")})`;
}

/** JSON text with every digit, indented by so many blanks; 0 writes one line. */
export function writeJson(value: unknown, indent = 0, margin = ""): string {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const inner = margin + " ".repeat(indent);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts = Array.isArray(value)
    ? value.map((one) => writeJson(one, indent, inner))
    : Object.entries(value).map(
        ([name, one]) => `${JSON.stringify(name)}:${indent ? " " : ""}${writeJson(one, indent, inner)}`,
      );
  if (parts.length === 0) return `${open}${close}`;
  const [before, between, after] = indent ? [`\n${inner}`, `,\n${inner}`, `\n${margin}`] : ["", ",", ""];
  return `${open}${before}${parts.join(between)}${after}${close}`;
}

/** The value for an answer: exact numbers become texts, and `onExact` hears of each. */
export function plainValue(value: unknown, onExact: (number: ExactNumber) => void = () => {}): unknown {
  if (value instanceof ExactNumber) {
    onExact(value);
    return value.text;
  }
  if (Array.isArray(value)) return value.map((one) => plainValue(one, onExact));
  if (typeof value !== "object" || value === null) return value;
  const plain: Members = {};
  for (const [name, one] of Object.entries(value)) setMember(plain, name, plainValue(one, onExact));
  return plain;
}
