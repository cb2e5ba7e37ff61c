/** Objects, lists, numbers and words of a broken text. */
import {
  isBlank,
  isEndOfWord,
  isNamePart,
  isNameStart,
  isQuote,
  isStartOfValue,
  isUrlPart,
  isUrlStart,
} from "./characters.js";
import { readNumber } from "./numbers.js";
import type { Output } from "./output.js";
import type { Source } from "./source.js";
import { readString } from "./strings.js";

type Reader = (source: Source, output: Output) => boolean;

/** False where none stands. */
export function readValue(source: Source, output: Output): boolean {
  source.skipBlanks(output);
  const isThere = READERS.some((read) => read(source, output));
  source.skipBlanks(output);
  return isThere;
}

const READERS: readonly Reader[] = [
  readObject,
  readList,
  readString,
  readNumber,
  readConstant,
  (source, output) => readWord(source, output, false),
  readRegex,
];

function readObject(source: Source, output: Output): boolean {
  if (!open("{", source, output)) return false;
  for (let isFirst = true; !source.isEnd && source.char !== "}"; isFirst = false) {
    separate(isFirst, source, output);
    if (!readString(source, output) && !readWord(source, output, true)) {
      if (source.char !== undefined && !"{}[]".includes(source.char)) throw source.beyond("Object key expected");
      if (!isFirst) output.dropComma();
      break;
    }
    readMember(source, output);
  }
  close("}", source, output);
  return true;
}

/** The colon and the value after a key. */
function readMember(source: Source, output: Output): void {
  source.skipBlanks(output);
  const hasColon = source.skip(":");
  const isCut = source.isEnd;
  if (hasColon) output.push(":");
  else if (isStartOfValue(source.char) || isCut) output.insertBeforeBlank(":");
  else throw source.beyond("Colon expected");
  if (readValue(source, output)) return;
  if (!hasColon && !isCut) throw source.beyond("Colon expected");
  output.push("null");
}

function readList(source: Source, output: Output): boolean {
  if (!open("[", source, output)) return false;
  for (let isFirst = true; !source.isEnd && source.char !== "]"; isFirst = false) {
    separate(isFirst, source, output);
    if (readValue(source, output)) continue;
    if (!isFirst) output.dropComma();
    break;
  }
  close("]", source, output);
  return true;
}

/** The bracket, without a comma that follows it. */
function open(bracket: string, source: Source, output: Output): boolean {
  if (!source.skip(bracket)) return false;
  output.push(bracket);
  source.skipBlanks(output);
  if (source.skip(",")) source.skipBlanks(output);
  return true;
}

function close(bracket: string, source: Source, output: Output): void {
  if (source.skip(bracket)) output.push(bracket);
  else output.insertBeforeBlank(bracket);
}

/** The comma between members; three dots for members that were left out are skipped. */
function separate(isFirst: boolean, source: Source, output: Output): void {
  if (!isFirst) {
    if (source.skip(",")) output.push(",");
    else output.insertBeforeBlank(",");
  }
  source.skipBlanks(output);
  if (!source.text.startsWith("...", source.at)) return;
  source.at += 3;
  source.skipBlanks(output);
  source.skip(",");
}

/** Those of JSON and of Python. */
const CONSTANTS: readonly (readonly [string, string])[] = [
  ["true", "true"],
  ["false", "false"],
  ["null", "null"],
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
];

function readConstant(source: Source, output: Output): boolean {
  const found = CONSTANTS.find(
    ([name]) => source.text.startsWith(name, source.at) && !isNamePart(source.ahead(name.length)),
  );
  if (!found) return false;
  source.at += found[0].length;
  output.push(found[1]);
  return true;
}

/** A text without quotes, or a call such as `NumberLong("2")`, whose argument counts. */
function readWord(source: Source, output: Output, isKey: boolean): boolean {
  const start = source.at;
  if (isNameStart(source.char)) {
    source.skipWhile(isNamePart);
    const bracket = source.afterBlanks(source.at);
    if (source.text[bracket] === "(") return readCall(bracket, source, output);
  }
  source.skipWhile((char) => !isEndOfWord(char) && !isQuote(char) && (!isKey || char !== ":"));
  if (source.ahead(-1) === ":" && isUrlStart(source.text.slice(start, source.at + 2))) source.skipWhile(isUrlPart);
  if (source.at === start) return false;
  while (source.at > 0 && isBlank(source.ahead(-1))) source.at--;
  const word = source.text.slice(start, source.at);
  output.push(word === "undefined" ? "null" : JSON.stringify(word));
  // The start quote was missing.
  source.skip('"');
  return true;
}

function readCall(bracket: number, source: Source, output: Output): true {
  source.at = bracket + 1;
  readValue(source, output);
  if (source.skip(")")) source.skip(";");
  return true;
}

/** A regular expression, as a text. */
function readRegex(source: Source, output: Output): boolean {
  const start = source.at;
  if (!source.skip("/")) return false;
  while (!source.isEnd && (source.char !== "/" || source.ahead(-1) === "\\")) source.at++;
  source.at++;
  output.push(JSON.stringify(source.text.slice(start, source.at)));
  return true;
}
