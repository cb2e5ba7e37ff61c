/**
 * A list of names and their bearers, searched by name. Legal forms, case, accents, script, word order, titles and usual
 * romanisations are ignored. Meaning of a score:
 *
 * - from 0.9: the same name;
 * - 0.7 to 0.9: a likely variant: a letter or two differ, or a part of the listed name is missing;
 * - 0.5 to 0.7: changes in short words, significant parts missing, or a rare surname alone: worth checking, often
 *   another person;
 * - below 0.5: coincidence.
 *
 * A score compares names and proves nothing about identity: two persons of one name score 1.
 */
import { lazy } from "../../lib/lazy.js";
import { createPacer, type Pacer } from "../../lib/pacer.js";
import { comparable, type IndexedName, SKELETON_SHARE } from "./comparable.js";
import type { Explanation } from "./explain.js";
import type { Hit, NameIndex } from "./name-index.js";
import { type Name, readName, takeApart, toLatin } from "./words.js";

/** Only who searches a list needs an index. */
const loadIndex = /* @__PURE__ */ lazy(() => import("./name-index.js"));

async function indexOf(names: readonly IndexedName[], pacer: Pacer): Promise<NameIndex> {
  const { NameIndex } = await loadIndex();
  return NameIndex.build(names, pacer);
}

/** Lower scores are not reported, not even as the best. */
const LEAST_SCORE = 0.1;

/** One name of one bearer. */
export interface Listed<Bearer> {
  text: string;
  bearer: Bearer;
  /** Persons are compared without their titles, on both sides. */
  isPerson: boolean;
}

export interface FoundName<L> {
  listed: L;
  /** 0 to 1, with three decimals. */
  score: number;
}

export interface SearchOptions<L> {
  /** Lowest score of a match. */
  threshold: number;
  /** Maximum number of matches, best first. Default 10. */
  limit?: number;
  /** Restricts the compared names. */
  only?: (listed: L) => boolean;
}

export interface Search<L> {
  /** Score of the nearest bearer, even below the threshold; 0 if nothing is similar. */
  topScore: number;
  matches: FoundName<L>[];
}

export class NameList<Bearer, L extends Listed<Bearer> = Listed<Bearer>> {
  readonly #listed: readonly L[];
  readonly #index: NameIndex;
  #skeletons: Promise<NameIndex> | undefined;

  private constructor(listed: readonly L[], index: NameIndex) {
    this.#listed = listed;
    this.#index = index;
  }

  /** Number of its names. */
  get size(): number {
    return this.#listed.length;
  }

  /** Indexes a list in slices, so that the event loop is never blocked for more than some milliseconds. */
  static async build<Bearer, L extends Listed<Bearer>>(
    listed: readonly L[],
    pacer: Pacer = createPacer(),
  ): Promise<NameList<Bearer, L>> {
    const names: IndexedName[] = [];
    for (const { text, isPerson } of listed) {
      if (pacer.isDue()) await pacer.rest();
      names.push({ ...comparable(takeApart(await toLatin(text)), { isPerson }), isPerson });
    }
    return new NameList<Bearer, L>(listed, await indexOf(names, pacer));
  }

  /** Compares a name with all listed names; a bearer is reported once, by its nearest name. */
  async search(name: string, { threshold, limit = 10, only = () => true }: SearchOptions<L>): Promise<Search<L>> {
    const nearest = new Map<Bearer, FoundName<L>>();
    const wants = (id: number) => {
      const listed = this.#listed[id];
      return listed !== undefined && only(listed);
    };
    for (const { id, score } of await this.#near(await readName(name), wants)) {
      const listed = this.#listed[id];
      if (!listed) continue;
      const known = nearest.get(listed.bearer);
      if (!known || score > known.score) nearest.set(listed.bearer, { listed, score });
    }
    const sorted = [...nearest.values()].sort((a, b) => b.score - a.score);
    const matches = sorted.filter(({ score }) => score >= threshold).slice(0, limit);
    return { topScore: sorted[0]?.score ?? 0, matches };
  }

  /** Explains the score of a found name. */
  async explain(name: string, { text, isPerson }: Pick<L, "text" | "isPerson">): Promise<Explanation> {
    const [asked, listed] = [await readName(name), takeApart(await toLatin(text))];
    const judged = [this.#index.explain(asked, listed, { isPerson })];
    if (asked.consonantsOnly)
      judged.push((await this.#consonants()).explain(asked, listed, { isPerson, bySkeleton: true }));
    return judged.reduce((best, one) => (one.score > best.score ? one : best)).explanation;
  }

  async #near(name: Name, wants: (id: number) => boolean): Promise<Hit[]> {
    const byEar = name.isTransliterated;
    const isPerson = (id: number) => this.#listed[id]?.isPerson === true;
    const [company, person] = [comparable(name, { isPerson: false }), comparable(name, { isPerson: true })];
    const isOne = company.tokens.map(({ text }) => text).join() === person.tokens.map(({ text }) => text).join();
    const hits = isOne
      ? this.#index.near(company, { byEar, wants })
      : [
          ...this.#index.near(company, { byEar, wants: (id) => !isPerson(id) && wants(id) }),
          ...this.#index.near(person, { byEar, wants: (id) => isPerson(id) && wants(id) }),
        ];
    if (name.consonantsOnly) {
      const asked = comparable(name, { isPerson: false, bySkeleton: true });
      const near = (await this.#consonants()).near(asked, { byEar, wants });
      hits.push(...near.map(({ id, score }) => ({ id, score: score * SKELETON_SHARE })));
    }
    return hits.flatMap(({ id, score }) => (score < LEAST_SCORE ? [] : { id, score: Math.round(score * 1000) / 1000 }));
  }

  #consonants(): Promise<NameIndex> {
    this.#skeletons ??= this.#indexSkeletons();
    return this.#skeletons;
  }

  /** Created when a name in a script without vowels is first requested. */
  async #indexSkeletons(): Promise<NameIndex> {
    const pacer = createPacer();
    const names: IndexedName[] = [];
    for (const { text, isPerson } of this.#listed) {
      if (pacer.isDue()) await pacer.rest();
      names.push({ ...comparable(takeApart(await toLatin(text)), { isPerson, bySkeleton: true }), isPerson });
    }
    return indexOf(names, pacer);
  }
}
