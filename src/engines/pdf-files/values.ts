/** Values of PDF objects: one pass over the text, with a bound on nesting. */

export type PdfValue = number | boolean | null | PdfName | PdfText | PdfReference | PdfValue[] | PdfDictionary;
export class PdfName {
  constructor(readonly name: string) {}
}
export class PdfText {
  /** One character a byte. */
  constructor(readonly bytes: string) {}
}
export class PdfReference {
  constructor(readonly number: number) {}
}
export type PdfDictionary = Map<string, PdfValue>;

const MAX_DEPTH = 60;
const BLANK = "\0\t\n\f\r ";
const DELIMITER = "()<>[]{}/%";

export class PdfSyntaxError extends Error {
  override name = "PdfSyntaxError";
}

export class PdfParser {
  constructor(
    readonly text: string,
    public at: number,
  ) {}

  value(depth = 0): PdfValue {
    if (depth > MAX_DEPTH) throw new PdfSyntaxError("nested too deeply");
    this.skip();
    const next = this.text[this.at];
    if (next === undefined) throw new PdfSyntaxError("ends inside a value");
    if (next === "/") return new PdfName(this.#name());
    if (next === "(") return new PdfText(this.#literal());
    if (next === "[") return this.#array(depth);
    if (this.text.startsWith("<<", this.at)) return this.#dictionary(depth);
    if (next === "<") return new PdfText(this.#hex());
    return this.#wordOrReference();
  }

  skip(): void {
    for (;;) {
      const next = this.text[this.at];
      if (next === "%") this.at = this.#lineEnd();
      else if (next !== undefined && BLANK.includes(next)) this.at++;
      else return;
    }
  }

  #lineEnd(): number {
    let at = this.at;
    while (at < this.text.length && !"\r\n".includes(this.text[at] ?? "")) at++;
    return at;
  }

  #word(): string {
    const start = this.at;
    while (this.at < this.text.length && !`${BLANK}${DELIMITER}`.includes(this.text[this.at] ?? "")) this.at++;
    return this.text.slice(start, this.at);
  }

  #name(): string {
    this.at++;
    return this.#word().replace(/#([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  }

  #wordOrReference(): PdfValue {
    const word = this.#word();
    if (word === "") throw new PdfSyntaxError("a value is missing");
    if (word === "true" || word === "false") return word === "true";
    if (word === "null") return null;
    const number = Number(word);
    if (!Number.isFinite(number)) throw new PdfSyntaxError("not a value");
    const reference = /^\d{1,8}$/.test(word)
      ? /^[\0\t\n\f\r ]{1,20}\d{1,5}[\0\t\n\f\r ]{1,20}R/.exec(this.text.slice(this.at, this.at + 50))
      : null;
    if (!reference) return number;
    this.at += reference[0].length;
    return new PdfReference(number);
  }

  #array(depth: number): PdfValue[] {
    const values: PdfValue[] = [];
    this.at++;
    for (;;) {
      this.skip();
      if (this.text[this.at] === "]") {
        this.at++;
        return values;
      }
      values.push(this.value(depth + 1));
    }
  }

  #dictionary(depth: number): PdfDictionary {
    const members: PdfDictionary = new Map();
    this.at += 2;
    for (;;) {
      this.skip();
      if (this.text.startsWith(">>", this.at)) {
        this.at += 2;
        return members;
      }
      if (this.text[this.at] !== "/") throw new PdfSyntaxError("a key is missing");
      const key = this.#name();
      members.set(key, this.value(depth + 1));
    }
  }

  #hex(): string {
    const end = this.text.indexOf(">", this.at);
    if (end < 0) this.at = this.text.length;
    if (end < 0) throw new PdfSyntaxError("a text does not end");
    const digits = this.text.slice(this.at + 1, end).replace(/[^0-9a-fA-F]/g, "");
    this.at = end + 1;
    return Buffer.from(digits.length % 2 ? `${digits}0` : digits, "hex").toString("latin1");
  }

  /** Parentheses within are in pairs, or escaped. */
  #literal(): string {
    let text = "";
    let open = 0;
    for (;;) {
      const next = this.text[this.at++];
      if (next === undefined) throw new PdfSyntaxError("a text does not end");
      if (next === "\\") text += this.#escaped();
      else {
        if (next === "(") open++;
        if (next === ")") open--;
        if (open === 0) return text.slice(1);
        text += next;
      }
    }
  }

  #escaped(): string {
    const octal = /^[0-7]{1,3}/.exec(this.text.slice(this.at, this.at + 3))?.[0];
    if (octal !== undefined) {
      this.at += octal.length;
      return String.fromCharCode(Number.parseInt(octal, 8) & 255);
    }
    const next = this.text[this.at++] ?? "";
    return { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", "\n": "", "\r": "" }[next] ?? next;
  }
}
