/** A broken text and the place that is read. */
import { invalid } from "../../../errors.js";
import { isBlank, isDelimiter, isSpecialBlank } from "./characters.js";
import type { Output } from "./output.js";

/** How often a character may be looked at: quotes that close nowhere let the text be read from there once more. */
const MAX_STEPS = 4;
/** Texts below a page may be read again from anywhere. */
const FREE_STEPS = 100_000;

/** A text of which nobody can tell the JSON that was meant. */
export class Beyond extends Error {}

export class Source {
  at = 0;
  #left: number;

  constructor(readonly text: string) {
    this.#left = FREE_STEPS + MAX_STEPS * text.length;
  }

  get char(): string | undefined {
    return this.text[this.at];
  }

  get isEnd(): boolean {
    return this.at >= this.text.length;
  }

  ahead(count: number): string | undefined {
    return this.text[this.at + count];
  }

  step(): void {
    // guard: offline: a broken text is read again so often | never | repair
    if (--this.#left < 0)
      throw invalid(
        "text",
        "opens too many quotes that it does not close, to tell where its texts end: send smaller parts",
      );
  }

  skip(char: string): boolean {
    if (this.char !== char) return false;
    this.at++;
    return true;
  }

  skipWhile(is: (char: string | undefined) => boolean): void {
    while (!this.isEnd && is(this.char)) {
      this.step();
      this.at++;
    }
  }

  /** The first place from `at` on without a blank. */
  afterBlanks(at: number): number {
    let after = at;
    for (; isBlank(this.text[after]); after++) this.step();
    return after;
  }

  /** The last place from `at` back without a blank. */
  beforeBlanks(at: number): number {
    let before = at;
    for (; before > 0 && isBlank(this.text[before]); before--) this.step();
    return before;
  }

  /** Writes blanks, leaves comments out. */
  skipBlanks(output: Output, withLines = true): void {
    do this.takeBlanks(output, withLines);
    while (this.#skipComment());
  }

  takeBlanks(output: Output, withLines = true): void {
    const start = this.at;
    let hasSpecial = false;
    for (; !this.isEnd; this.at++) {
      const { char } = this;
      const isSpecial = isSpecialBlank(char);
      if (!isSpecial && (!isBlank(char) || (char === "\n" && !withLines))) break;
      hasSpecial ||= isSpecial;
      this.step();
    }
    if (this.at === start) return;
    const blank = this.text.slice(start, this.at);
    output.pushBlank(hasSpecial ? blank.replace(/[^ \n\t\r]/g, " ") : blank);
  }

  #skipComment(): boolean {
    if (this.char !== "/") return false;
    const next = this.ahead(1);
    if (next !== "*" && next !== "/") return false;
    const end = this.text.indexOf(next === "*" ? "*/" : "\n", this.at);
    this.at = end < 0 ? this.text.length : end + (next === "*" ? 2 : 0);
    return true;
  }

  isEndOfNumber(): boolean {
    return this.isEnd || isDelimiter(this.char) || isBlank(this.char);
  }

  unexpected(): Beyond {
    return this.beyond(`Unexpected character ${JSON.stringify(this.char)}`);
  }

  beyond(what: string, at = this.at): Beyond {
    return new Beyond(`${what} at position ${at}`);
  }
}
