/** The rows of a sheet, read in one pass. */
import { invalid } from "../../../errors.js";
import { type Attributes, scanXml, type XmlVisitor } from "../../../lib/xml/scan.js";
import { type Book, cellValue, type RawCell } from "./cells.js";

/** Of Excel's own sheets. */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
/** Of the smallest rectangle that holds a sheet's cells. */
export const MAX_PLACES = 5_000_000;

/**
 * Cells up to the last row and the last column that have a value. Throws INVALID_INPUT for cells far away from all others, for
 * which room would have to be made.
 */
export function readRows(xml: string, book: Book): unknown[][] {
  const reader = new SheetReader(book);
  scanXml(xml, reader);
  return reader.rows();
}

class SheetReader implements XmlVisitor {
  readonly #book: Book;
  readonly #rows = new Map<number, unknown[]>();
  #row = 0;
  #column = 0;
  #height = 0;
  #width = 0;
  #cell: RawCell | undefined;
  #isInline = false;
  /** Element whose characters are read. */
  #reads: "v" | "t" | undefined;
  #phonetic = 0;

  constructor(book: Book) {
    this.#book = book;
  }

  open(name: string, attributes: () => Attributes): void {
    const cell = this.#cell;
    if (name === "row") this.#beginRow(attributes());
    else if (name === "c") this.#beginCell(attributes());
    else if (name === "mergeCell") this.#book.lose("merged", attributes().ref ?? "");
    else if (!cell) return;
    else if (name === "f") cell.hasFormula = true;
    else if (name === "v") {
      cell.value = "";
      this.#reads = "v";
    } else if (name === "is") {
      this.#isInline = true;
      cell.inline = "";
    } else if (name === "rPh") this.#phonetic++;
    else if (name === "t" && this.#isInline && this.#phonetic === 0) this.#reads = "t";
  }

  text(text: string): void {
    const cell = this.#cell;
    if (!cell || !this.#reads) return;
    if (this.#reads === "v") cell.value += text;
    else cell.inline += text;
  }

  close(name: string): void {
    if (name === this.#reads) this.#reads = undefined;
    else if (name === "is") this.#isInline = false;
    else if (name === "rPh") this.#phonetic = Math.max(0, this.#phonetic - 1);
    else if (name === "c") this.#endCell();
  }

  #beginRow({ r }: Attributes): void {
    if (r !== undefined && !/^\d{1,9}$/.test(r)) throw nowhere();
    this.#row = r === undefined ? this.#row + 1 : Number(r);
    this.#column = 0;
    if (this.#row > MAX_ROWS) throw tooLarge(this.#row, this.#width);
  }

  #beginCell({ r, t = "n", s = "0" }: Attributes): void {
    const [, letters = "", digits = ""] = /^([A-Z]{1,7})(\d{1,9})$/.exec(r ?? "") ?? [];
    if (r !== undefined && letters === "") throw nowhere();
    if (r !== undefined) this.#row = Number(digits);
    this.#column = r === undefined ? this.#column + 1 : columnOf(letters);
    if (this.#row > MAX_ROWS || this.#column > MAX_COLUMNS) throw tooLarge(this.#row, this.#column);
    if (this.#row < 1) throw nowhere();
    const place = r ?? `${columnName(this.#column)}${this.#row}`;
    this.#cell = { place, type: t, style: Number(s), hasFormula: false, value: undefined, inline: undefined };
    this.#reads = undefined;
    this.#isInline = false;
    this.#phonetic = 0;
  }

  #endCell(): void {
    const value = this.#cell ? cellValue(this.#cell, this.#book) : null;
    this.#cell = undefined;
    if (value === null) return;
    this.#height = Math.max(this.#height, this.#row);
    this.#width = Math.max(this.#width, this.#column);
    if (this.#height * this.#width > MAX_PLACES) throw tooLarge(this.#height, this.#width);
    const row = this.#rows.get(this.#row) ?? [];
    this.#rows.set(this.#row, row);
    row[this.#column - 1] = value;
  }

  rows(): unknown[][] {
    return Array.from({ length: this.#height }, (_, y) => {
      const row = this.#rows.get(y + 1);
      return Array.from({ length: this.#width }, (_cell, x) => row?.[x] ?? null);
    });
  }
}

const nowhere = () => invalid("", "is not a workbook that can be read: a cell is at no place");

export const tooLarge = (rows: number, columns: number) =>
  invalid("", `has a sheet of ${rows} rows and ${columns} columns: at most ${MAX_PLACES} cells are read`);

/** 1 for A, 27 for AA. */
const columnOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** A for 1, AA for 27. */
export function columnName(column: number): string {
  let name = "";
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26))
    name = String.fromCharCode(65 + ((left - 1) % 26)) + name;
  return name;
}
