import { editDistance } from "./edit-distance.js";

export interface Similar {
  /** Position of the word in the vocabulary. */
  id: number;
  /** The square of the share of letters that are the same: 1 for the word itself, 0.77 for a slip in eight letters. */
  similarity: number;
}

/** Words of a list, found by spellings that differ in a few letters, without a look at each of them. */
export class Vocabulary {
  readonly #words: readonly string[];
  readonly #idsByPair = new Map<number, Uint32Array>();
  readonly #shared: Uint8Array;

  constructor(words: readonly string[]) {
    this.#words = words;
    this.#shared = new Uint8Array(words.length);
    const ids = new Map<number, number[]>();
    words.forEach((word, id) => {
      for (const pair of pairsOf(word)) {
        const known = ids.get(pair);
        if (known) known.push(id);
        else ids.set(pair, [id]);
      }
    });
    for (const [pair, list] of ids) this.#idsByPair.set(pair, Uint32Array.from(list));
  }

  /** The word and those that a slip or two of its spelling make; short words and numbers must be equal. */
  similarTo(word: string): Similar[] {
    const edits = editsAllowed(word);
    const similar: Similar[] = [];
    for (const id of this.#withSharedPairs(word, edits)) {
      const other = this.#words[id] ?? "";
      const allowed = Math.min(edits, editsAllowed(other));
      const distance = editDistance(word, other, allowed);
      if (distance > allowed) continue;
      similar.push({ id, similarity: (1 - distance / Math.max(word.length, other.length)) ** 2 });
    }
    return similar.sort((a, b) => b.similarity - a.similarity);
  }

  /** An edit touches at most three pairs of neighbours, so what is within reach shares all others. */
  #withSharedPairs(word: string, edits: number): number[] {
    const pairs = pairsOf(word);
    const needed = Math.max(1, pairs.size - 3 * edits);
    const seen: number[] = [];
    for (const pair of pairs) {
      for (const id of this.#idsByPair.get(pair) ?? []) {
        const before = this.#shared[id] ?? 0;
        if (before === 0) seen.push(id);
        this.#shared[id] = before + 1;
      }
    }
    const near = seen.filter((id) => (this.#shared[id] ?? 0) >= needed);
    for (const id of seen) this.#shared[id] = 0;
    return near;
  }
}

/** In a short word one letter makes another word, and in a number any digit. */
function editsAllowed(word: string): number {
  if (word.length <= 4 || /\d/.test(word)) return 0;
  if (word.length <= 8) return 1;
  return word.length <= 15 ? 2 : 3;
}

/** Neighbouring letters, with the word's begin and end; words are ASCII. */
function pairsOf(word: string): Set<number> {
  const pairs = new Set<number>();
  let before = 0;
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    pairs.add(before * 128 + code);
    before = code;
  }
  return pairs.add(before * 128);
}
