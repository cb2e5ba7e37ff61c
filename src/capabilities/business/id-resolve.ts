import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { identifier, ticker, words } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { padCik, readCik } from "../../engines/identifiers/cik.js";
import { compareNames } from "../../engines/names/compare.js";
import { readName } from "../../engines/names/words.js";
import { invalid } from "../../errors.js";
import { usState } from "../../lib/facts/us-states.js";
import { gleif } from "../../providers/gleif/provider.js";
import type { LeiRecord } from "../../providers/gleif/record.js";
import { findRecord } from "../../providers/gleif/records.js";
import { type Filer, findFiler } from "../../providers/sec/filers.js";
import { type ListedFiler, listedFilers, secTicker } from "../../providers/sec/listed.js";
import { sec } from "../../providers/sec/provider.js";
import { errorOf, failureOfAll, type Settled, settle } from "../../upstream/sections.js";
import { onlyNearest, recordsByName } from "./_gleif-by-name.js";
import { lei } from "./_lei.js";
import { confidence, nearestName } from "./_names.js";

/** Below this score two names do not link two identifiers. */
const LINKED = 0.9;

const label = () => z.string().nullable();
const sourceState = () =>
  z.object({
    status: z.enum(["found", "not_found", "error", "skipped"]),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  });

const input = () =>
  z.strictObject({
    name: words(2, 200).optional().describe("Name of the company. Give exactly one of name, lei, cik and ticker"),
    lei: lei().optional().describe("Legal Entity Identifier"),
    cik: identifier(readCik, "a CIK of at most ten digits, such as 320193", [1, 13])
      .optional()
      .describe("Number of a filer at the SEC, with or without CIK and leading zeros"),
    ticker: ticker().optional().describe("Ticker of a company listed in the US, such as BRK.B"),
  });
type Asked = z.output<ReturnType<typeof input>>;

export const businessIdResolve = /* @__PURE__ */ defineCapability({
  id: "business.id-resolve",
  summary:
    "One company's identifiers across registers: LEI, SEC filer number (CIK), tickers, EIN, and how they are linked.",
  keywords: ["cik to lei", "ticker to lei", "lei to ticker", "identifier mapping", "crosswalk", "sec edgar", "gleif"],
  price: "0.0048",
  origins: [gleif, sec],
  source: {
    provider: "GLEIF; SEC EDGAR",
    url: "https://www.gleif.org/en/lei-data/gleif-api",
    license: "CC0-1.0 (GLEIF); public domain (SEC)",
  },
  timeoutMs: 40_000,
  input,
  output: one(() =>
    z.object({
      name: label(),
      lei: label(),
      cik: label(),
      cikPadded: label(),
      tickers: z.array(z.object({ ticker: z.string(), exchange: label() })),
      ein: label(),
      sic: z.object({ code: label(), description: label() }),
      jurisdiction: label(),
      country: label(),
      entityStatus: label(),
      legalForm: label(),
      ocid: label(),
      isResolved: z.boolean().describe("Whether both an LEI and a CIK are known"),
      link: z
        .object({
          method: z.enum(["sec_lei", "name"]).describe("The SEC's own record names the LEI, or the names are the same"),
          score: z.number(),
          confidence: confidence(),
          reasons: z.array(z.string()),
        })
        .nullable()
        .describe("How LEI and CIK were linked: no register does it completely"),
      sources: z.object({ gleif: sourceState(), sec_tickers: sourceState(), sec_submissions: sourceState() }),
    }),
  ),
  example: { ticker: "AAPL" },
  check({ name, lei, cik, ticker }) {
    if ([name, lei, cik, ticker].filter((one) => one !== undefined).length !== 1)
      throw invalid("", "give exactly one of name, lei, cik and ticker");
  },
  async run(asked, ctx) {
    const found = asked.lei === undefined ? await fromFiler(asked, ctx) : await fromLei(asked.lei, ctx);
    const failure = failureOfAll(Object.values(found.sources).flatMap((source) => source ?? []));
    if (failure) throw failure;
    return { item: await toItem(found) };
  },
  warmUp: (ctx) => listedFilers(ctx),
});

/** Answers of the sources; undefined if there was no value to search for. */
interface Sources {
  gleif?: Settled<LeiRecord | undefined> | undefined;
  tickers?: Settled<ListedFiler | undefined> | undefined;
  submissions?: Settled<Filer | undefined> | undefined;
}

interface Found {
  sources: Sources;
  filer: ListedFiler | undefined;
  cik: string | undefined;
}

const GLEIF = { what: "GLEIF" };
const SEC = { what: "SEC EDGAR" };

