import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit, ticker, usState, words } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { controlledParties } from "../../providers/csl/list.js";
import { csl } from "../../providers/csl/provider.js";
import { gleif } from "../../providers/gleif/provider.js";
import { sanctionsList } from "../../providers/ofac/list.js";
import { ofac } from "../../providers/ofac/provider.js";
import { samExtract } from "../../providers/sam/provider.js";
import { exclusions } from "../../providers/sam/screen.js";
import { listedFilers } from "../../providers/sec/listed.js";
import { sec } from "../../providers/sec/provider.js";
import { colorado, connecticut, newYork } from "../../providers/socrata/provider.js";
import { usaspending } from "../../providers/usaspending/provider.js";
import { errorOf, failureOfAll, type Settled, settle } from "../../upstream/sections.js";
import { isCleared, riskFlagsOf, riskLevelOf, SEVERITIES, type Sections } from "./_kyb-flags.js";
import * as sources from "./_kyb-sources.js";

/** Time limit of all parallel sources: the first call downloads three lists. */
const SOURCE_MS = 40_000;

const section = () =>
  z.object({
    status: z.enum(["found", "not_found", "error", "skipped"]),
    matchCount: z.number().int(),
    matches: z
      .array(z.looseObject({ score: z.number(), confidence: z.enum(["high", "medium", "low"]), name: z.string() }))
      .describe("Best first, each with its score, what the score is made of, and what the source says"),
    topScore: z.number().nullable().describe("Of the nearest entry of a list, also below the threshold"),
    asOf: z.string().nullable().describe("The day of a list's copy"),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  });

export const businessKyb360 = /* @__PURE__ */ defineCapability({
  id: "business.kyb-360",
  summary:
    "A dossier on a business from seven sources: identity, filings, sanctions, debarment, register, awards, controls.",
  keywords: ["know your business", "due diligence", "kyb", "kyc", "ofac", "sam exclusions", "vendor screening", "risk"],
  price: "0.0144",
  origins: [gleif, sec, ofac, samExtract, newYork, colorado, connecticut, usaspending, csl],
  source: {
    provider: "GLEIF; SEC EDGAR; OFAC; SAM.gov; state business registers; USAspending; Consolidated Screening List",
    url: "https://sanctionslist.ofac.treas.gov",
    license: "CC0-1.0 (GLEIF); public domain (US government and states)",
  },
  timeoutMs: 90_000,
  input: () =>
    z.strictObject({
      name: words(2, 200).describe("Name of the business, in any script and with or without legal form"),
      state: usState().optional().describe("US state whose register to ask; NY, CO and CT have one that can be asked"),
      ticker: ticker()
        .pipe(z.string().max(10))
        .optional()
        .describe("Ticker in the US, which finds the filer by itself"),
      threshold: z
        .number()
        .min(0)
        .max(1)
        .default(0.75)
        .describe("Least score of a match: from 0.9 the same name, from 0.75 a likely variant. Default 0.75"),
      limit: limit(5, 20).describe("Matches per source"),
    }),
  output: one(() =>
    z.object({
      query: z.object({
        name: z.string(),
        state: z.string().nullable(),
        ticker: z.string().nullable(),
        threshold: z.number(),
      }),
      summary: z.string(),
      cleared: z
        .boolean()
        .describe(
          "True only where sanctions and debarment were both checked and no name came near; nothing else counts",
        ),
      riskLevel: z.enum(["none", ...SEVERITIES]),
      riskFlags: z.array(
        z.object({ code: z.string(), severity: z.enum(SEVERITIES), source: z.string(), message: z.string() }),
      ),
      sources: z.object({
        gleif: section(),
        sec: section(),
        sanctions: section(),
        debarment: section(),
        registry: section(),
        awards: section(),
        tradeControls: section(),
      }),
    }),
  ),
  example: { name: "Microsoft Corporation", ticker: "MSFT" },
  async run({ name, state, ticker, threshold, limit }, ctx) {
    const subject = { name, state, ticker, threshold, limit };
    const known = sources.registryState(state);
    const ask = <M>(
      what: string,
      source: (subject: sources.Subject, ctx: Context) => Promise<sources.SourceAnswer<M>>,
    ) => settle((own) => source(subject, own), ctx, { what, withinMs: SOURCE_MS });
    const [gleif, sec, sanctions, debarment, registry, awards, tradeControls] = await Promise.all([
      ask("GLEIF", sources.gleif),
      ask("SEC EDGAR", sources.sec),
      ask("The sanctions list", sources.sanctions),
      ask("The list of exclusions", sources.debarment),
      known ? ask("The state's register", (subject, own) => sources.registry(subject, known, own)) : undefined,
      ask("USAspending", sources.awards),
      ask("The screening list", sources.tradeControls),
    ]);
    const asked = [gleif, sec, sanctions, debarment, awards, tradeControls, ...(registry ? [registry] : [])];
    const failure = failureOfAll(asked);
    if (failure) throw failure;
    const sections = {
      gleif: toSection(gleif),
      sec: toSection(sec),
      sanctions: toSection(sanctions),
      debarment: toSection(debarment),
      registry: toSection(registry),
      awards: toSection(awards),
      tradeControls: toSection(tradeControls),
    };
    const riskFlags = riskFlagsOf(sections);
    const cleared = isCleared(sections);
    return {
      item: {
        query: { name, state: state ?? null, ticker: ticker ?? null, threshold },
        summary: summarize(name, sections, cleared),
        cleared,
        riskLevel: riskLevelOf(riskFlags),
        riskFlags,
        sources: sections,
      },
      meta: {
        sourcesQueried: asked.length,
        rarity: {
          sanctions: sanctions.value?.rarity ?? null,
          debarment: debarment.value?.rarity ?? null,
          tradeControls: tradeControls.value?.rarity ?? null,
        },
      },
    };
  },
  warmUp: (ctx) => Promise.all([sanctionsList(ctx), exclusions(ctx), controlledParties(ctx), listedFilers(ctx)]),
});

