/** Losses between a workbook's cells and the answer, told once a kind. */

const TELL = {
  formula: (count: number, places: string) =>
    `${many(count, "formula has", "formulas have")} no stored value and ${count === 1 ? "is" : "are"} null (${places}): open and save the workbook in a spreadsheet program, which calculates`,
  error: (count: number, places: string) =>
    `${many(count, "cell holds", "cells hold")} an error of a formula, which is given as text (${places})`,
  "no day": (count: number, places: string) =>
    `${many(count, "cell shows", "cells show")} 29 February 1900, which spreadsheets count, and which never was (${places})`,
  "day without date": (count: number, places: string) =>
    `${many(count, "date is", "dates are")} before 1 January 1900, where spreadsheets show day 0, and ${count === 1 ? "is" : "are"} given as time (${places})`,
  "beyond dates": (count: number, places: string) =>
    `${many(count, "number has", "numbers have")} a format of dates and ${count === 1 ? "is" : "are"} beyond them: given as numbers (${places})`,
  missing: (count: number, places: string) =>
    `${many(count, "cell names a text", "cells name texts")} that the workbook does not have: null (${places})`,
  merged: (count: number, places: string) =>
    `${many(count, "merged area", "merged areas")}: only the first cell of each has the value (${places})`,
};

export type Loss = keyof typeof TELL;

const many = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`;
const MAX_PLACES = 5;

export class Losses {
  readonly #found = new Map<Loss, { count: number; places: string[] }>();

  add(loss: Loss, place: string): void {
    const found = this.#found.get(loss) ?? { count: 0, places: [] };
    this.#found.set(loss, found);
    found.count++;
    if (found.places.length < MAX_PLACES) found.places.push(place.slice(0, 60));
  }

  notes(): string[] {
    return [...this.#found].map(([loss, { count, places }]) => {
      const more = count > places.length ? ", …" : "";
      return TELL[loss](count, `${places.join(", ")}${more}`);
    });
  }
}
