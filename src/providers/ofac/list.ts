/** Screens names against the OFAC list; `engines/names/name-list.ts` explains the scores. */
import type { Context } from "../../capability/types.js";
import type { Explanation } from "../../engines/names/explain.js";
import { type FoundName, type Listed, NameList } from "../../engines/names/name-list.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { loadBulk } from "../../upstream/bulk/bulk.js";
import { type Airframe, isSameAirframe, listedAirframes } from "./aircraft.js";
import { type Alias, type AliasType, altFile, type EntryType, type SdnEntry, sdnFile, weakAliases } from "./records.js";

const MAX_AGE_DAYS = 7;
const DETAILS_URL = "https://sanctionssearch.ofac.treas.gov/Details.aspx?id=";

export interface ScreenOptions {
  /** Lowest score of a match. */
  threshold: number;
  /** Maximum number of matches, best first. Default 10. */
  limit?: number;
  /** Types of entries to compare. Default: all; an owner, for example, is never a vessel. */
  types?: readonly EntryType[];
}

/** A matching entry of the list. */
export interface Match extends SdnEntry {
  score: number;
  matchedName: string;
  /** Null if the entry's own name matched. */
  aliasType: AliasType | null;
  url: string;
}

export interface Screening {
  /** Score of the nearest entry, even below the threshold; 0 if nothing is similar. */
  topScore: number;
  matches: Match[];
}

interface ListedName extends Listed<SdnEntry> {
  aliasType: AliasType | null;
}

/** The list, indexed. It is the same object until one of its files changes. */
export class SanctionsList {
  readonly #names: NameList<SdnEntry, ListedName>;
  readonly #airframes: ReturnType<typeof listedAirframes>;

  private constructor(names: NameList<SdnEntry, ListedName>, airframes: ReturnType<typeof listedAirframes>) {
    this.#names = names;
    this.#airframes = airframes;
  }

  /** Indexes the list in slices of some milliseconds. */
  static async build(entries: readonly SdnEntry[], aliases: readonly Alias[]): Promise<SanctionsList> {
    return new SanctionsList(await NameList.build(namesOf(entries, aliases)), listedAirframes(entries));
  }

  /** Compares a name with all names and aliases of the list; an entry is reported once, by its nearest name. */
  async screen(name: string, { threshold, limit = 10, types }: ScreenOptions): Promise<Screening> {
    const only = ({ bearer }: ListedName) => types === undefined || types.includes(bearer.type);
    const { topScore, matches } = await this.#names.search(name, { threshold, limit, only });
    return { topScore, matches: matches.map(toMatch) };
  }

  /** Number of its names. */
  get size(): number {
    return this.#names.size;
  }

  /** The parts of a match's score. */
  explain(name: string, { matchedName, type }: Pick<Match, "matchedName" | "type">): Promise<Explanation> {
    return this.#names.explain(name, { text: matchedName, isPerson: type === "individual" });
  }

  /** Entries of this airframe. */
  airframe(airframe: Airframe): Match[] {
    const same = this.#airframes.filter((listed) => isSameAirframe(listed, airframe));
    return same.map(({ entry }) => toMatch({ listed: toListed(entry, entry.name, null), score: 1 }));
  }
}

function namesOf(entries: readonly SdnEntry[], aliases: readonly Alias[]): ListedName[] {
  const byNumber = new Map(entries.map((entry) => [entry.entNum, entry]));
  const own = entries.map((entry) => toListed(entry, entry.name, null));
  const further = [...aliases, ...entries.flatMap(weakAliases)].flatMap(({ entNum, name, type }) => {
    const entry = byNumber.get(entNum);
    return entry ? [toListed(entry, name, type)] : [];
  });
  return [...own, ...further];
}

const toListed = (entry: SdnEntry, text: string, aliasType: AliasType | null): ListedName => ({
  bearer: entry,
  text,
  aliasType,
  isPerson: entry.type === "individual",
});

function toMatch({ listed: { bearer, text, aliasType }, score }: FoundName<ListedName>): Match {
  return { ...bearer, score, matchedName: text, aliasType, url: `${DETAILS_URL}${bearer.entNum}` };
}

/** Indexed lists by their entries, so that equal files are indexed once. */
const lists = new WeakMap<readonly SdnEntry[], { aliases: readonly Alias[]; list: Promise<SanctionsList> }>();

/**
 * The OFAC list and the day of its copy. Rejects with UPSTREAM_ERROR if it is unavailable, or the copy is too old to
 * clear anybody.
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
  if (known?.aliases === alt.index) return { list: await known.list, listDate };
  const list = SanctionsList.build(sdn.index, alt.index);
  lists.set(sdn.index, { aliases: alt.index, list });
  return { list: await list, listDate };
}
