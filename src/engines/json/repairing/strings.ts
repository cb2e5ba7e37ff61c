/** Texts between quotes of any kind, and such without an end. */
import {
  closersOf,
  type Entity,
  entityAt,
  isBlank,
  isDelimiter,
  isDigit,
  isEndOfWord,
  isQuote,
  isUrlPart,
  isUrlStart,
} from "./characters.js";
import type { Mark, Output } from "./output.js";
import { QuotedText } from "./quoted-text.js";
import type { Source } from "./source.js";

/** Where a text without a right end quote ends: at the next delimiter, or at a place. */
interface Ending {
  atDelimiter: boolean;
  place: number;
}

/** Reads a text, and those that a plus joins to it. False if none stands here. */
export function readString(source: Source, output: Output): boolean {
  const isEscaped = source.skip("\\");
  if (isEscaped && !isQuote(source.char)) throw source.unexpected();
  const entity = entityAt(source.text, source.at);
  const opener = entity && (entity.char === '"' || entity.char === "'") ? entity : undefined;
  if (!opener && !isQuote(source.char)) return false;
  const [start, mark] = [source.at, output.mark()];
  let ending: Ending | undefined = { atDelimiter: false, place: -1 };
  for (let skipsEscapes = isEscaped; ending; skipsEscapes = false) {
    source.at = start;
    output.backTo(mark);
    ending = new StringReader(source, output, { opener, start, mark, ending, skipsEscapes }).read();
  }
  return true;
}

/** `"hello" + "world"` is one text. */
function readJoined(source: Source, output: Output): void {
  source.skipBlanks(output);
  while (source.skip("+")) {
    source.skipBlanks(output);
    const place = output.reopenText();
    if (readString(source, output)) output.dropQuoteAt(place);
    else output.insertBeforeBlank('"');
  }
}

interface Start {
  /** The entity of HTML that opened the text, instead of a quote. */
  opener: Entity | undefined;
  start: number;
  mark: Mark;
  ending: Ending;
  /** Whether quotes are written as \" throughout. */
  skipsEscapes: boolean;
}

/** Undefined goes on, true ends the text, an ending reads it again. */
type Step = undefined | true | Ending;

class StringReader {
  readonly #quoted: QuotedText;
  readonly #isCloser: (char: string | undefined) => boolean;

  constructor(
    private readonly source: Source,
    private readonly output: Output,
    private readonly from: Start,
  ) {
    this.#quoted = new QuotedText(source);
    this.#isCloser = closersOf(source.char);
  }

  /** Undefined when the text is written, or how it ends instead. */
  read(): Ending | undefined {
    const { source, from } = this;
    source.at += from.opener?.length ?? 1;
    for (;;) {
      source.step();
      const step = this.#step();
      if (step === true) return undefined;
      if (step) return step;
      if (from.skipsEscapes) source.skip("\\");
    }
  }

  #step(): Step {
    const { source, from } = this;
    if (source.isEnd) return this.#end();
    if (source.at === from.ending.place) return this.#close();
    const entity = from.opener ? entityAt(source.text, source.at) : undefined;
    const isEnd = entity ? entity.char === from.opener?.char : this.#isCloser(source.char);
    if (isEnd) return this.#quote(entity?.length ?? 1);
    if (from.ending.atDelimiter && isEndOfWord(source.char)) return this.#delimiter();
    if (entity) this.#quoted.entity(entity);
    else if (source.char !== "\\") this.#quoted.character();
    else if (source.ahead(1) === "u") this.#quoted.unicode();
    else this.#quoted.escape();
    return undefined;
  }

  #end(): Step {
    const { source, from } = this;
    const last = source.text.charAt(source.beforeBlanks(source.at - 1));
    // The end quote belongs before the delimiter with which the document ends.
    if (!from.ending.atDelimiter && (last === "" || isDelimiter(last))) return { atDelimiter: true, place: -1 };
    return this.#close();
  }

  /** Puts the end quote before blanks. */
  #close(): true {
    let end = this.#quoted.written.length;
    while (isBlank(this.#quoted.written[end - 1])) end--;
    this.output.push(`${this.#quoted.written.slice(0, end)}"`);
    if (end < this.#quoted.written.length) this.output.pushBlank(this.#quoted.written.slice(end));
    return true;
  }

  /** A quote that ends the text, one that stands in it, or the first of the next. */
  #quote(length: number): Step {
    const { source, output } = this;
    const place = source.at;
    source.at += length;
    const mark = output.mark();
    output.push(`${this.#quoted.written}"`);
    source.skipBlanks(output, false);
    if (this.#isRightEnd()) {
      readJoined(source, output);
      return true;
    }
    if (source.char === "\\") throw source.unexpected();
    const before = source.beforeBlanks(place - 1);
    const last = source.text.charAt(before);
    if (last === ",") return { atDelimiter: false, place: before };
    if (isDelimiter(last)) return { atDelimiter: true, place: -1 };
    output.backTo(mark);
    source.at = place + length;
    this.#quoted.written += '\\"';
    return undefined;
  }

  /** Whether the text goes on, after this quote, as after the end of one. */
  #isRightEnd(): boolean {
    const { source, from } = this;
    const { char } = source;
    if (from.ending.atDelimiter || source.isEnd || isDigit(char)) return true;
    if (isDelimiter(char)) return !this.#quoted.isInside(char);
    return isQuote(char) && !this.#isNextTheEnd();
  }

  /** `"The TV is 72""`: the first of two quotes is a sign of inches. */
  #isNextTheEnd(): boolean {
    const { source } = this;
    const next = source.text[source.afterBlanks(source.at + 1)];
    return next === undefined || isDelimiter(next);
  }

  #delimiter(): true {
    const { source, from } = this;
    const { text, at } = source;
    if (text[at - 1] === ":" && isUrlStart(text.slice(from.start + 1, at + 2)))
      for (; !source.isEnd && isUrlPart(source.char); source.at++) {
        source.step();
        this.#quoted.add(source.char ?? "");
      }
    this.#close();
    readJoined(source, this.output);
    return true;
  }
}
