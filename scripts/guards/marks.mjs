/**
 * Guards are marked in the code that they are: a comment on a line of its own above it, its end on further lines where it is
 * long, which are indented by three spaces. Several marks may stand on one place.
 *
 *     // guard: <name> | <its removal> | <tests that fail then, and options of the simulator>
 *     // guard: rates: an amount is rounded up | - + divisor - 1n | rated-assets
 */
const MARK = /^[ \t]*\/\/ guard: (.*)$/;
const MORE = /^[ \t]*\/\/ {3}(\S.*)$/;
const BETWEEN = " | ";

/**
 * @typedef {{ name: string, removal: string, tests: string[], simulator: string[], at: number }} Mark
 *   `at` is where the code below it begins in the source without marks.
 */

/** @param {string} text @param {number} at @returns {Mark} */
function markOf(text, at) {
  const [name, ...rest] = text.split(BETWEEN);
  const words = rest.pop()?.split(" ") ?? [];
  const removal = rest.join(BETWEEN);
  if (!name || !removal) throw new Error(`a mark has a name, a removal and tests, between "${BETWEEN}": ${text}`);
  const isOption = (/** @type {string} */ word) => word.startsWith("--");
  return { name, removal, at, tests: words.filter((word) => !isOption(word)), simulator: words.filter(isOption) };
}

/**
 * The marks of a file, and its source without them.
 * @param {string} source
 */
export function readMarks(source) {
  let bare = "";
  /** @type {{ text: string, at: number }[]} */
  const found = [];
  let isMark = false;
  for (const line of source.split(/(?<=\n)/)) {
    const code = line.trimEnd();
    const [, begun] = MARK.exec(code) ?? [];
    const [, more] = (isMark && MORE.exec(code)) || [];
    const last = found.at(-1);
    if (begun) found.push({ text: begun, at: bare.length });
    else if (more && last) last.text += ` ${more}`;
    else bare += line;
    isMark = Boolean(begun ?? more);
  }
  return { bare, marks: found.map(({ text, at }) => markOf(text, at)) };
}
