import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { isoDate, lazySchema, limit, usStateOrName, words } from "../../capability/fields.js";
import { legacyRead, sourceSchema } from "../../capability/output.js";
import { sourceOf } from "../../capability/provider.js";
import { invalid } from "../../errors.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { type CaseFields, type CaseFilters, caseAnswer, caseQuery } from "../../providers/ntsb/carol.js";
import { ntsb } from "../../providers/ntsb/provider.js";
import { upstream } from "../../upstream/client.js";
import { toIsoDay, toLabel, toNumber } from "../../upstream/fields.js";

const FILTERS = ["registration", "state", "make", "model", "city", "dateFrom", "dateTo"] as const;

/** Punctuation alone would match everything. */
const name = (max: number) =>
  words(1, max).refine((value) => /[\p{L}\p{N}]/u.test(value), { error: "must contain letters or digits" });

const label = () => z.string().nullable();
const count = () => z.number().nullable();
const event = lazySchema(() =>
  z.object({
    caseNumber: label(),
    mkey: count().describe("The NTSB's own number of the case"),
    date: label(),
    eventType: label().describe("Accident, Incident or Occurrence"),
    city: label(),
    state: label(),
    country: label(),
    location: label(),
    aircraft: z.array(z.object({ registration: label(), make: label(), model: label() })),
    injuries: z.object({
      highest: label().describe("None, Minor, Serious or Fatal"),
      onboard: count().describe("Persons injured on board"),
      ground: count().describe("Persons injured on the ground"),
      fatal: count().describe("Null where only the highest degree is known, like the next two"),
      serious: count(),
      minor: count(),
    }),
    reportStatus: label(),
    reportType: label().describe("Prelim, Factual or Final"),
    publishedDate: label(),
    hasSafetyRecommendation: z.boolean(),
    url: label().describe("The case's docket"),
    reportUrl: label().describe("The newest report as PDF"),
  }),
);
type AccidentEvent = z.output<ReturnType<typeof event>>;

export const aviationAccidents = /* @__PURE__ */ defineCapability({
  id: "aviation.accidents",
  summary:
    "NTSB aviation accidents and incidents by aircraft, place and date, newest first, with injuries and reports.",
  keywords: [
    "plane crash",
    "ntsb",
    "accident report",
    "aircraft history",
    "tail number",
    "n-number",
    "safety",
    "incident",
  ],
  price: "0.0012",
  provider: ntsb,
  input: () =>
    z.strictObject({
      registration: name(20).optional().describe("The aircraft's registration or a part of it, such as N9267P"),
      state: usStateOrName().optional().describe("US state, as a code or a name"),
      make: name(60).optional().describe("The aircraft's maker, such as Cessna"),
      model: name(60).optional().describe("The aircraft's model, such as 172"),
      city: name(80).optional().describe("The nearest city"),
      dateFrom: isoDate().optional().describe("The first day"),
      dateTo: isoDate().optional().describe("The last day"),
      limit: limit(25, 100).describe("How many events to return"),
    }),
  output: legacyRead(() =>
    z.object({
      ok: z.literal(true),
      query: z.object({
        registration: label(),
        state: label(),
        make: label(),
        model: label(),
        city: label(),
        dateFrom: label(),
        dateTo: label(),
        limit: z.number(),
      }),
      total: z.number().int(),
      events: z.array(event()),
      source: sourceSchema(),
    }),
  ),
  example: { state: "CA", city: "San Jose", dateFrom: "2020-01-01" },
  read: ({ limit, ...given }) => ({ limit, filters: readFilters(given) }),
  async run({ limit, filters }, ctx) {
    const { Results, ResultListCount } = await upstream(ctx, ntsb).ask("/Query/Main", {
      body: caseQuery(filters, limit),
      schema: caseAnswer(),
      ttlMs: 6 * HOUR_MS,
      staleMs: 2 * DAY_MS,
    });
    const events = Results.map(toEvent).sort(newestFirst).slice(0, limit);
    return { ok: true as const, query: { ...filters, limit }, total: ResultListCount, events, source: sourceOf(ntsb) };
  },
});

function readFilters(given: { [name in keyof CaseFilters]?: string | undefined }): CaseFilters {
  if (FILTERS.every((name) => given[name] === undefined))
    throw invalid("", `give at least one of ${FILTERS.join(", ")}`);
  const { registration, state = null, make = null, model = null, city = null, dateFrom = null, dateTo = null } = given;
  if (dateFrom && dateTo && dateFrom > dateTo) throw invalid("dateTo", "must not be before dateFrom");
  return { registration: registration?.toUpperCase() ?? null, state, make, model, city, dateFrom, dateTo };
}

function toEvent(fields: CaseFields): AccidentEvent {
  const first = (name: string) => toLabel(fields.get(name)?.[0]);
  const caseNumber = first("NtsbNo");
  const mkey = toNumber(first("Mkey"));
  const [city, country] = [first("City"), first("Country")];
  const state = first("State") === "Other Foreign" ? null : first("State");
  return {
    caseNumber,
    mkey,
    // The time is local, though it is marked as UTC.
    date: toIsoDay(first("EventDate")),
    eventType: first("EventType"),
    city,
    state,
    country,
    location: [city, state, country].filter(Boolean).join(", ") || null,
    aircraft: aircraftOf(fields),
    injuries: {
      highest: first("HighestInjuryLevel"),
      onboard: toNumber(first("InjuryOnboardCount")),
      ground: toNumber(first("InjuryOngroundCount")),
      ...countsBelow(first("HighestInjuryLevel")),
    },
    reportStatus: first("CompletionStatus"),
    reportType: first("MostRecentReportType"),
    publishedDate: toIsoDay(first("OriginalPublishedDate")),
    hasSafetyRecommendation: first("HasSafetyRec")?.toLowerCase() === "true",
    url: caseNumber && `https://data.ntsb.gov/Docket/?NTSBNumber=${encodeURIComponent(caseNumber)}`,
    reportUrl:
      mkey === null
        ? null
        : `https://data.ntsb.gov/carol-repgen/api/Aviation/ReportMain/GenerateNewestReport/${mkey}/pdf`,
  };
}

/** A collision has several aircraft: values with the same index belong together. */
function aircraftOf(fields: CaseFields): AccidentEvent["aircraft"] {
  const [registrations, makes, models] = ["N#", "VehicleMake", "VehicleModel"].map((name) => fields.get(name) ?? []);
  const size = Math.max(registrations?.length ?? 0, makes?.length ?? 0, models?.length ?? 0);
  return Array.from({ length: size }, (_, index) => ({
    registration: toLabel(registrations?.[index]),
    make: toLabel(makes?.[index]),
    model: toLabel(models?.[index]),
  }));
}

/** Injuries above the highest degree are zero; the search does not give further counts. */
function countsBelow(highest: string | null) {
  const degree = ["None", "Minor", "Serious", "Fatal"].indexOf(highest ?? "Fatal");
  const known = (lowest: number) => (degree >= 0 && degree < lowest ? 0 : null);
  return { fatal: known(3), serious: known(2), minor: known(1) };
}

const newestFirst = (a: AccidentEvent, b: AccidentEvent) => (b.date ?? "").localeCompare(a.date ?? "");
