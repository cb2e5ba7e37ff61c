import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { lazySchema, words } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { sourceOf } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { gbif } from "../../providers/gbif/provider.js";
import { segments, upstream } from "../../upstream/client.js";
import { chosen, flag, identifiedRows, label, maybe, number, reaching, whole } from "../../upstream/fields.js";
import { optional } from "../../upstream/optional.js";

const KEPT = { ttlMs: 7 * DAY_MS, staleMs: 30 * DAY_MS };
const MAX_COMMON_NAMES = 8;
const MAX_ALTERNATIVES = 5;
const RANKS = ["kingdom", "phylum", "class", "order", "family", "genus", "species"] as const;

/** "Passer domesticus (Linnaeus, 1758)": a name of one or two words with its author also has a plain form. */
const PLAIN = /^[A-Z][a-z]+(?: [a-z]+(?:-[a-z]+)?)? \(?[A-Z]\p{L}*[.\s,)]/u;
const hasNoPlainName = ({ scientificName, kingdom }: Record<string, unknown>) =>
  kingdom === "Viruses" || !PLAIN.test(String(scientificName));

const isNoSynonym = ({ status }: Record<string, unknown>) => !String(status).includes("SYNONYM");

const taxon = lazySchema(() =>
  z
    .unknown()
    .check(reaching(["canonicalName"], hasNoPlainName))
    .check(reaching(["acceptedUsageKey"], isNoSynonym))
    .pipe(
      whole(
        {
          usageKey: z.number(),
          scientificName: z.string(),
          rank: label(),
          status: label(),
          matchType: z.string(),
          kingdom: label(),
        },
        {
          confidence: number(),
          canonicalName: label(),
          acceptedUsageKey: number(),
          synonym: flag(),
          note: label(),
          phylum: label(),
          class: label(),
          order: label(),
          family: label(),
          genus: label(),
          species: label(),
        },
      ),
    ),
);
type Taxon = z.output<ReturnType<typeof taxon>>;

/** An unsuccessful match: `matchType` decides, because the confidence is 100 either way. */
const noMatch = lazySchema(() =>
  z.object({
    matchType: z.literal("NONE"),
    note: label(),
    alternatives: maybe(identifiedRows(taxon(), ["usageKey", "scientificName"])),
  }),
);
const vernacularNames = lazySchema(() =>
  z.object({
    results: identifiedRows(
      z.object({ vernacularName: z.string(), language: label() }),
      ["vernacularName"],
      ["language"],
    ),
  }),
);
const occurrences = lazySchema(() => z.object({ count: z.number() }));

export const bioSpecies = /* @__PURE__ */ defineCapability({
  id: "bio.species",
  summary: "A species or other taxon by its scientific name: classification, English names, number of observations.",
  keywords: ["taxonomy", "animal", "plant", "fungus", "gbif", "latin name", "biodiversity", "organism", "synonym"],
  price: "0.00144",
  provider: gbif,
  input: () => z.strictObject({ name: words(2, 120).describe("Scientific name, such as Passer domesticus") }),
  output: one(() =>
    z.object({
      key: z.number().describe("GBIF key of the accepted taxon"),
      usageKey: z.number().describe("GBIF key of the name that matched"),
      scientificName: z.string(),
      canonicalName: z.string().nullable(),
      rank: z.string().nullable(),
      status: z.string().nullable(),
      matchType: z.string().describe("EXACT, FUZZY, or HIGHERRANK when only a group above it is known"),
      confidence: z.number().nullable().describe("0 to 100"),
      synonym: z.boolean(),
      acceptedKey: z.number().nullable(),
      classification: z.record(z.enum(RANKS), z.string().nullable()),
      commonNames: z.array(z.string()).describe("In English"),
      occurrenceCount: z.number().nullable(),
      url: z.string(),
    }),
  ),
  example: { name: "Passer domesticus" },
  async run({ name }, ctx) {
    const match = await findTaxon(name, ctx);
    const key = match.acceptedUsageKey ?? match.usageKey;
    const failed: string[] = [];
    const [commonNames, occurrenceCount] = await Promise.all([
      optional(findCommonNames(key, ctx), [], () => failed.push("commonNames")),
      optional<number | null>(countOccurrences(key, ctx), null, () => failed.push("occurrenceCount")),
    ]);
    const item = { ...toItem(match, key), commonNames, occurrenceCount };
    return {
      item,
      source: { ...sourceOf(gbif), url: item.url },
      meta: {
        fuzzy: match.matchType !== "EXACT",
        note: match.note,
        // Distinguishes an empty list from one that could not be read.
        ...(failed.length > 0 ? { failed: failed.sort() } : {}),
      },
    };
  },
});

const isMatch = (value: unknown): boolean => (value as { matchType?: unknown } | null)?.matchType !== "NONE";

async function findTaxon(name: string, ctx: Context): Promise<Taxon> {
  const answer = await upstream(ctx, gbif).get("/species/match", {
    query: { name, verbose: true },
    schema: chosen<z.output<ReturnType<typeof noMatch>> | Taxon>((value) => (isMatch(value) ? taxon() : noMatch())),
    ...KEPT,
  });
  if ("usageKey" in answer) return answer;
  const alternatives = (answer.alternatives ?? []).slice(0, MAX_ALTERNATIVES).map(describeTaxon);
  const advice = alternatives.length > 0 ? "Give one of the listed names in full." : "Only scientific names are known.";
  throw new CapabilityError("NOT_FOUND", `GBIF has no single taxon of this name. ${advice}`, {
    issues: alternatives.map((alternative) => ({ path: "name", message: `could be ${alternative}` })),
  });
}

const describeTaxon = ({ scientificName, usageKey, ...facts }: Taxon) =>
  `${scientificName} (${[facts.rank, facts.kingdom, facts.status, facts.matchType].filter(Boolean).join(", ")}; key ${usageKey})`;

/** The same name comes from many lists, most without a language. */
async function findCommonNames(key: number, ctx: Context): Promise<string[]> {
  const { results } = await upstream(ctx, gbif).get(`${segments("species", key)}/vernacularNames`, {
    query: { limit: 100 },
    schema: vernacularNames(),
    ...KEPT,
  });
  const names = new Map<string, string>();
  for (const { vernacularName, language } of results) {
    const folded = vernacularName.toLowerCase();
    if (language === "eng" && !names.has(folded)) names.set(folded, vernacularName);
  }
  return [...names.values()].slice(0, MAX_COMMON_NAMES);
}

async function countOccurrences(key: number, ctx: Context): Promise<number> {
  const { count } = await upstream(ctx, gbif).get("/occurrence/search", {
    query: { taxonKey: key, limit: 0 },
    schema: occurrences(),
    ttlMs: DAY_MS,
    staleMs: 7 * DAY_MS,
  });
  return count;
}

function toItem(match: Taxon, key: number) {
  const acceptedKey = match.acceptedUsageKey;
  return {
    key,
    usageKey: match.usageKey,
    scientificName: match.scientificName,
    canonicalName: match.canonicalName,
    rank: match.rank,
    status: match.status,
    matchType: match.matchType,
    confidence: match.confidence,
    // GBIF's own flag is missing in most answers.
    synonym: match.synonym ?? (match.status !== "ACCEPTED" && acceptedKey !== null),
    acceptedKey,
    classification: toClassification(match),
    url: `https://www.gbif.org/species/${key}`,
  };
}

function toClassification(match: Taxon): Record<(typeof RANKS)[number], string | null> {
  const { kingdom, phylum, order, family, genus, species } = match;
  return { kingdom, phylum, class: match.class, order, family, genus, species };
}
