/** Numbers, also such as nobody writes in JSON: `.5`, `2.` and `-`. What only begins like one is a text. */
import { isDigit } from "./characters.js";
import type { Output } from "./output.js";
import type { Source } from "./source.js";

export function readNumber(source: Source, output: Output): boolean {
  const start = source.at;
  const whole = takeWhole(source);
  const fraction = takeFraction(source, whole);
  if (source.at === start) return false;
  const exponent = takeExponent(source);
  if (!source.isEndOfNumber()) {
    source.at = start;
    return false;
  }
  const written = source.text.slice(start, source.at);
  const isNumber = !/^-?0\d/.test(written) && !/^-[eE]/.test(written);
  output.push(isNumber ? whole + fraction + exponent : `"${written}"`);
  return true;
}

function takeDigits(source: Source): string {
  const start = source.at;
  source.skipWhile(isDigit);
  return source.text.slice(start, source.at);
}

/** A minus alone is followed by a zero. */
function takeWhole(source: Source): string {
  const sign = source.skip("-") ? "-" : "";
  const isBare = sign !== "" && !isDigit(source.char) && source.isEndOfNumber();
  return sign + (isBare ? "0" : "") + takeDigits(source);
}

/** `.5` and `2.` have zeros that nobody wrote. */
function takeFraction(source: Source, whole: string): string {
  if (!source.skip(".")) return "";
  const digits = takeDigits(source);
  return `${whole === "" || whole === "-" ? "0" : ""}.${digits || "0"}`;
}

function takeExponent(source: Source): string {
  const letter = source.char;
  if (letter === undefined || (letter !== "e" && letter !== "E")) return "";
  source.at++;
  const sign = source.skip("-") ? "-" : source.skip("+") ? "+" : "";
  return letter + sign + (takeDigits(source) || "0");
}
