/** The places where a repaired text differs from what was written. */

export interface TextChange {
  /** In UTF-16 units of the given text. */
  position: number;
  kind: "blank" | "bracket" | "comma" | "comment" | "constant" | "fence" | "quotes" | "trailing-comma" | "text";
  before: string;
  after: string;
}

/** So many units must agree before two texts are taken to go on together; fewer after a small change. */
const SYNC = 6;
const MAX_AHEAD = 400;
const MAX_CHANGES = 1_000;
const MAX_SHOWN = 200;

/** Changes in order; after a thousand of them the rest is one. */
export function changesOf(before: string, after: string): TextChange[] {
  const changes: TextChange[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (before[i] === after[j]) {
      i++;
      j++;
      continue;
    }
    const [removed, added] =
      changes.length < MAX_CHANGES ? meeting(before, i, after, j) : [before.length - i, after.length - j];
    changes.push(changeAt(before, i, before.slice(i, i + removed), after.slice(j, j + added)));
    i += removed;
    j += added;
  }
  return changes;
}

/** How far both texts go until they agree again: the nearest such place, or their ends. */
function meeting(before: string, i: number, after: string, j: number): [removed: number, added: number] {
  for (let sum = 1; sum <= MAX_AHEAD; sum++) {
    for (let added = Math.min(sum, after.length - j); added >= 0 && sum - added <= before.length - i; added--) {
      const [from, to] = [i + sum - added, j + added];
      const length = Math.min(sum, SYNC);
      const same = before.slice(from, from + length);
      const isEnd = from >= before.length && to >= after.length;
      if (isEnd || (same !== "" && same === after.slice(to, to + length))) return [sum - added, added];
    }
  }
  return [before.length - i, after.length - j];
}

function changeAt(text: string, position: number, before: string, after: string): TextChange {
  const shorten = (part: string) => (part.length > MAX_SHOWN ? `${part.slice(0, MAX_SHOWN)}…` : part);
  return { position, kind: kindOf(text, position, before, after), before: shorten(before), after: shorten(after) };
}

const KINDS: readonly [TextChange["kind"], (before: string, after: string) => boolean][] = [
  ["blank", (before, after) => /^\s*$/.test(before + after)],
  ["fence", (before, after) => /^\s*`{3,}\w*\s*$/.test(before) && after.trim() === ""],
  ["comment", (before, after) => /^\s*(?:\/\/|\/\*|#)/.test(before) && after.trim() === ""],
  ["constant", (before, after) => /^[TFNnu]/.test(before) && /^(?:t|f|n|null)/.test(after)],
  ["quotes", (before, after) => /^["'`‘’“”„´\s]*$/.test(before) && /^["\\\s]*$/.test(after)],
  ["bracket", (before, after) => /^[\s\]})]*$/.test(before) && /^[\s,\]}]*[\]}][\s,\]}]*$/.test(after)],
  ["comma", (before, after) => /^\s*$/.test(before) && /^\s*,\s*$/.test(after)],
];

function kindOf(text: string, position: number, before: string, after: string): TextChange["kind"] {
  if (before.trim() === "," && after.trim() === "" && /^[\s,]*[\]}]/.test(text.slice(position, position + 200)))
    return "trailing-comma";
  return KINDS.find(([, is]) => is(before, after))?.[0] ?? "text";
}
