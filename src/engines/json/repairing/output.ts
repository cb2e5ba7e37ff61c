import { isBlank } from "./characters.js";

/** A place up to which was written. */
export interface Mark {
  length: number;
  blank: string;
}

/**
 * The repaired text in pieces, so that a repair costs the same wherever it stands. Blanks at the end are apart, because
 * what was missing is inserted before them.
 */
export class Output {
  #pieces: string[] = [];
  #blank = "";

  push(piece: string): void {
    if (this.#blank !== "") this.#pieces.push(this.#blank);
    this.#blank = "";
    this.#pieces.push(piece);
  }

  pushBlank(blank: string): void {
    this.#blank += blank;
  }

  insertBeforeBlank(piece: string): void {
    this.#pieces.push(piece);
  }

  /** Takes back the comma that was written last. */
  dropComma(): void {
    this.#pieces.pop();
    const last = this.#pieces.at(-1);
    if (isBlank(last?.[0])) this.#blank = (this.#pieces.pop() ?? "") + this.#blank;
  }

  endsWithCommaOrLine(): boolean {
    return this.#blank.includes("\n") || this.#pieces.at(-1) === ",";
  }

  /** Opens the text that was written last again, for another to follow. Returns where that begins. */
  reopenText(): number {
    const last = this.#pieces.pop() ?? "";
    this.#blank = "";
    return this.#pieces.push(last.slice(0, last.lastIndexOf('"')));
  }

  /** Takes the quote away with which the piece at a place begins. */
  dropQuoteAt(place: number): void {
    this.#pieces[place] = (this.#pieces[place] ?? "").slice(1);
  }

  /** Makes a list of all that was written. */
  wrap(): void {
    this.#pieces.unshift("[\n");
    this.push("\n]");
  }

  mark(): Mark {
    return { length: this.#pieces.length, blank: this.#blank };
  }

  /** Forgets what was written since. */
  backTo({ length, blank }: Mark): void {
    this.#pieces.length = length;
    this.#blank = blank;
  }

  toString(): string {
    return this.#pieces.join("") + this.#blank;
  }
}
