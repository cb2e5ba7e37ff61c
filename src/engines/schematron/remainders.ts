/** Remainders of numbers that are too long for XPath here, as rules compute them of IBANs. */

/** The namespace of the function that is put in place. */
export const EXACT = "urn:coinslot:exact";

const BEGIN = "xs:integer(";

/** `xs:integer(text) mod 97` becomes a function of text and divisor, which counts digit by digit. */
export function withExactRemainders(expression: string): string {
  const start = expression.indexOf(BEGIN);
  const end = start < 0 ? -1 : closingOf(expression, start + BEGIN.length - 1);
  const [whole, divisor] = /^\s*mod\s+(\d+)/.exec(expression.slice(end + 1)) ?? [];
  if (end < 0 || whole === undefined) return expression;
  const text = expression.slice(start + BEGIN.length, end);
  const rest = expression.slice(end + 1 + whole.length);
  return `${expression.slice(0, start)}Q{${EXACT}}remainder(${text}, ${divisor})${withExactRemainders(rest)}`;
}

/** The place of the bracket that closes the one at `open`; -1 if none does. */
function closingOf(expression: string, open: number): number {
  const hidden = expression.replace(/'[^']*'|"[^"]*"/g, (text) => " ".repeat(text.length));
  let depth = 0;
  for (let at = open; at < hidden.length; at++) {
    if (hidden[at] === "(") depth++;
    if (hidden[at] === ")" && --depth === 0) return at;
  }
  return -1;
}

/** -1 for a text that is not a number, which no rule asks for. */
export function remainder(text: string, divisor: number): number {
  if (!/^\d{1,100}$/.test(text)) return -1;
  let rest = 0;
  for (const digit of text) rest = (rest * 10 + Number(digit)) % divisor;
  return rest;
}
