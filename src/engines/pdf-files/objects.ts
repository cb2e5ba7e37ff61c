/** The objects of a PDF, read from its beginning to its end: a table of places may be missing or wrong. */
import { inflateSync } from "node:zlib";
import { CapabilityError, invalid } from "../../errors.js";
import { type PdfDictionary, PdfName, PdfParser, PdfReference, PdfSyntaxError, type PdfValue } from "./values.js";

export interface PdfObject {
  value: PdfValue;
  /** Where the bytes of its stream are, as they stand in the file. */
  stream?: { start: number; end: number };
}

const MAX_OBJECTS = 100_000;
const MAX_LENGTHS = 10;
const MAX_STREAM = 20_000_000;
/** Characters that were read in vain: bytes of pictures may look like the beginning of an object. */
const MAX_WASTED = 30_000_000;
const MAX_INFLATED = 60_000_000;
/** Objects that are one number: lengths of streams among them. */
const NUMBER =
  /(\d{1,8})[\0\t\n\f\r ]{1,10}\d{1,5}[\0\t\n\f\r ]{1,10}obj[\0\t\n\f\r ]{1,10}(\d{1,9})[\0\t\n\f\r ]{1,10}endobj/g;
const OBJECT = /(\d{1,8})[\0\t\n\f\r ]{1,10}\d{1,5}[\0\t\n\f\r ]{1,10}obj/g;

export class PdfFile {
  readonly #text: string;
  readonly #bytes: Uint8Array;
  readonly objects = new Map<number, PdfObject>();
  /** A file within the file may have the same numbers. */
  readonly #lengths = new Map<number, number[]>();
  #inflated = 0;
  #wasted = 0;
  #unpacked = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#text = Buffer.from(bytes).toString("latin1");
    this.#readObjects();
    if (this.#isEncrypted()) throw invalid("", "is an encrypted PDF: send it without a password");
    for (const object of [...this.objects.values()]) this.#unpack(object);
  }

  /** The value that a reference leads to. */
  resolve(value: PdfValue | undefined): PdfValue | undefined {
    let found = value;
    for (let steps = 0; found instanceof PdfReference && steps < 20; steps++)
      found = this.objects.get(found.number)?.value;
    return found instanceof PdfReference ? undefined : found;
  }

  dictionary(value: PdfValue | undefined): PdfDictionary | undefined {
    const found = this.resolve(value);
    return found instanceof Map ? found : undefined;
  }

  /** The content of a stream; undefined for one that is packed in a way that files are not. */
  content(object: PdfObject | undefined): Uint8Array | undefined {
    if (!object?.stream || !(object.value instanceof Map)) return undefined;
    const raw = this.#bytes.subarray(object.stream.start, object.stream.end);
    const filter = this.resolve(object.value.get("Filter"));
    const filters = (Array.isArray(filter) ? filter : filter === undefined ? [] : [filter]).map((one) =>
      this.resolve(one),
    );
    const names = filters.map((one) => (one instanceof PdfName ? one.name : ""));
    if (names.length === 0) return raw;
    return names.length === 1 && ["FlateDecode", "Fl"].includes(names[0] ?? "") ? this.#inflate(raw) : undefined;
  }

  #inflate(raw: Uint8Array): Uint8Array | undefined {
    const left = MAX_INFLATED - this.#inflated;
    try {
      const content = inflateSync(raw, { maxOutputLength: Math.max(1, Math.min(MAX_STREAM, left)) });
      this.#inflated += content.length;
      return content;
    } catch (error) {
      if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
      return undefined;
    }
  }

  #readObjects(): void {
    for (const [, number, value] of this.#text.matchAll(NUMBER)) {
      const known = this.#lengths.get(Number(number)) ?? [];
      if (known.length < MAX_LENGTHS) this.#lengths.set(Number(number), [...known, Number(value)]);
    }
    OBJECT.lastIndex = 0;
    for (let match = OBJECT.exec(this.#text); match; match = OBJECT.exec(this.#text)) {
      const object = this.#readObject(match.index + match[0].length);
      if (!object) continue;
      this.objects.set(Number(match[1]), object.object);
      if (this.objects.size > MAX_OBJECTS) throw tooLarge();
      OBJECT.lastIndex = object.end;
    }
  }

  #readObject(at: number): { object: PdfObject; end: number } | undefined {
    const parser = new PdfParser(this.#text, at);
    try {
      const value = parser.value();
      parser.skip();
      if (!(value instanceof Map) || !this.#text.startsWith("stream", parser.at))
        return { object: { value }, end: parser.at };
      const stream = this.#streamAt(parser.at + "stream".length, value);
      return { object: { value, stream }, end: stream.end };
    } catch (error) {
      if (!(error instanceof PdfSyntaxError)) throw error;
      this.#wasted += parser.at - at;
      if (this.#wasted > MAX_WASTED) throw tooLarge();
      return undefined;
    }
  }

  #streamAt(at: number, dictionary: PdfDictionary) {
    const text = this.#text;
    const start = at + (text.startsWith("\r\n", at) ? 2 : 1);
    const length = dictionary.get("Length");
    const lengths = length instanceof PdfReference ? (this.#lengths.get(length.number) ?? []) : [length];
    for (const given of lengths) {
      const end = typeof given === "number" && given >= 0 ? start + given : text.length;
      if (/^\s{0,2}endstream/.test(text.slice(end, end + 12))) return { start, end };
    }
    const found = text.indexOf("endstream", start);
    return { start, end: found < 0 ? text.length : found };
  }

  #isEncrypted(): boolean {
    const trailer = this.#text.lastIndexOf("trailer");
    const tail = trailer < 0 ? "" : this.#text.slice(trailer, trailer + 4_000);
    const isReference = [...this.objects.values()].some(
      ({ value }) =>
        value instanceof Map && (value.get("Type") as PdfName | undefined)?.name === "XRef" && value.has("Encrypt"),
    );
    return /\/Encrypt\b/.test(tail) || isReference;
  }

  /** Objects in a stream of objects; one that stands in the file itself is newer. */
  #unpack(object: PdfObject): void {
    const { value } = object;
    if (!(value instanceof Map) || (this.resolve(value.get("Type")) as PdfName | undefined)?.name !== "ObjStm") return;
    const [count, first] = [this.resolve(value.get("N")), this.resolve(value.get("First"))];
    const content = this.content(object);
    if (!content || typeof count !== "number" || typeof first !== "number") return;
    const text = Buffer.from(content).toString("latin1");
    const head = (text.slice(0, first).match(/\d+/g) ?? []).map(Number);
    for (let place = 0; place < Math.min(count, head.length / 2, MAX_OBJECTS); place++) {
      const [number = 0, offset = 0] = [head[place * 2], head[place * 2 + 1]];
      if (this.objects.has(number)) continue;
      this.#readPacked(number, text, first + offset);
    }
  }

  #readPacked(number: number, text: string, at: number): void {
    const parser = new PdfParser(text, at);
    try {
      this.objects.set(number, { value: parser.value() });
    } catch (error) {
      if (!(error instanceof PdfSyntaxError)) throw error;
    }
    // Places may overlap: each of them would be read as far as all.
    this.#unpacked += parser.at - at;
    if (this.objects.size > MAX_OBJECTS || this.#unpacked > MAX_STREAM) throw tooLarge();
  }
}

function tooLarge(): CapabilityError {
  const message = "is a PDF that holds more than a call may unpack";
  return new CapabilityError("RESULT_TOO_LARGE", message, { issues: [{ path: "", message }] });
}
