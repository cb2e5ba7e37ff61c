import type { Pacer } from "../../lib/pacer.js";
import { numbersShare } from "./numerals.js";
import { type Similar, Vocabulary } from "./vocabulary.js";

/** A name of the list, found near a name that was asked for. */
export interface Hit {
  /** Position of the name in the list. */
  id: number;
  score: number;
}

const NOTHING = -1;

/** Lists have fuller names than people write: what is missing from the name asked for costs half. */
const MISSING_WEIGHT = 0.5;
/** Of a person of whom all that was asked for is there, first and last name at least. */
const MISSING_OF_PERSON_WEIGHT = 0.25;

/** What an index knows of a name. */
export interface IndexedName {
  words: readonly string[];
  numbers: readonly string[];
  /** Persons are listed with fathers' names and further given names, which few people write. */
  isPerson?: boolean;
}

/**
 * Names by words. Two names score what they have in common, as a share of that and of what either has alone (Tversky's
 * index), where a word weighs by the square of its rarity in the list and a misspelt one counts in part.
 */
export class NameIndex {
  readonly #words: Vocabulary;
  readonly #namesByWord: Uint32Array[];
  readonly #wordWeights: Float64Array;
  readonly #unknownWeight: number;
  /** Whole names without blanks: "ALQAIDA" is "AL QAIDA". */
  readonly #joined: Vocabulary;
  readonly #namesByJoined: Uint32Array[];
  readonly #numbers: (readonly string[])[];
  /** Of all words of each name. */
  readonly #weights: Float64Array;
  readonly #wordCounts: Uint16Array;
  readonly #letterCounts: Uint16Array;
  readonly #isPerson: Uint8Array;
  /** What each name has in common with the one that is asked for; zero between searches, like the next two. */
  readonly #common: Float64Array;
  /** The weight of its own words that were found. */
  readonly #listed: Float64Array;
  /** The weight of the words asked for that it has. */
  readonly #own: Float64Array;
  /** Position of the last word asked for that it has. */
  readonly #lastWord: Int32Array;

  private constructor(count: number, words: Groups, joined: Groups) {
    this.#words = words.vocabulary;
    this.#namesByWord = words.names;
    this.#unknownWeight = weigh(count, 1);
    this.#wordWeights = Float64Array.from(words.names, (ids) => weigh(count, ids.length));
    this.#joined = joined.vocabulary;
    this.#namesByJoined = joined.names;
    this.#numbers = [];
    this.#weights = new Float64Array(count);
    this.#wordCounts = new Uint16Array(count);
    this.#letterCounts = new Uint16Array(count);
    this.#isPerson = new Uint8Array(count);
    this.#common = new Float64Array(count);
    this.#listed = new Float64Array(count);
    this.#own = new Float64Array(count);
    this.#lastWord = new Int32Array(count).fill(NOTHING);
  }

  /** Indexes the names of a list, in slices. */
  static async build(names: readonly IndexedName[], pacer: Pacer): Promise<NameIndex> {
    const words = await groupBy(names, ({ words }) => words, pacer);
    const joined = await groupBy(names, ({ words }) => [words.join("")], pacer);
    const index = new NameIndex(names.length, words, joined);
    for (const [id, name] of names.entries()) {
      if (pacer.isDue()) await pacer.rest();
      index.#numbers.push(name.numbers);
      index.#weights[id] = name.words.reduce((sum, word) => sum + index.#weightOf(word), 0);
      index.#wordCounts[id] = name.words.length;
      index.#letterCounts[id] = name.words.join("").length;
      index.#isPerson[id] = name.isPerson ? 1 : 0;
    }
    return index;
  }

