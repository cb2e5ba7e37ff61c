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

/**
 * Names by words. Two names score what they have in common, as a share of that and of what either has alone (Tversky's
 * index), where a word weighs by the square of its rarity in the list and a misspelt one counts in part.
 */
export class NameIndex {
  readonly #words: Vocabulary;
  readonly #wordWeights: Float64Array;
  readonly #namesByWord: Uint32Array[];
  readonly #nameWeights: Float64Array;
  readonly #wordCounts: Uint8Array;
  readonly #letterCounts: Uint16Array;
  /** What each name has in common with the one that is asked for; all zero between searches. */
  readonly #matches: { common: number; listed: number; own: number; lastWord: number }[];
  readonly #unknownWeight: number;
  /** Whole names without blanks: "ALQAIDA" is "AL QAIDA". */
  readonly #joined: Vocabulary;
  readonly #wordIds: ReadonlyMap<string, number>;

  /** @param names the words of each name */
  constructor(names: readonly (readonly string[])[]) {
    const ids = new Map<string, number>();
    const namesByWord: number[][] = [];
    names.forEach((words, name) => {
      for (const word of words) {
        const id = ids.get(word) ?? ids.size;
        if (id === ids.size) ids.set(word, id);
        const list = namesByWord[id];
        if (list) list.push(name);
        else namesByWord[id] = [name];
      }
    });
    const weigh = (count: number) => Math.log(1 + names.length / count) ** 2;
    this.#wordIds = ids;
    this.#namesByWord = namesByWord.map((list) => Uint32Array.from(list));
    this.#wordWeights = Float64Array.from(namesByWord, (list) => weigh(list.length));
    this.#unknownWeight = weigh(1);
    this.#words = new Vocabulary([...ids.keys()]);
    const joined = names.map((words) => words.join(""));
    this.#joined = new Vocabulary(joined);
    this.#letterCounts = Uint16Array.from(joined, (name) => name.length);
    this.#wordCounts = Uint8Array.from(names, (words) => words.length);
    this.#matches = names.map(() => ({ common: 0, listed: 0, own: 0, lastWord: NOTHING }));
    this.#nameWeights = Float64Array.from(names, (words) => words.reduce((sum, word) => sum + this.#weightOf(word), 0));
  }

  /** All names with a score of at least `minScore`, in no order. */
  near(words: readonly string[], minScore: number): Hit[] {
    const hits = [...this.#nearByWords(words), ...this.#nearByLetters(words)];
    return hits.filter(({ score }) => score >= minScore);
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
          const match = this.#matches[name];
          if (!match || match.lastWord === position) continue;
          if (match.lastWord === NOTHING) found.push(name);
          match.lastWord = position;
          match.common += similarity * weight;
          match.listed += weight;
          match.own += own;
        }
      }
    });
    return found.map((id) => ({ id, score: this.#takeScore(id, total) }));
  }

  /** A word that was found weighs what its counterpart weighs: a slip does not make a common word rare. */
  #takeScore(name: number, total: number): number {
    const match = this.#matches[name];
    if (!match) return 0;
    const { common, listed, own } = match;
    const missing = (this.#nameWeights[name] ?? 0) - listed;
    match.common = match.listed = match.own = 0;
    match.lastWord = NOTHING;
    return common / (listed + (total - own) + MISSING_WEIGHT * missing);
  }

  /**
   * Blanks elsewhere, or a letter too many in a short word. With as many words and letters, words that differ say more
   * than letters that do not: Iran Air is not Iraq Air.
   */
  #nearByLetters(words: readonly string[]): Hit[] {
    const joined = words.join("");
    const hasOtherShape = (id: number) =>
      this.#wordCounts[id] !== words.length || this.#letterCounts[id] !== joined.length;
    return this.#joined
      .similarTo(joined)
      .filter(({ id }) => hasOtherShape(id))
      .map(({ id, similarity }) => ({ id, score: similarity }));
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
    const id = this.#wordIds.get(word);
    return id === undefined ? this.#unknownWeight : (this.#wordWeights[id] ?? 0);
  }
}
