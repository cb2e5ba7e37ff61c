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

interface NameFacts {
  /** Of all its words. */
  weight: number;
  words: number;
  letters: number;
  /** What it has in common with the name that is asked for; zero between searches. */
  common: number;
  /** The weight of its own words that were found. */
  listed: number;
  /** The weight of the words asked for that it has. */
  own: number;
  /** Position of the last word asked for that it has. */
  lastWord: number;
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
  readonly #names: NameFacts[];

  /** @param names the words of each name */
  constructor(names: readonly (readonly string[])[]) {
    const byWord = groupBy(names);
    const byJoined = groupBy(names.map((words) => [words.join("")]));
    const weigh = (count: number) => Math.log(1 + names.length / count) ** 2;
    this.#words = new Vocabulary([...byWord.keys()]);
    this.#namesByWord = [...byWord.values()].map((ids) => Uint32Array.from(ids));
    this.#wordWeights = Float64Array.from(this.#namesByWord, (ids) => weigh(ids.length));
    this.#unknownWeight = weigh(1);
    this.#joined = new Vocabulary([...byJoined.keys()]);
    this.#namesByJoined = [...byJoined.values()].map((ids) => Uint32Array.from(ids));
    this.#names = names.map((words) => ({
      weight: words.reduce((sum, word) => sum + this.#weightOf(word), 0),
      words: words.length,
      letters: words.join("").length,
      common: 0,
      listed: 0,
      own: 0,
      lastWord: NOTHING,
    }));
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
          const match = this.#names[name];
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
    const match = this.#names[name];
    if (!match) return 0;
    const { weight, common, listed, own } = match;
    const missing = weight - listed;
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
    const hits: Hit[] = [];
    for (const { id, similarity } of this.#joined.similarTo(joined))
      for (const name of this.#namesByJoined[id] ?? []) {
        const facts = this.#names[name];
        const hasSameShape = facts?.words === words.length && facts.letters === joined.length;
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

/** The positions of the names that have a key, by key. */
function groupBy(keysOfNames: readonly (readonly string[])[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [name, keys] of keysOfNames.entries())
    for (const key of keys) {
      const known = groups.get(key);
      if (known) known.push(name);
      else groups.set(key, [name]);
    }
  return groups;
}
