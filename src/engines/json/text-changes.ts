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
/** Pairs of places that are compared in all: texts that never agree would be compared at every pair, for every change. */
export const MAX_COMPARED = 2_000_000;

/** Changes in order; after a thousand of them, or where comparing takes too long, the rest is one. */
export function changesOf(before: string, after: string): TextChange[] {
  const changes: TextChange[] = [];
  const budget = { left: MAX_COMPARED };
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (before[i] === after[j]) {
      i++;
      j++;
      continue;
    }
    const [removed, added] =
      changes.length < MAX_CHANGES
        ? meeting({ text: before, at: i }, { text: after, at: j }, budget)
        : [before.length - i, after.length - j];
    changes.push(changeAt(before, i, before.slice(i, i + removed), after.slice(j, j + added)));
    i += removed;
    j += added;
  }
  return changes;
}

interface Place {
  text: string;
  at: number;
}

/** How far both texts go until they agree again: the nearest such place, or their ends. */
function meeting(before: Place, after: Place, budget: { left: number }): [removed: number, added: number] {
  const [removable, addable] = [before.text.length - before.at, after.text.length - after.at];
  // guard: offline: a repaired text is compared with what was written so often | - && budget.left > 0 | repair
  for (let sum = 1; sum <= MAX_AHEAD && budget.left > 0; sum++) {
    for (let added = Math.min(sum, addable); added >= 0 && sum - added <= removable; added--) {
      budget.left--;
      if (agree(before.text, before.at + sum - added, after.text, after.at + added, Math.min(sum, SYNC)))
        return [sum - added, added];
    }
  }
  return [removable, addable];
}

/** Whether both texts go on alike, or end. */
function agree(before: string, from: number, after: string, to: number, length: number): boolean {
  if (before[from] !== after[to]) return false;
  const same = before.slice(from, from + length);
  return same === "" || same === after.slice(to, to + length);
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
  ["bracket", (before, after) => /^[\s\]})]*$/.test(before) && /^[\s,\]}]*$/.test(after) && /[\]}]/.test(after)],
  ["comma", (before, after) => /^\s*$/.test(before) && /^\s*,\s*$/.test(after)],
];

function kindOf(text: string, position: number, before: string, after: string): TextChange["kind"] {
  if (before.trim() === "," && after.trim() === "" && /^[\s,]*[\]}]/.test(text.slice(position, position + 200)))
    return "trailing-comma";
  return KINDS.find(([, is]) => is(before, after))?.[0] ?? "text";
}
