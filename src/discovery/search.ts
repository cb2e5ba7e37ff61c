import type MiniSearch from "minisearch";
import type { AnyCapability, Facts } from "../capability/types.js";
import { invalid } from "../errors.js";
import type { Catalogue } from "../host/catalogue.js";
import { lazy, once } from "../lib/lazy.js";
import { availabilityOf, availableFirst, unavailable } from "./availability.js";
import { paramsOf } from "./directory.js";

export interface SearchResult {
  id: string;
  /** Comparable within one answer only; higher is better. */
  score: number;
  method: AnyCapability["method"];
  path: string;
  summary: string;
  price: Facts["price"];
  /** Only for unavailable endpoints, which come last, with the reason. */
  available?: false;
  reason?: string;
}

export interface SearchAnswer {
  query: string;
  results: SearchResult[];
}

export type Search = (q: string, limit?: number, seen?: Catalogue) => Promise<SearchAnswer>;

/** Further characters are ignored, because the words that distinguish tasks are among the first. */
const MAX_QUERY_LENGTH = 500;
const MAX_LIMIT = 50;

/** An unavailable endpoint that fits as well as these has a place in the answer, however short. */
const BEST = 3;
/** How much the English words of the catalogue count beside the subjects of a question in another language. */
const ENGLISH_SHARE = 0.4;
/** The same for a question that may be in English. */
const UNSURE_SHARE = 1.2;

/**
 * Finds capabilities for a task in the caller's own words, best first, in English and sixteen other languages. The first
 * 500 characters count, and are returned as `query`. Rejects with INVALID_INPUT.
 */
export function createSearch(catalogue: Catalogue): Search {
  const index = lazy(() => buildIndex(catalogue));
  const known = once(
    () => new Set(catalogue.capabilities.flatMap((capability) => words(Object.values(toEntry(capability))))),
  );
  const glossary = lazy(async () => {
    const [{ readGlossary, toEnglish }, { withSynonyms }] = await Promise.all([
      import("./glossary.js"),
      import("./thesaurus.js"),
    ]);
    const read = readGlossary();
    return (task: string) => withSynonyms(toEnglish(task, read, (word) => known().has(word)));
  });
  const isEnglish = (word: string) => {
    const term = toTerm(word);
    return term === null || known().has(word) || known().has(term) || /^\p{N}+$/u.test(word);
  };
  const find = async (query: string): Promise<Hit[]> => {
    const task = (await glossary())(query);
    const { subjectsOf } = await import("./languages/languages.js");
    const asked = await subjectsOf(query, isEnglish);
    const inEnglish = asked?.sure ? [task, ...asked.subjects].join(" ") : task;
    const hits = (await index()).search(inEnglish, { boostDocument: (id) => boost(catalogue, id, task) });
    if (!asked) return hits;
    const { rankBySubjects } = await import("./languages/rank.js");
    const isListed = (id: string) => catalogue.byId.get(id)?.deprecated === false;
    const scores = new Map([...rankBySubjects(asked.subjects)].filter(([id]) => isListed(id)));
    return merge(scores, hits, asked.sure ? ENGLISH_SHARE : UNSURE_SHARE);
  };
  return async (q, limit = 10, seen = catalogue) => {
    const query = [...q.trim().slice(0, 2 * MAX_QUERY_LENGTH)].slice(0, MAX_QUERY_LENGTH).join("").trim();
    if (!query) throw invalid("q", "is required: a few words on what you want to do");
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
      throw invalid("limit", `must be a whole number from 1 to ${MAX_LIMIT}`);
    const ordered = order(catalogue, await find(query), limit);
    let least = Number.POSITIVE_INFINITY;
    const results = ordered.flatMap(({ id, score }) => {
      // A score rates usefulness for the caller, who cannot call the last ones.
      least = Math.min(least, score);
      return toResult(seen, id, least);
    });
    return { query, results };
  };
}

interface Hit {
  id: string;
  score: number;
}

/** The best hits, available ones first; an unavailable one is told of if it is among the best, and so is its reason. */
function order(catalogue: Catalogue, hits: Hit[], limit: number): Hit[] {
  const capabilityOf = ({ id }: Hit) => catalogue.byId.get(id);
  const isUnavailable = (hit: Hit) => {
    const capability = capabilityOf(hit);
    return capability !== undefined && unavailable(catalogue, capability) !== undefined;
  };
  const told = new Set(hits.slice(0, Math.min(BEST, limit)).filter(isUnavailable));
  const ordered = availableFirst(catalogue, hits, capabilityOf);
  const others = ordered.filter((hit) => !told.has(hit)).slice(0, limit - told.size);
  return availableFirst(catalogue, [...told, ...others], capabilityOf);
}

