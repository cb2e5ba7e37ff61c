/** Cells of tables: what their text stands for. */
import { ExactNumber, numberOf } from "../json/text.js";

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;

/**
 * Numbers as JSON writes them, true, false and nothing. All else stays text: 007, +49, 1,5, no, dates, and numbers that
 * JavaScript cannot hold.
 */
export function inferred(text: string): unknown {
  if (text === "") return null;
  if (text === "true" || text === "false") return text === "true";
  if (!NUMBER.test(text)) return text;
  const number = numberOf(text);
  return number instanceof ExactNumber ? text : number;
}
