import type { Pacer } from "../../lib/pacer.js";
import type { Likeness } from "./alignment.js";
import { type Comparable, comparable, type IndexedName } from "./comparable.js";
import { nameFacts, reasonsOf, wordMatches } from "./explain.js";
import { judge } from "./judge.js";
import { Vocabulary } from "./vocabulary.js";
import { priorOf } from "./weights.js";
import { wordLikeness } from "./word-likeness.js";
import type { Name, Token } from "./words.js";

/** A name of the list that is similar to the requested one. */
export interface Hit {
  /** Position of the name in the list. */
  id: number;
  score: number;
}

/** Maximum number of names that are compared word by word; others share fewer rare words. */
const MAX_CANDIDATES = 300;
const LEAST_SHARE = 0.08;
const LEAST_OF_BEST = 0.2;
const NOTHING = -1;

/** Index of names by words: finds names that share rare words with a name, then compares them word by word. */
export class NameIndex {
  readonly #names: IndexedName[] = [];
  readonly #words: Vocabulary;
  readonly #namesByWord: Uint32Array[];
  /** Whole names without blanks: "ALQAIDA" matches "AL QAIDA". */
  readonly #joined: Vocabulary;
  readonly #namesByJoined: Uint32Array[];
  readonly #tokens = new Map<string, Token>();
  readonly #weightByToken = new Map<Token, number>();
  /** Total weight of each name's words. */
  readonly #weights: Float64Array;
  /** Weight that each name shares with the requested one; zero between searches. */
  readonly #common: Float64Array;
  /** Position of the last requested word that it has. */
  readonly #lastWord: Int32Array;

  private constructor(count: number, words: Groups, joined: Groups) {
    this.#words = words.vocabulary;
    this.#namesByWord = words.names;
    this.#joined = joined.vocabulary;
    this.#namesByJoined = joined.names;
    this.#weights = new Float64Array(count);
    this.#common = new Float64Array(count);
    this.#lastWord = new Int32Array(count).fill(NOTHING);
  }

