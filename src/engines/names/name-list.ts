/**
 * A list of who bears which names, searched by a name. What a score says, legal forms, case, accents, script, order of
 * words, titles and usual romanisations set aside:
 *
 * - from 0.9: the same name;
 * - 0.7 to 0.9: a likely variant: a letter or two differ, or a part of the listed name is missing;
 * - 0.5 to 0.7: a rare part in common, such as a surname: worth a look, usually somebody else;
 * - below 0.5: chance.
 *
 * A score compares names and is no verdict: two persons of one name score 1.
 */
import { createPacer, type Pacer } from "../../lib/pacer.js";
import { type Hit, type IndexedName, NameIndex } from "./name-index.js";
import { type Name, readName, skeletonsOf, takeApart, toLatin } from "./words.js";

/** Below it nothing is worth reporting, not even as the best that there is. */
const LEAST_SCORE = 0.1;
/** Without vowels, different names look alike. */
const SKELETON_SHARE = 0.95;

/** One name of one bearer. */
export interface Listed<Bearer> {
  text: string;
  bearer: Bearer;
  /** Persons are compared without their titles, on both sides. */
  isPerson: boolean;
}

export interface Found<L> {
  listed: L;
  /** 0 to 1, of three decimals. */
  score: number;
}

export interface SearchOptions<L> {
  /** The least score of a match. */
  threshold: number;
  /** Matches returned, best first. Default 10. */
  limit?: number;
  /** Which names are compared. */
  only?: (listed: L) => boolean;
}

export interface Search<L> {
  /** Of the nearest bearer, also where that is no match; 0 when nothing is near. */
  topScore: number;
  matches: Found<L>[];
}

export class NameList<Bearer, L extends Listed<Bearer> = Listed<Bearer>> {
  readonly #listed: readonly L[];
  readonly #index: NameIndex;
  #skeletons: Promise<NameIndex> | undefined;

  private constructor(listed: readonly L[], index: NameIndex) {
    this.#listed = listed;
    this.#index = index;
  }

  /** How many names it has. */
  get size(): number {
    return this.#listed.length;
  }

  /** Indexes a list in slices: the event loop is never held for longer than some milliseconds. */
  static async build<Bearer, L extends Listed<Bearer>>(
    listed: readonly L[],
    pacer: Pacer = createPacer(),
  ): Promise<NameList<Bearer, L>> {
    const names: IndexedName[] = [];
    for (const { text, isPerson } of listed) {
      if (pacer.isDue()) await pacer.rest();
      const name = takeApart(await toLatin(text));
      names.push({ words: isPerson ? name.untitled : name.words, numbers: name.numbers, isPerson });
    }
    return new NameList<Bearer, L>(listed, await NameIndex.build(names, pacer));
  }

  /** Compares a name with all that are listed; a bearer is reported once, by its nearest name. */
  async search(name: string, { threshold, limit = 10, only = () => true }: SearchOptions<L>): Promise<Search<L>> {
    const nearest = new Map<Bearer, Found<L>>();
    for (const { id, score } of await this.#near(await readName(name))) {
      const listed = this.#listed[id];
      if (!listed || !only(listed)) continue;
      const known = nearest.get(listed.bearer);
      if (!known || score > known.score) nearest.set(listed.bearer, { listed, score });
    }
    const sorted = [...nearest.values()].sort((a, b) => b.score - a.score);
    const matches = sorted.filter(({ score }) => score >= threshold).slice(0, limit);
    return { topScore: sorted[0]?.score ?? 0, matches };
  }

  async #near(name: Name): Promise<Hit[]> {
    const hits = this.#index.near(name, LEAST_SCORE);
    if (name.untitled !== name.words) {
      const untitled = this.#index.near({ words: name.untitled, numbers: name.numbers }, LEAST_SCORE);
      hits.push(...untitled.filter(({ id }) => this.#listed[id]?.isPerson));
    }
    if (name.consonantsOnly) {
      this.#skeletons ??= this.#indexSkeletons();
      const near = (await this.#skeletons).near(toSkeletons(name), LEAST_SCORE);
      hits.push(...near.map(({ id, score }) => ({ id, score: score * SKELETON_SHARE })));
    }
    return hits.map(({ id, score }) => ({ id, score: Math.round(score * 1000) / 1000 }));
  }

  /** Made when somebody first asks in a script without vowels. */
  async #indexSkeletons(): Promise<NameIndex> {
    const pacer = createPacer();
    const names: IndexedName[] = [];
    for (const { text } of this.#listed) {
      if (pacer.isDue()) await pacer.rest();
      names.push(toSkeletons(takeApart(await toLatin(text))));
    }
    return NameIndex.build(names, pacer);
  }
}

const toSkeletons = (name: Name) => ({ words: skeletonsOf(name), numbers: name.numbers });
