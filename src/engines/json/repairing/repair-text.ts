/**
 * Almost-JSON to JSON, by the rules of jsonrepair (ISC, Jos de Jong), whose answers these are, in time that grows with
 * the text: a repair costs the same wherever it stands, and what is read again is counted.
 */
import { isNamePart, isNameStart, isStartOfValue } from "./characters.js";
import { Output } from "./output.js";
import { Source } from "./source.js";
import { readValue } from "./values.js";

/** Throws `Beyond` where the text can have no meaning. */
export function repairText(text: string): string {
  const [source, output] = [new Source(text), new Output()];
  skipFence(source, output, ["```", "[```", "{```"]);
  if (!readValue(source, output)) throw source.beyond("Unexpected end of json string", text.length);
  skipFence(source, output, ["```", "```]", "```}"]);
  const hasComma = source.skip(",");
  if (hasComma) {
    output.push(",");
    source.skipBlanks(output);
  }
  const hasMore = isStartOfValue(source.char) && output.endsWithCommaOrLine();
  if (hasMore) readLines(source, output, hasComma);
  else if (hasComma) output.dropComma();
  while (source.skip("}") || source.skip("]")) source.skipBlanks(output);
  if (!source.isEnd) throw source.unexpected();
  return output.toString();
}

/** A fence of Markdown, with the language that it names. */
function skipFence(source: Source, output: Output, fences: readonly string[]): void {
  source.takeBlanks(output);
  const fence = fences.find((one) => source.text.startsWith(one, source.at));
  if (fence === undefined) return;
  source.at += fence.length;
  if (isNameStart(source.char)) source.skipWhile(isNamePart);
  source.skipBlanks(output);
}

/** Values one after the other, as in JSON Lines, become a list. */
function readLines(source: Source, output: Output, hasComma: boolean): void {
  if (!hasComma) output.insertBeforeBlank(",");
  while (readValue(source, output)) {
    if (source.skip(",")) output.push(",");
    else output.insertBeforeBlank(",");
  }
  output.dropComma();
  output.wrap();
}