/** Scores by subjects, with those by English words beside them. */
function merge(bySubject: Map<string, number>, byWord: Hit[], share: number): Hit[] {
  const most = byWord[0]?.score ?? 1;
  const scores = new Map(bySubject);
  for (const { id, score } of byWord) scores.set(id, (scores.get(id) ?? 0) + (share * score) / most);
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score);
}

const searches = /* @__PURE__ */ new WeakMap<object, Search>();

/** The search of a catalogue, shared by all views of it, because building its index takes longer than a call. */
export function searchOf(catalogue: Catalogue): Search {
  const known = searches.get(catalogue.byId) ?? createSearch(catalogue);
  searches.set(catalogue.byId, known);
  return known;
}

function toResult(catalogue: Catalogue, id: string, score: number): SearchResult[] {
  const capability = catalogue.byId.get(id);
  if (!capability) return [];
  const { method, summary } = capability;
  const path = catalogue.publicPath(catalogue.pathOf(capability));
  const price = catalogue.priceOf(capability);
  const result = { id, score: Math.round(score * 1000) / 1000, method, path, summary, price };
  return [{ ...result, ...availabilityOf(catalogue, capability) }];
}

interface Entry {
  id: string;
  name: string;
  summary: string;
  keywords: string;
  params: string;
}

async function buildIndex(catalogue: Catalogue): Promise<MiniSearch<Entry>> {
  const { default: MiniSearch } = await import("minisearch");
  const index = new MiniSearch<Entry>({
    fields: ["name", "summary", "keywords", "params"],
    processTerm: toTerm,
    searchOptions: {
      boost: { name: 3, keywords: 2, summary: 2, params: 0.5 },
      // Short words are too similar for approximation: "gif" is not "git".
      prefix: (term) => term.length >= 3,
      // One typing error; with two, "national" would match "optional".
      fuzzy: (term) => (term.length >= 5 ? 1 : false),
      combineWith: "OR",
      // A repeated word in a field adds little, and fields differ in length by style alone.
      bm25: { k: 0.4, b: 0.4, d: 0.3 },
    },
  });
  index.addAll(catalogue.capabilities.filter((capability) => !capability.deprecated).map(toEntry));
  return index;
}

const words = (texts: string[]): string[] =>
  texts
    .join(" ")
    .toLowerCase()
    .split(/[^a-z]+/);

function boost(catalogue: Catalogue, id: string, query: string): number {
  const capability = catalogue.byId.get(id);
  if (!capability) return 1;
  // An unavailable capability, which would answer 502, ranks lower.
  const available = availabilityOf(catalogue, capability).available === false ? 0.5 : 1;
  // Word order tells "simplified to traditional" from "traditional to simplified".
  const text = query.toLowerCase();
  const phrase = capability.keywords.some((keyword) => keyword.includes(" ") && text.includes(keyword.toLowerCase()));
  return phrase ? available * 1.5 : available;
}

function toEntry(capability: AnyCapability): Entry {
  return {
    id: capability.id,
    name: capability.id.replace(/[.-]/g, " "),
    summary: capability.summary,
    keywords: capability.keywords.join(" "),
    params: paramsOf(capability)
      .map(({ name, description = "" }) => `${name} ${description}`)
      .join(" "),
  };
}

// Words of a question that say nothing about its subject.
const STOP_WORDS = new Set(
  `a about an and any are as at be by can could do does for from get give has have how i if in into is it its
  like make many me much my need of on or please show some tell that the their there this to us want was we
  what when where which who why will with would you your`.split(/\s+/),
);

/** A word's form in the index: lower case, singular, without "-ing"; null for a word that is left out. */
function toTerm(word: string): string | null {
  const lower = word.toLowerCase();
  if (STOP_WORDS.has(lower)) return null;
  if (lower.length < 4) return lower;
  if (lower.endsWith("ies")) return `${lower.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x)es$/.test(lower)) return lower.slice(0, -2);
  if (/[^suia]s$/.test(lower)) return lower.slice(0, -1);
  return lower.length > 6 && lower.endsWith("ing") ? lower.slice(0, -3) : lower;
}
