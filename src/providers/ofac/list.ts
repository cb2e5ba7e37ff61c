/**
 * Screening of names against the OFAC list. What a score between two names says, legal forms, case, accents, script,
 * order of words and usual romanisations set aside:
 *
 * - from 0.9: the same name;
 * - 0.7 to 0.9: a likely variant: a letter or two differ, or a part of the listed name is missing;
 * - 0.5 to 0.7: a rare part in common, such as a surname: worth a look, usually somebody else;
 * - below 0.5: chance.
 *
 * A score compares names and is no verdict: two persons of one name score 1.
 */
import type { Context } from "../../capability/types.js";
import { NameIndex } from "../../engines/names/name-index.js";
import { toLatin, wordsOf } from "../../engines/names/words.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { loadBulk } from "../../upstream/bulk.js";
import { type Airframe, isSameAirframe, listedAirframes } from "./aircraft.js";
import { type Alias, type AliasType, altFile, type Entry, type EntryType, sdnFile, weakAliases } from "./records.js";

const MAX_AGE_DAYS = 7;
/** Below it nothing is worth reporting, not even as the best that there is. */
const LEAST_SCORE = 0.1;
const DETAILS_URL = "https://sanctionssearch.ofac.treas.gov/Details.aspx?id=";

export interface ScreenOptions {
  /** The least score of a match. */
  threshold: number;
  /** Matches returned, best first. Default 10. */
  limit?: number;
  /** Which entries are compared. Default: all; an owner of something is never a vessel. */
  types?: readonly EntryType[];
}

/** An entry of the list beside what was screened. */
export interface Match extends Entry {
  score: number;
  matchedName: string;
  /** Null where the entry's own name matched. */
  aliasType: AliasType | null;
  url: string;
}

export interface Screening {
  /** Of the nearest entry, also where that is no match; 0 when nothing is near. */
  topScore: number;
  matches: Match[];
}

interface ListedName {
  entry: Entry;
  text: string;
  aliasType: AliasType | null;
}

/** The list, indexed. It is the same object until one of its files changes. */
export class SanctionsList {
  readonly #names: ListedName[];
  readonly #index: NameIndex;
  readonly #airframes: ReturnType<typeof listedAirframes>;

  constructor(entries: readonly Entry[], aliases: readonly Alias[]) {
    this.#names = namesOf(entries, aliases);
    this.#index = new NameIndex(this.#names.map(({ text }) => wordsOf(text)));
    this.#airframes = listedAirframes(entries);
  }

  /** Compares a name with all names and aliases of the list; an entry is reported once, by its nearest name. */
  async screen(name: string, { threshold, limit = 10, types }: ScreenOptions): Promise<Screening> {
    const words = wordsOf(await toLatin(name));
    const nearest = new Map<number, { listed: ListedName; score: number }>();
    for (const hit of this.#index.near(words, LEAST_SCORE)) {
      const listed = this.#names[hit.id];
      const score = Math.round(hit.score * 1000) / 1000;
      if (!listed || (types && !types.includes(listed.entry.type))) continue;
      const known = nearest.get(listed.entry.entNum);
      if (!known || score > known.score) nearest.set(listed.entry.entNum, { listed, score });
    }
    const sorted = [...nearest.values()].sort((a, b) => b.score - a.score);
    const matches = sorted.filter(({ score }) => score >= threshold).slice(0, limit);
    return {
      topScore: sorted[0]?.score ?? 0,
      matches: matches.map(({ listed, score }) => toMatch(listed, score)),
    };
  }

  /** The entries that are this very airframe. */
  airframe(airframe: Airframe): Match[] {
    const same = this.#airframes.filter((listed) => isSameAirframe(listed, airframe));
    return same.map(({ entry }) => toMatch({ entry, text: entry.name, aliasType: null }, 1));
  }
}

function namesOf(entries: readonly Entry[], aliases: readonly Alias[]): ListedName[] {
  const byNumber = new Map(entries.map((entry) => [entry.entNum, entry]));
  const own = entries.map((entry) => ({ entry, text: entry.name, aliasType: null }));
  const further = [...aliases, ...entries.flatMap(weakAliases)].flatMap(({ entNum, name, type }) => {
    const entry = byNumber.get(entNum);
    return entry ? [{ entry, text: name, aliasType: type }] : [];
  });
  return [...own, ...further];
}

function toMatch({ entry, text, aliasType }: ListedName, score: number): Match {
  return {
    ...entry,
    score,
    matchedName: text,
    aliasType,
    url: `${DETAILS_URL}${entry.entNum}`,
  };
}

/** Lists by the entries that they were made of, so that equal files are indexed once. */
const lists = new WeakMap<readonly Entry[], { aliases: readonly Alias[]; list: SanctionsList }>();

/**
 * The OFAC list and the day of its copy. Rejects with UPSTREAM_ERROR when it cannot be had, or only a copy that is too
 * old to clear anybody.
 */
export async function sanctionsList(ctx: Context): Promise<{ list: SanctionsList; listDate: string }> {
  const [sdn, alt] = await Promise.all([loadBulk(ctx, sdnFile), loadBulk(ctx, altFile)]);
  const fetchedAt = Math.min(sdn.fetchedAt.getTime(), alt.fetchedAt.getTime());
  if (ctx.clock().getTime() - fetchedAt > MAX_AGE_DAYS * DAY_MS)
    throw new CapabilityError(
      "UPSTREAM_ERROR",
      `The copy of the OFAC list is older than ${MAX_AGE_DAYS} days; a newer one is being fetched.`,
    );
  const listDate = new Date(fetchedAt).toISOString().slice(0, 10);
  const known = lists.get(sdn.index);
  if (known?.aliases === alt.index) return { list: known.list, listDate };
  const list = new SanctionsList(sdn.index, alt.index);
  lists.set(sdn.index, { aliases: alt.index, list });
  return { list, listDate };
}
