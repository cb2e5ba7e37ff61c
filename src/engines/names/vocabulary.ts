import type { Pacer } from "../../lib/pacer.js";
import { editDistance } from "./edit-distance.js";

export interface Similar {
  /** Position of the word in the vocabulary. */
  id: number;
  /** The square of the share of equal letters: 1 for the word itself, 0.77 for one error in eight letters. */
  similarity: number;
}

/** The distinct words of a list, searchable by similar spelling without comparing each of them. */
export class Vocabulary {
  readonly #words: readonly string[];
  readonly #ids = new Map<string, number>();
  readonly #idsByTrigram = new Map<number, Uint32Array>();
  /** Number of trigrams that a word shares with the requested one; zero between searches. */
  readonly #shared: Uint8Array;

  private constructor(words: readonly string[]) {
    this.#words = words;
    this.#shared = new Uint8Array(words.length);
  }

  /** Indexes distinct words, in slices. */
  static async build(words: readonly string[], pacer: Pacer): Promise<Vocabulary> {
    const vocabulary = new Vocabulary(words);
    const ids = new Map<number, number[]>();
    for (const [id, word] of words.entries()) {
      if (pacer.isDue()) await pacer.rest();
      vocabulary.#ids.set(word, id);
      if (editsAllowed(word) === 0) continue;
      for (const trigram of trigramsOf(word)) {
        const known = ids.get(trigram);
        if (known) known.push(id);
        else ids.set(trigram, [id]);
      }
    }
    for (const [trigram, list] of ids) {
      if (pacer.isDue()) await pacer.rest();
      vocabulary.#idsByTrigram.set(trigram, Uint32Array.from(list));
    }
    return vocabulary;
  }

  idOf(word: string): number | undefined {
    return this.#ids.get(word);
  }

  /** The word and its variants with one or two errors, best first; short words and numbers must be equal. */
  similarTo(word: string): Similar[] {
    const own = this.#ids.get(word);
    const similar: Similar[] = own === undefined ? [] : [{ id: own, similarity: 1 }];
    const edits = editsAllowed(word);
    if (edits === 0) return similar;
    for (const id of this.#withSharedTrigrams(word, edits)) {
      const similarity = likeness(word, this.#words[id] ?? "");
      if (similarity > 0 && similarity < 1) similar.push({ id, similarity });
    }
    return similar.sort((a, b) => b.similarity - a.similarity);
  }

  /** An edit changes at most four trigrams, so words within reach share all others. */
  #withSharedTrigrams(word: string, edits: number): number[] {
    const trigrams = trigramsOf(word);
    const needed = Math.max(1, trigrams.size - 4 * edits);
    const seen: number[] = [];
    for (const trigram of trigrams) {
      for (const id of this.#idsByTrigram.get(trigram) ?? []) {
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

/** The square of the share of common letters; 0 for more differences than allowed. */
function likeness(word: string, other: string): number {
  if (word === other) return 1;
  const allowed = Math.min(editsAllowed(word), editsAllowed(other));
  const distance = allowed === 0 ? 1 : editDistance(word, other, allowed);
  return distance > allowed ? 0 : (1 - distance / Math.max(word.length, other.length)) ** 2;
}

/** In a short word one letter makes another word, as any digit does in a number. */
function editsAllowed(word: string): number {
  if (word.length <= 4 || /\d/.test(word)) return 0;
  if (word.length <= 8) return 1;
  return word.length <= 15 ? 2 : 3;
}

/** Groups of three letters, including the word's begin and end; words are ASCII. */
function trigramsOf(word: string): Set<number> {
  const trigrams = new Set<number>();
  let [first, second] = [0, word.charCodeAt(0)];
  for (let i = 1; i <= word.length; i++) {
    const third = i < word.length ? word.charCodeAt(i) : 0;
    trigrams.add((first * 128 + second) * 128 + third);
    [first, second] = [second, third];
  }
  return trigrams;
}
