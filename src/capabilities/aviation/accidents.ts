import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { isoDate, lazySchema, text } from "../../capability/fields.js";
import { legacy } from "../../capability/output.js";
import { sourceOf } from "../../capability/provider.js";
import { invalid } from "../../errors.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { type CaseFields, type CaseFilters, caseAnswer, caseQuery } from "../../providers/ntsb/carol.js";
import { ntsb } from "../../providers/ntsb/index.js";
import { upstream } from "../../upstream/client.js";
import { stateCode } from "./_states.js";

const FILTERS = ["registration", "state", "make", "model", "city", "dateFrom", "dateTo"] as const;

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
  timeoutMs: 65_000,
  input: () =>
    z.strictObject({
      registration: text(1, 20).optional().describe("The aircraft's registration or a part of it, such as N9267P"),
      state: text(2, 40).optional().describe("US state, as a code or a name"),
      make: text(1, 60).optional().describe("The aircraft's maker, such as Cessna"),
      model: text(1, 60).optional().describe("The aircraft's model, such as 172"),
      city: text(1, 80).optional().describe("The nearest city"),
      dateFrom: isoDate().optional().describe("The first day"),
      dateTo: isoDate().optional().describe("The last day"),
      limit: z.int().min(1).max(100).default(25).describe("How many events to return"),
    }),
  output: legacy(() =>
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
      source: z.object({ provider: z.string(), url: z.string(), license: z.string() }),
    }),
  ),
  example: { state: "CA", city: "San Jose", dateFrom: "2020-01-01" },
  check: (input) => void readFilters(input),
  async run({ limit, ...input }, ctx) {
    const filters = readFilters(input);
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

function readFilters(input: { [name in keyof CaseFilters]?: string | undefined }): CaseFilters {
  const given = FILTERS.filter((name) => input[name] !== undefined);
  if (given.length === 0) throw invalid("", `give at least one of ${FILTERS.join(", ")}`);
  const blank = given.find((name) => !/[\p{L}\p{N}]/u.test(input[name] ?? ""));
  if (blank) throw invalid(blank, "must contain letters or digits");
  const { state, dateFrom, dateTo } = input;
  if (dateFrom && dateTo && dateFrom > dateTo) throw invalid("dateTo", "must not be before dateFrom");
  const code = state === undefined ? null : stateCode(state);
  if (code === undefined) throw invalid("state", "must be a US state, such as CA or California");
  return {
    registration: input.registration?.trim().toUpperCase() ?? null,
    state: code,
    make: input.make?.trim() ?? null,
    model: input.model?.trim() ?? null,
    city: input.city?.trim() ?? null,
    dateFrom: dateFrom ?? null,
    dateTo: dateTo ?? null,
  };
}

function toEvent(fields: CaseFields): AccidentEvent {
  const first = (name: string) => fields.get(name)?.[0]?.trim() || null;
  const caseNumber = first("NtsbNo");
  const mkey = numberOf(first("Mkey"));
  const [city, country] = [first("City"), first("Country")];
  const state = first("State") === "Other Foreign" ? null : first("State");
  return {
    caseNumber,
    mkey,
    // The hour is local, though it is marked as UTC.
    date: dayOf(first("EventDate")),
    eventType: first("EventType"),
    city,
    state,
    country,
    location: [city, state, country].filter(Boolean).join(", ") || null,
    aircraft: aircraftOf(fields),
    injuries: {
      highest: first("HighestInjuryLevel"),
      onboard: numberOf(first("InjuryOnboardCount")),
      ground: numberOf(first("InjuryOngroundCount")),
      ...countsBelow(first("HighestInjuryLevel")),
    },
    reportStatus: first("CompletionStatus"),
    reportType: first("MostRecentReportType"),
    publishedDate: dayOf(first("OriginalPublishedDate")),
    hasSafetyRecommendation: first("HasSafetyRec")?.toLowerCase() === "true",
    url: caseNumber && `https://data.ntsb.gov/Docket/?NTSBNumber=${encodeURIComponent(caseNumber)}`,
    reportUrl:
      mkey === null
        ? null
        : `https://data.ntsb.gov/carol-repgen/api/Aviation/ReportMain/GenerateNewestReport/${mkey}/pdf`,
  };
}

/** A collision has several aircraft: the values of one index belong together. */
function aircraftOf(fields: CaseFields): AccidentEvent["aircraft"] {
  const [registrations, makes, models] = ["N#", "VehicleMake", "VehicleModel"].map((name) => fields.get(name) ?? []);
  const size = Math.max(registrations?.length ?? 0, makes?.length ?? 0, models?.length ?? 0);
  return Array.from({ length: size }, (_, index) => ({
    registration: registrations?.[index] || null,
    make: makes?.[index] || null,
    model: models?.[index] || null,
  }));
}

/** Nobody was hurt worse than the highest degree; how many were hurt how badly, the search does not tell. */
function countsBelow(highest: string | null) {
  const degree = ["None", "Minor", "Serious", "Fatal"].indexOf(highest ?? "Fatal");
  const known = (lowest: number) => (degree >= 0 && degree < lowest ? 0 : null);
  return { fatal: known(3), serious: known(2), minor: known(1) };
}

const numberOf = (value: string | null) => (value !== null && /^\d{1,15}$/.test(value) ? Number(value) : null);

const dayOf = (time: string | null) => /^\d{4}-\d{2}-\d{2}/.exec(time ?? "")?.[0] ?? null;

const newestFirst = (a: AccidentEvent, b: AccidentEvent) => (b.date ?? "").localeCompare(a.date ?? "");