  /** All names with a score of at least `minScore`, in no order. */
  near({ words, numbers }: IndexedName, minScore: number): Hit[] {
    const hits: Hit[] = [];
    for (const { id, score } of [...this.#nearByWords(words), ...this.#nearByLetters(words)]) {
      const judged = score * numbersShare(numbers, this.#numbers[id] ?? []);
      if (judged >= minScore) hits.push({ id, score: judged });
    }
    return hits;
  }

  #nearByWords(words: readonly string[]): Hit[] {
    const found: number[] = [];
    let total = 0;
    this.#pairUp(words).forEach((similar, position) => {
      const own = this.#weightOf(words[position] ?? "");
      total += own;
      for (const { id, similarity } of similar) {
        const weight = this.#wordWeights[id] ?? 0;
        for (const name of this.#namesByWord[id] ?? []) {
          if (this.#lastWord[name] === position) continue;
          if (this.#lastWord[name] === NOTHING) found.push(name);
          this.#lastWord[name] = position;
          add(this.#common, name, similarity * weight);
          add(this.#listed, name, weight);
          add(this.#own, name, own);
        }
      }
    });
    return found.map((id) => ({ id, score: this.#takeScore(id, total, words.length) }));
  }

  /** A word that was found weighs what its counterpart weighs: a slip does not make a common word rare. */
  #takeScore(name: number, total: number, words: number): number {
    const [common, listed, own] = [take(this.#common, name), take(this.#listed, name), take(this.#own, name)];
    this.#lastWord[name] = NOTHING;
    const missing = (this.#weights[name] ?? 0) - listed;
    const isWhole = words >= 2 && total - own < 1e-9 && this.#isPerson[name] === 1;
    return common / (listed + (total - own) + (isWhole ? MISSING_OF_PERSON_WEIGHT : MISSING_WEIGHT) * missing);
  }

  /**
   * Blanks elsewhere, or a letter too many in a short word. With as many words and letters, words that differ say more
   * than letters that do not: Iran Air is not Iraq Air.
   */
  #nearByLetters(words: readonly string[]): Hit[] {
    const joined = words.join("");
    const hits: Hit[] = [];
    for (const { id, similarity } of this.#joined.similarTo(joined))
      for (const name of this.#namesByJoined[id] ?? []) {
        const hasSameShape = this.#wordCounts[name] === words.length && this.#letterCounts[name] === joined.length;
        if (!hasSameShape) hits.push({ id: name, score: similarity });
      }
    return hits;
  }

  /** For each word its counterparts in the list, best first; a word of the list belongs to one word only. */
  #pairUp(words: readonly string[]): Similar[][] {
    const best = new Map<number, { similarity: number; position: number }>();
    const all = words.map((word) => this.#words.similarTo(word));
    all.forEach((similar, position) => {
      for (const { id, similarity } of similar)
        if (similarity > (best.get(id)?.similarity ?? 0)) best.set(id, { similarity, position });
    });
    return all.map((similar, position) => similar.filter(({ id }) => best.get(id)?.position === position));
  }

  #weightOf(word: string): number {
    const id = this.#words.idOf(word);
    return id === undefined ? this.#unknownWeight : (this.#wordWeights[id] ?? 0);
  }
}

const weigh = (names: number, count: number) => Math.log(1 + names / count) ** 2;

function add(sums: Float64Array, position: number, value: number): void {
  sums[position] = (sums[position] ?? 0) + value;
}

function take(sums: Float64Array, position: number): number {
  const sum = sums[position] ?? 0;
  sums[position] = 0;
  return sum;
}

/** Keys, and by the position of each the positions of the names that have it. */
interface Groups {
  vocabulary: Vocabulary;
  names: Uint32Array[];
}

async function groupBy(
  names: readonly IndexedName[],
  keysOf: (name: IndexedName) => readonly string[],
  pacer: Pacer,
): Promise<Groups> {
  const groups = new Map<string, number[]>();
  for (const [id, name] of names.entries()) {
    if (pacer.isDue()) await pacer.rest();
    for (const key of keysOf(name)) {
      const known = groups.get(key);
      if (known) known.push(id);
      else groups.set(key, [id]);
    }
  }
  const packed: Uint32Array[] = [];
  for (const ids of groups.values()) {
    if (pacer.isDue()) await pacer.rest();
    packed.push(Uint32Array.from(ids));
  }
  return { vocabulary: await Vocabulary.build([...groups.keys()], pacer), names: packed };
}
