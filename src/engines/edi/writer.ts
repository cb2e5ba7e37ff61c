/** Joins elements to segments, with release characters where a text has delimiters. */
import { invalid } from "../../errors.js";
import type { Delimiters, ElementValue, Value } from "./segment.js";

export class Writer {
  text = "";

  constructor(readonly delimiters: Delimiters) {}

  segment(tag: string, elements: readonly (ElementValue | null | undefined)[], path: string): void {
    const { element, segment, tag: mark } = this.delimiters;
    const written = elements.map((one) => this.#element(one ?? "", path));
    while (written.at(-1) === "") written.pop();
    this.text += `${tag}${written.length > 0 ? mark : ""}${written.join(element)}${segment}`;
  }

  #element(element: ElementValue, path: string): string {
    if (typeof element === "string" || Array.isArray(element)) return this.#value(element, path);
    const { repetition } = this.delimiters;
    if (repetition === null && element.repeat.length > 1)
      throw invalid(path, "has repetitions: give delimiters.repetition, such as *");
    return element.repeat.map((value) => this.#value(value, path)).join(repetition ?? "");
  }

  /** Empty components at the end are left out. */
  #value(value: Value, path: string): string {
    const parts = (typeof value === "string" ? [value] : value).map((text) => this.#text(text, path));
    while (parts.at(-1) === "") parts.pop();
    return parts.join(this.delimiters.component);
  }

  #text(text: string, path: string): string {
    const { element, component, segment, repetition, release } = this.delimiters;
    let written = "";
    for (const sign of text) {
      const isMark = [element, component, segment, repetition, release].includes(sign);
      if (isMark && release === null)
        throw invalid(path, `has "${sign}", a delimiter, and no release character is declared`);
      if (sign < " ") throw invalid(path, "has control characters or line breaks, which readers drop");
      written += isMark ? `${release}${sign}` : sign;
    }
    return written;
  }
}