  /** Indexes the names of a list, in slices. */
  static async build(names: readonly IndexedName[], pacer: Pacer): Promise<NameIndex> {
    const words = await groupBy(names, ({ tokens }) => new Set(tokens.flatMap(keysOf)), pacer);
    const joined = await groupBy(names, ({ tokens }) => [joinedOf(tokens)], pacer);
    const index = new NameIndex(names.length, words, joined);
    for (const [id, name] of names.entries()) {
      if (pacer.isDue()) await pacer.rest();
      const own = name.tokens.map((token) => index.#intern(token));
      index.#names.push({ ...name, tokens: own });
      index.#weights[id] = own.reduce((sum, token) => sum + index.weightOf(token), 0);
    }
    return index;
  }

  /** Number of names with a word, in this spelling or one that sounds the same. */
  countOf({ folded }: Token): number {
    const id = this.#words.idOf(folded);
    return id === undefined ? 0 : (this.#namesByWord[id]?.length ?? 0);
  }

  /** Significance of a word: by its kind, and by its rarity here; 1 for a unique word. */
  readonly weightOf = (token: Token): number => {
    let weight = this.#weightByToken.get(token);
    if (weight === undefined) {
      weight = priorOf(token) * this.#rarity(this.countOf(token));
      if (this.#tokens.get(token.text) === token) this.#weightByToken.set(token, weight);
    }
    return weight;
  };

  #rarity(count: number): number {
    const names = this.#weights.length;
    return Math.log(1 + names / Math.max(1, count)) / Math.log(1 + names);
  }

  #intern(token: Token): Token {
    const known = this.#tokens.get(token.text);
    if (known) return known;
    this.#tokens.set(token.text, token);
    return token;
  }

  /** Names that share words with the requested one, compared word by word, unordered. */
  near(asked: Comparable, { byEar, wants }: { byEar: boolean; wants: (id: number) => boolean }): Hit[] {
    const ofPersons = remembered({ isPerson: true, byEar: true });
    const ofCompanies = remembered({ isPerson: false, byEar });
    const rules = { weightOf: this.weightOf, isKnown: this.#isKnown, formsCount: false };
    const hits: Hit[] = [];
    for (const id of this.#candidates(asked.tokens, wants)) {
      const name = this.#names[id];
      if (!name) continue;
      const { isPerson } = name;
      // guard: how alike two words are is kept apart for persons and for companies |
      //   ofCompanies -> ofPersons | name-list
      const { score } = judge(asked, name, { ...rules, isPerson, likeness: isPerson ? ofPersons : ofCompanies });
      hits.push({ id, score });
    }
    return hits;
  }

  /** Compares two names as `near` does, and explains the score. */
  explain(asked: Name, listed: Name, side: { isPerson: boolean; bySkeleton?: boolean }) {
    const [own, other] = [comparable(asked, side), comparable(listed, side)];
    const byEar = side.isPerson || asked.isTransliterated;
    const likeness = (a: Token, b: Token) => wordLikeness(a, b, { isPerson: side.isPerson, byEar });
    const rules = { weightOf: this.weightOf, isKnown: this.#isKnown, formsCount: false };
    const verdict = judge(own, other, { ...rules, isPerson: side.isPerson, likeness });
    const countOf = (token: Token) => this.countOf(token);
    const words = wordMatches(verdict, { weightOf: this.weightOf, countOf });
    return { score: verdict.score, explanation: { reasons: [...reasonsOf(verdict), ...nameFacts(own, other)], words } };
  }

  readonly #isKnown = (token: Token) => this.#tokens.has(token.text);

  #candidates(asked: readonly Token[], wants: (id: number) => boolean): number[] {
    const found: number[] = [];
    asked.forEach((token, position) => {
      this.#addShared(token, position, found);
    });
    const ranked = this.#ranked(found, asked, wants);
    const least = LEAST_OF_BEST * (ranked[0]?.share ?? 0);
    const best = new Set(ranked.slice(0, MAX_CANDIDATES).flatMap(({ id, share }) => (share >= least ? id : [])));
    for (const { id } of this.#joined.similarTo(joinedOf(asked)))
      for (const name of this.#namesByJoined[id] ?? []) if (wants(name)) best.add(name);
    return [...best];
  }

  /** Adds a requested word's weight to each name that has a similar one; names without an earlier word join `found`. */
  #addShared(token: Token, position: number, found: number[]): void {
    for (const { id, similarity } of keysOf(token).flatMap((key) => this.#words.similarTo(key))) {
      const weight = similarity * this.#rarity(this.#namesByWord[id]?.length ?? 0);
      for (const name of this.#namesByWord[id] ?? []) {
        if (this.#lastWord[name] === position) continue;
        if (this.#lastWord[name] === NOTHING) found.push(name);
        this.#lastWord[name] = position;
        this.#common[name] = (this.#common[name] ?? 0) + weight;
      }
    }
  }

  /** Names by the share of their weight in common, highest first. Clears what the search noted of them. */
  #ranked(found: readonly number[], asked: readonly Token[], wants: (id: number) => boolean) {
    const total = asked.reduce((sum, token) => sum + this.weightOf(token), 0);
    const ranked: { id: number; share: number }[] = [];
    for (const id of found) {
      const share = (this.#common[id] ?? 0) / (total + (this.#weights[id] ?? 0));
      this.#common[id] = 0;
      this.#lastWord[id] = NOTHING;
      if (share >= LEAST_SHARE && wants(id)) ranked.push({ id, share });
    }
    return ranked.sort((a, b) => b.share - a.share);
  }
}

/** Similarity of words, cached for a search, because words occur in many names of a list. */
function remembered(options: Parameters<typeof wordLikeness>[2]): Likeness {
  const known = new Map<Token, Map<Token, number>>();
  return (own, listed) => {
    const row = known.get(own) ?? new Map<Token, number>();
    if (row.size === 0) known.set(own, row);
    const value = row.get(listed) ?? wordLikeness(own, listed, options);
    row.set(listed, value);
    return value;
  };
}

const joinedOf = (tokens: readonly Token[]) => tokens.map(({ folded }) => folded).join("");

/**
 * Folding shortens some words so much that a typing error cannot be recognised, so these are also indexed as written.
 */
const keysOf = ({ text, folded }: Token): string[] =>
  folded.length < 5 && text.length >= 5 ? [folded, text] : [folded];

/** Keys, and for each the positions of the names that have it. */
interface Groups {
  vocabulary: Vocabulary;
  names: Uint32Array[];
}

async function groupBy(
  names: readonly IndexedName[],
  keys: (name: IndexedName) => Iterable<string>,
  pacer: Pacer,
): Promise<Groups> {
  const groups = new Map<string, number[]>();
  for (const [id, name] of names.entries()) {
    if (pacer.isDue()) await pacer.rest();
    for (const key of keys(name)) {
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
