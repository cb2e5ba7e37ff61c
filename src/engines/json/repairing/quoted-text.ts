/** The text that is read, as JSON writes it, and the brackets that stand open in it. */
import { type Entity, escapeOf, isHex } from "./characters.js";
import type { Source } from "./source.js";

export class QuotedText {
  written = '"';
  /** Opened less closed brackets, by their closing sign. */
  readonly #open: Record<string, number> = { ")": 0, "]": 0, "}": 0 };

  constructor(private readonly source: Source) {}

  /** Whether this closing sign belongs to a bracket of the text. */
  isInside(char: string | undefined): boolean {
    return (this.#open[char ?? ""] ?? 0) > 0;
  }

  entity({ char, length }: Entity): void {
    this.add(char === '"' ? '\\"' : (escapeOf(char) ?? char));
    this.source.at += length;
  }

  escape(): void {
    const { source } = this;
    const next = source.text.charAt(source.at + 1);
    if (next !== "" && '"\\/bfnrt'.includes(next)) this.written += `\\${next}`;
    else this.add(next === "\n" ? "\\n" : next);
    source.at += 2;
  }

  unicode(): void {
    const { source } = this;
    let length = 2;
    while (length < 6 && isHex(source.ahead(length))) length++;
    const written = source.text.slice(source.at, source.at + 6);
    if (length < 6 && source.at + length < source.text.length)
      throw source.beyond(`Invalid unicode character "${written}"`);
    // A cut one at the end of the document is left out.
    if (length === 6) this.written += written;
    source.at = length === 6 ? source.at + 6 : source.text.length;
  }

  character(): void {
    const { source } = this;
    const char = source.char ?? "";
    const written = char === '"' && source.ahead(-1) !== "\\" ? '\\"' : escapeOf(char);
    if (written === undefined && char < " ") throw source.beyond(`Invalid character ${JSON.stringify(char)}`);
    this.add(written ?? char);
    source.at++;
  }

  add(part: string): void {
    this.written += part;
    if ("([{".includes(part)) this.#count(CLOSING[part] ?? "", 1);
    else if (")]}".includes(part)) this.#count(part, -1);
  }

  #count(closing: string, by: number): void {
    this.#open[closing] = (this.#open[closing] ?? 0) + by;
  }
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
