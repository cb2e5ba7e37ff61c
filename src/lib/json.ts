/** What costs nothing to know of a JSON text before it is parsed, so that hostile depth and names cost nothing. */
export interface JsonShape {
  /** How deep it nests. */
  depth: number;
  /** How many members its objects have in all: each of them costs a parser as much as fifty bytes of a text. */
  members: number;
  /** Whether a number in it may be beyond what JavaScript's can tell. */
  mayOverflow: boolean;
}

/** Fewer digits make no number that is infinite, unless it has an exponent. */
const MAX_DIGITS = 308;

/** In one pass, in which texts are passed over; it takes the text to be JSON, which a parser will say of it. */
export function shapeOf(json: string): JsonShape {
  let level = 0;
  let depth = 0;
  let members = 0;
  let digits = 0;
  let mayOverflow = false;
  for (let i = 0; i < json.length; i++) {
    const char = json.charCodeAt(i);
    if (char >= 48 && char <= 57) {
      if (++digits > MAX_DIGITS) mayOverflow = true;
      continue;
    }
    if (digits > 0 && (char === 101 || char === 69) /* e */) mayOverflow = true;
    digits = 0;
    if (char === 34 /* " */) i = endOfText(json, i);
    else if (char === 58 /* : */) members++;
    else if (char === 91 /* [ */ || char === 123 /* { */) depth = Math.max(depth, ++level);
    else if (char === 93 || char === 125) level--;
  }
  return { depth, members, mayOverflow };
}

/** Where the text ends that begins at a quotation mark: at the next one that is not escaped. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json.charCodeAt(before) === 92 /* \ */) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return json.length;
}
