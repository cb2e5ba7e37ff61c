/** How many cells the tables of a document may have: few bytes may stand for millions of them. */
import { CapabilityError } from "../../errors.js";

/** More are data, which data.convert gives as such. */
const MAX_CELLS = 200_000;
/** Characters of all cells: those that are repeated are written each time. */
const MAX_CHARACTERS = 8_000_000;

export class CellRoom {
  #cells = MAX_CELLS;
  #characters = MAX_CHARACTERS;

  /** Throws RESULT_TOO_LARGE; before the cells are made. */
  take(cells: number, characters = 0): void {
    this.#cells -= cells;
    this.#characters -= characters;
    if (this.#cells < 0) throw tooLarge(`has tables of more than ${MAX_CELLS} cells`);
    if (this.#characters < 0) throw tooLarge(`has tables of more than ${MAX_CHARACTERS} characters`);
  }
}

function tooLarge(what: string): CapabilityError {
  const message = `${what}, counting those that rows lack: send a smaller part`;
  return new CapabilityError("RESULT_TOO_LARGE", message, { issues: [{ path: "", message }] });
}
