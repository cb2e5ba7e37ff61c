/** Single slips of the keyboard, the same ones in every run. */
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** A generator of numbers from 0 to below 1 (a linear congruence). */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

/** The name with one letter swapped with the next, left out, put in or changed; never the name itself. */
export function typoOf(name: string, next: () => number): string {
  const below = (limit: number) => Math.floor(next() * limit);
  const isLetter = (text: string | undefined) => /^[a-z]$/i.test(text ?? "");
  for (;;) {
    const [at, kind, letter] = [below(name.length), below(4), LETTERS[below(26)] ?? ""];
    if (!isLetter(name[at]) || (kind === 0 && !isLetter(name[at + 1]))) continue;
    const [before, here, after] = [name.slice(0, at), name[at] ?? "", name.slice(at + 1)];
    const slip = [before + after.slice(0, 1) + here + after.slice(1), before + after, before + letter + here + after][
      kind
    ];
    const typo = slip ?? before + letter + after;
    if (typo.toLowerCase() !== name.toLowerCase()) return typo;
  }
}
