import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { countryCode, limit, words } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { compareNames } from "../../engines/names/compare.js";
import { type Name, readName } from "../../engines/names/words.js";
import { similarNames } from "../../providers/gleif/completions.js";
import { gleif } from "../../providers/gleif/provider.js";
import type { LeiRecord } from "../../providers/gleif/record.js";
import { recordUrl, searchRecords } from "../../providers/gleif/records.js";
import { filerUrl, listedFilers } from "../../providers/sec/listed.js";
import { sec } from "../../providers/sec/provider.js";
import { optional } from "../../upstream/optional.js";
import { failureOfAll, settle } from "../../upstream/sections.js";
import { confidence, nearestName, wordMatches } from "./_names.js";

const LEAST_SCORE = 0.2;
const MAX_CANDIDATES = 50;

const label = () => z.string().nullable();
const candidate = () =>
  z.object({
    name: z.string(),
    matchedName: z.string().describe("Which of its names is nearest: legal, other or transliterated"),
    score: z.number().describe("0 to 1"),
    confidence: confidence(),
    reasons: z.array(z.string()).describe("What the score is made of"),
    words: wordMatches(),
    source: z.enum(["gleif", "sec"]),
    lei: label(),
    cik: label(),
    ticker: label(),
    country: label(),
    jurisdiction: label(),
    city: label(),
    status: label(),
    registrationStatus: label(),
    legalForm: label().describe("ISO 20275 code, or the form itself"),
    url: z.string(),
  });
type Candidate = z.output<ReturnType<typeof candidate>>;

export const businessEntityMatch = /* @__PURE__ */ defineCapability({
  id: "business.entity-match",
  summary:
    "Which legal entity a name means: candidates from GLEIF and SEC, scored and explained, and the best match if any.",
  keywords: [
    "which company is meant",
    "which entity",
    "entity resolution",
    "fuzzy company name",
    "name matching",
    "reconcile",
    "lei",
    "kyb",
    "deduplicate",
  ],
  price: "0.00288",
  origins: [gleif, sec],
  source: {
    provider: "GLEIF; SEC EDGAR",
    url: "https://www.gleif.org/en/lei-data/gleif-api",
    license: "CC0-1.0 (GLEIF); public domain (SEC)",
  },
  timeoutMs: 40_000,
  input: () =>
    z.strictObject({
      name: words(2, 200).describe("Name of the company in any script and spelling, with or without legal form"),
      country: countryCode().optional().describe("Country of the legal address, as two letters"),
      limit: limit(5, 25).describe("How many candidates to return"),
    }),
  output: rows(candidate),
  example: { name: "Microsoft Corp", country: "US" },
  async run({ name, country, limit }, ctx) {
    const asked = await readName(name);
    const wantsSec = country === undefined || country === "US";
    const [gleif, sec] = await Promise.all([
      settle((own) => gleifCandidates(name, { asked, country, limit }, own), ctx, { what: "GLEIF" }),
      wantsSec ? settle((own) => secCandidates(name, asked, own), ctx, { what: "SEC EDGAR" }) : undefined,
    ]);
    const failure = failureOfAll(sec ? [gleif, sec] : [gleif]);
    if (failure) throw failure;
    const ranked = rank(await joinSources(gleif.value?.candidates ?? [], sec?.value ?? []));
    const [best] = ranked;
    return {
      items: ranked.slice(0, limit),
      total: ranked.length,
      meta: {
        query: { name, country: country ?? null },
        bestMatch: best && best.confidence !== "low" ? best : null,
        // Partial: the exact name was found, but similar names could not be requested.
        sources: { gleif: gleif.value?.status ?? "error", sec: sec ? (sec.failure ? "error" : "ok") : "skipped" },
      },
    };
  },
  warmUp: (ctx) => listedFilers(ctx),
});

interface Wanted {
  asked: Name;
  country: string | undefined;
  limit: number;
}