/** Skipped, an error, or the matches: independent for each source. */
function toSection<Match>(settled: Settled<sources.SourceAnswer<Match>> | undefined) {
  const nothing = { matchCount: 0, matches: [], topScore: null, asOf: null };
  if (!settled) return { status: "skipped" as const, ...nothing, error: null };
  if (settled.failure) return { status: "error" as const, ...nothing, error: errorOf(settled.failure) };
  const { matches, topScore, asOf } = settled.value;
  const status = matches.length > 0 ? ("found" as const) : ("not_found" as const);
  return { status, matchCount: matches.length, matches, topScore, asOf, error: null };
}

function summarize(
  name: string,
  { gleif, sec, sanctions, debarment, awards, tradeControls }: Sections,
  cleared: boolean,
) {
  const [entity, filer] = [gleif.matches[0], sec.matches[0]];
  const identity = entity
    ? `${entity.name} has the LEI ${entity.lei}${entity.country ? ` (${entity.country})` : ""}`
    : gleif.status === "error"
      ? `${name}: GLEIF did not answer`
      : `GLEIF has no entity named ${name}`;
  const filings = filer ? `, and files with the SEC as ${filer.name} (CIK ${filer.cik})` : "";
  const money = awards.matches.length > 0 ? ", and receives federal money" : "";
  const lists = [
    ...(sanctions.matches.length > 0 ? ["sanctions"] : []),
    ...(debarment.matches.length > 0 ? ["debarment"] : []),
    ...(tradeControls.matches.length > 0 ? ["trade control"] : []),
  ];
  const verdict =
    lists.length > 0
      ? `Its name matches entries of the ${lists.join(", ")} lists.`
      : cleared
        ? "Sanctions and debarment lists were checked and have no name near it."
        : "Sanctions and debarment could not both be cleared.";
  return `${identity}${filings}${money}. ${verdict}`;
}