/** From a ticker, a CIK or a name to the filer, and by its name to the LEI. */
async function fromFiler({ ticker, cik: asked, name }: Asked, ctx: Context): Promise<Found> {
  const tickers = await settle(async (own) => findListed({ ticker, cik: asked, name }, own), ctx, SEC);
  const filer = tickers.value;
  const cik = asked ?? filer?.cik;
  const submissions = cik ? await settle((own) => findFiler(cik, own), ctx, SEC) : undefined;
  const known = submissions?.value;
  const named = known?.name ?? filer?.name ?? name;
  const ownLei = known?.lei;
  const gleif = ownLei
    ? await settle(async (own) => (await findRecord(ownLei, own))?.record, ctx, GLEIF)
    : named && known?.entityType !== "other"
      ? await settle((own) => recordNamed(named, countryOf(known), own), ctx, GLEIF)
      : undefined;
  return { sources: { gleif, tickers, submissions }, filer, cik: known || filer ? cik : undefined };
}

async function fromLei(lei: string, ctx: Context): Promise<Found> {
  const gleif = await settle(async (own) => (await findRecord(lei, own))?.record, ctx, GLEIF);
  const record = gleif.value;
  const tickers = record
    ? await settle((own) => findListed({ name: record.entity.legalName.name }, own), ctx, SEC)
    : undefined;
  const filer = tickers?.value;
  const submissions = filer ? await settle((own) => findFiler(filer.cik, own), ctx, SEC) : undefined;
  return { sources: { gleif, tickers, submissions }, filer, cik: filer?.cik };
}

async function findListed({ ticker, cik, name }: Partial<Asked>, ctx: Context): Promise<ListedFiler | undefined> {
  const { byTicker, byCik, names } = await listedFilers(ctx);
  if (ticker !== undefined) return byTicker.get(secTicker(ticker));
  if (cik !== undefined) return byCik.get(cik);
  const asked = await readName(name ?? "");
  const { matches } = await names.search(name ?? "", { threshold: 0.5, limit: 20 });
  const judged = await Promise.all(
    matches.map(async ({ listed: { bearer } }) => ({
      bearer,
      score: compareNames(asked, await readName(bearer.name)).score,
    })),
  );
  const [best, next] = judged.filter(({ score }) => score >= LINKED).sort((a, b) => b.score - a.score);
  // Two filers have the same name, so either may be meant.
  return best && best.score > (next?.score ?? 0) ? best.bearer : undefined;
}

const countryOf = (known: Filer | undefined) =>
  known?.stateOfIncorporation && usState(known.stateOfIncorporation) ? "US" : undefined;

async function recordNamed(name: string, country: string | undefined, ctx: Context): Promise<LeiRecord | undefined> {
  return onlyNearest(await recordsByName(name, { country, enough: LINKED }, ctx), LINKED)?.record;
}

async function toItem({ sources, filer, cik }: Found) {
  const [record, known] = [sources.gleif?.value, sources.submissions?.value];
  const { gleif, tickers, submissions } = sources;
  return {
    name: record?.entity.legalName.name ?? known?.name ?? filer?.name ?? null,
    lei: record?.lei ?? null,
    cik: cik ?? null,
    cikPadded: cik ? padCik(cik) : null,
    tickers: tickersOf(known, filer),
    ein: known?.ein ?? null,
    sic: { code: known?.sic ?? null, description: known?.sicDescription ?? null },
    jurisdiction: record?.entity.jurisdiction ?? known?.stateOfIncorporation ?? null,
    country: record?.entity.legalAddress?.country ?? countryOf(known) ?? null,
    entityStatus: record?.entity.status ?? null,
    legalForm: record?.entity.legalForm.other ?? record?.entity.legalForm.id ?? null,
    ocid: record?.ocid ?? null,
    isResolved: record !== undefined && cik !== undefined,
    link: await linkOf(record, known, filer),
    sources: { gleif: stateOf(gleif), sec_tickers: stateOf(tickers), sec_submissions: stateOf(submissions) },
  };
}

/** Exchanges and tickers correspond by position. */
function tickersOf(known: Filer | undefined, filer: ListedFiler | undefined) {
  const own = (known?.tickers ?? []).flatMap((ticker, position) =>
    ticker ? [{ ticker, exchange: known?.exchanges[position] || null }] : [],
  );
  const further = (filer?.tickers ?? []).filter((ticker) => !own.some((one) => one.ticker === ticker));
  return [...own, ...further.map((ticker) => ({ ticker, exchange: null }))];
}

async function linkOf(record: LeiRecord | undefined, known: Filer | undefined, filer: ListedFiler | undefined) {
  const name = known?.name ?? filer?.name;
  if (!record || name === undefined) return null;
  if (known?.lei === record.lei)
    return { method: "sec_lei" as const, score: 1, confidence: "high" as const, reasons: ["the SEC names this LEI"] };
  const { legalName, otherNames, transliteratedOtherNames } = record.entity;
  const asked = await readName(name);
  const names = [legalName, ...otherNames, ...transliteratedOtherNames].map(({ name }) => name);
  const { score, confidence, reasons } = await nearestName(asked, names);
  return { method: "name" as const, score, confidence, reasons };
}

function stateOf(settled: Settled<unknown> | undefined): z.output<ReturnType<typeof sourceState>> {
  if (!settled) return { status: "skipped", error: null };
  if (settled.failure) return { status: "error", error: errorOf(settled.failure) };
  return { status: settled.value === undefined ? "not_found" : "found", error: null };
}