/** By exact name, by similar names, and if neither gives a match, by any field. */
async function gleifCandidates(name: string, { asked, country, limit }: Wanted, ctx: Context) {
  let status: "ok" | "partial" = "ok";
  const size = { limit: Math.min(MAX_CANDIDATES, limit * 4) };
  const where = { "entity.legalAddress.country": country };
  const [byName, similar] = await Promise.all([
    searchRecords({ "entity.names": name, ...where }, size, ctx),
    optional(similarNames(name, ctx), [], () => (status = "partial")),
  ]);
  const records = new Map(byName.records.map((record) => [record.lei, record]));
  const unread = [...new Set(similar)].filter((lei) => !records.has(lei)).slice(0, MAX_CANDIDATES);
  if (unread.length > 0) {
    const found = await searchRecords({ lei: unread.join(",") }, { limit: MAX_CANDIDATES }, ctx);
    for (const record of found.records) records.set(record.lei, record);
  }
  if (records.size === 0) {
    const anywhere = await searchRecords({ fulltext: name, ...where }, size, ctx);
    for (const record of anywhere.records) records.set(record.lei, record);
  }
  const here = [...records.values()].filter(
    ({ entity }) => country === undefined || entity.legalAddress?.country === country,
  );
  return { status, candidates: await Promise.all(here.map((record) => fromGleif(record, asked))) };
}

async function fromGleif(record: LeiRecord, asked: Name): Promise<Candidate> {
  const { lei, entity, registration } = record;
  const names = [entity.legalName, ...entity.otherNames, ...entity.transliteratedOtherNames].map(({ name }) => name);
  return {
    name: entity.legalName.name,
    ...(await nearestName(asked, names)),
    source: "gleif",
    lei,
    cik: null,
    ticker: null,
    country: entity.legalAddress?.country ?? null,
    jurisdiction: entity.jurisdiction,
    city: entity.legalAddress?.city ?? null,
    status: entity.status,
    registrationStatus: registration.status,
    legalForm: entity.legalForm.other ?? entity.legalForm.id,
    url: recordUrl(lei),
  };
}

async function secCandidates(name: string, asked: Name, ctx: Context): Promise<Candidate[]> {
  const { names } = await listedFilers(ctx);
  const { matches } = await names.search(name, { threshold: LEAST_SCORE, limit: MAX_CANDIDATES });
  return Promise.all(
    matches.map(async ({ listed: { bearer } }) => ({
      name: bearer.name,
      ...(await nearestName(asked, [bearer.name])),
      source: "sec" as const,
      lei: null,
      cik: bearer.cik,
      ticker: bearer.tickers[0] ?? null,
      // Foreign companies are listed, too, and the list does not identify them.
      country: null,
      jurisdiction: null,
      city: null,
      status: null,
      registrationStatus: null,
      legalForm: null,
      url: filerUrl(bearer.cik),
    })),
  );
}

/** A filer and a US entity of the same name are one company, unless another entity also has that name. */
async function joinSources(gleif: Candidate[], sec: Candidate[]): Promise<Candidate[]> {
  const joined = [...gleif];
  const american = await Promise.all(
    gleif.filter(({ country }) => country === "US").map(async (item) => ({ item, name: await readName(item.name) })),
  );
  for (const filer of sec) {
    const own = await readName(filer.name);
    const same = american.filter(({ name }) => compareNames(own, name).confidence === "high");
    const [only] = same;
    if (only && same.length === 1 && only.item.cik === null)
      joined[joined.indexOf(only.item)] = Object.assign(only.item, { cik: filer.cik, ticker: filer.ticker });
    else joined.push(filer);
  }
  return joined;
}

const rank = (candidates: readonly Candidate[]) =>
  candidates.toSorted(
    (a, b) =>
      b.score - a.score ||
      Number(b.status === "ACTIVE") - Number(a.status === "ACTIVE") ||
      (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
