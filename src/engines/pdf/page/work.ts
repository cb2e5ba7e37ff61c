/**
 * How much work a document may make, counted where it arises: by PDF.js as it is built in, and by what reads its pages. Some
 * thousand characters can ask for years of it.
 */
import { CapabilityError } from "../../../errors.js";

interface Limit {
  /** Of one page, and of all pages of a call. */
  page: number;
  file: number;
  what: string;
}

const LIMITS = {
  characters: { page: 64e6, file: 256e6, what: "characters of instructions" },
  operators: { page: 1_000_000, file: 4_000_000, what: "operators" },
  letters: { page: 1_000_000, file: 6_000_000, what: "letters" },
  texts: { page: 60_000, file: 400_000, what: "pieces of text" },
  forms: { page: 3_000, file: 20_000, what: "drawings within drawings" },
  tiles: { page: 10_000, file: 10_000, what: "tiles of patterns" },
  drawn: { page: 250_000, file: 250_000, what: "strokes, fills and letters to draw" },
  pixels: { page: 3e9, file: 3e9, what: "pixels to paint over each other" },
  pictures: { page: 100e6, file: 200e6, what: "pixels of pictures" },
  lines: { page: 200_000, file: 2_000_000, what: "lines" },
  steps: { page: 200e6, file: 1e9, what: "places to compare" },
} satisfies Record<string, Limit>;

export type WorkKind = keyof typeof LIMITS;
/** Left, top, right and bottom. */
type Box = ArrayLike<number>;

const at = (list: ArrayLike<number>, i: number): number => list[i] ?? 0;
const sideOf = (box: Box, axis: number): number => Math.abs(at(box, axis + 2) - at(box, axis));

export class PdfWork {
  /** Why the document is refused; PDF.js takes an error of a part for a damaged part, and goes on. */
  refusal: CapabilityError | undefined;
  #page = 0;
  #onPage: Partial<Record<WorkKind, number>> = {};
  readonly #inFile: Partial<Record<WorkKind, number>> = {};

  startPage(number: number): void {
    this.#page = number;
    this.#onPage = {};
  }

  /** Throws RESULT_TOO_LARGE, and again at each further step. */
  spend(kind: WorkKind, amount = 1): void {
    if (this.refusal) throw this.refusal;
    const { page, file, what } = LIMITS[kind];
    const onPage = (this.#onPage[kind] ?? 0) + amount;
    const inFile = (this.#inFile[kind] ?? 0) + amount;
    [this.#onPage[kind], this.#inFile[kind]] = [onPage, inFile];
    if (onPage > page) this.#refuse(`has more than ${page} ${what} on page ${this.#page}`);
    if (inFile > file) this.#refuse(`has more than ${file} ${what} on the pages that were asked for`);
  }

  /** The part of a box that a clip leaves, in pixels. */
  paint(box: Box, clip: Box): void {
    const sides = [0, 1].map((axis) =>
      Math.max(0, Math.min(at(box, axis + 2), at(clip, axis + 2)) - Math.max(at(box, axis), at(clip, axis))),
    );
    this.spend("pixels", Math.ceil(at(sides, 0) * at(sides, 1)) || 0);
  }

  /** Of a dashed stroke each dash is one. */
  dashes(box: Box, dash: readonly number[]): void {
    const length = dash.reduce((sum, one) => sum + Math.abs(one), 0);
    if (length > 0) this.spend("drawn", Math.ceil(sideOf(box, 0) + sideOf(box, 1)) / length || 0);
  }

  /** Letters of a size under these matrices, each no larger than the clip. */
  letters(count: number, size: number, matrices: readonly (ArrayLike<number> | null)[], clip: Box): void {
    const scales = matrices.map((matrix) =>
      matrix ? Math.abs(at(matrix, 0) * at(matrix, 3) - at(matrix, 1) * at(matrix, 2)) : 1,
    );
    const each = scales.reduce((area, scale) => area * scale, size * size);
    this.spend("drawn", count);
    this.spend("pixels", Math.ceil(count * Math.min(each, sideOf(clip, 0) * sideOf(clip, 1))) || 0);
  }

  #refuse(what: string): never {
    const message = `${what}: send fewer pages, or a simpler document`;
    this.refusal = new CapabilityError("RESULT_TOO_LARGE", message, { issues: [{ path: "", message }] });
    throw this.refusal;
  }
}

/** Where PDF.js as it is built in finds it: `pdfWork` is a name of its patches. */
const place = globalThis as { pdfWork?: PdfWork | undefined };
let last: Promise<unknown> = Promise.resolve();

/** Runs work on one document after the other, each with a count of its own. */
export function counted<T>(work: (spent: PdfWork) => Promise<T>): Promise<T> {
  const run = last.then(async () => {
    const spent = new PdfWork();
    place.pdfWork = spent;
    try {
      const result = await work(spent);
      if (spent.refusal) throw spent.refusal;
      return result;
    } catch (error) {
      throw spent.refusal ?? error;
    } finally {
      place.pdfWork = undefined;
    }
  });
  last = run.catch(() => {});
  return run;
}

/** The page whose work is counted from here on. */
export const startPage = (number: number): void => place.pdfWork?.startPage(number);

/** Counts steps of the document that is being read. */
export const spend = (kind: WorkKind, amount?: number): void => place.pdfWork?.spend(kind, amount);
