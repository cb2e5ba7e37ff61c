/** Lists of which one record is odd: the others are answered, what may be lacking is null, and what is left out is told. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { agricultureDrought } from "../../src/capabilities/agriculture/drought.js";
import { agricultureStats } from "../../src/capabilities/agriculture/stats.js";
import { aviationAccidents } from "../../src/capabilities/aviation/accidents.js";
import { bookSearch } from "../../src/capabilities/book/search.js";
import { businessFiCompanies } from "../../src/capabilities/business/fi-companies.js";
import { createContext } from "../../src/capability/context.js";
import { defineCapability } from "../../src/capability/define.js";
import { rows } from "../../src/capability/output.js";
import { defineProvider } from "../../src/capability/provider.js";
import { readProfile } from "../../src/providers/census/acs.js";
import { finnhubEarnings } from "../../src/providers/finnhub/calendars.js";
import { searchRecords } from "../../src/providers/gleif/records.js";
import { readPerpetuals, readPredictedFunding } from "../../src/providers/hyperliquid/perpetuals.js";
import { findCompounds } from "../../src/providers/pubchem/compound.js";
import { readTickers } from "../../src/providers/sec/filers.js";
import { upstream } from "../../src/upstream/client.js";
import {
  chosen,
  identifiedRows,
  label,
  number,
  oneOrMany,
  part,
  rowsInPlace,
  whole,
} from "../../src/upstream/fields.js";
import { fakeClock } from "../support/clock.js";
import { OPEN_TERMS } from "../support/terms.js";
import { type Exchange, fakeUpstream } from "../support/upstream.js";

const answering = (body: unknown, secrets: Record<string, string> = {}) => ({
  fetch: fakeUpstream([{ url: "", body }]).fetch,
  cache: false as const,
  secrets,
});
const contextOf = (body: unknown, secrets = {}) => createContext(answering(body, secrets), { timeoutMs: 1000 });
const refused = expect.objectContaining({ code: "UPSTREAM_SCHEMA" });

describe("a list of records", () => {
  const mill = z.object({ name: z.string(), floors: z.number() });
  const read = (value: unknown) => rowsInPlace(mill, ["name"]).safeParse(value);
  const [york, leeds] = [
    { name: "York", floors: 3 },
    { name: "Leeds", floors: 4 },
  ];

  test("keeps its places where a record is odd", () => {
    for (const odd of [
      { floors: 2 },
      { name: " ", floors: 2 },
      { name: "Hull", floors: "two" },
      { name: "Hull" },
      null,
      "Hull",
    ])
      expect(read([york, odd, leeds]).data).toEqual([york, null, leeds]);
    expect(identifiedRows(mill, ["name"]).parse([york, {}, leeds])).toEqual([york, leeds]);
  });

  test("is refused where most records are odd, and names the first", () => {
    const { error } = read([york, { name: "Hull", floors: "two" }, { name: "Goole", floors: null }]);
    expect(error?.issues[0]?.path).toEqual([1, "floors"]);
    expect(read([{ name: "Hull" }]).success).toBe(false);
    expect(read([]).data).toEqual([]);
  });

  test("is refused where most records are odd in different ways, and is never empty for want of all of them", () => {
    const odd = { name: "Hull", floors: "two" };
    expect(read([{ floors: 1 }, odd]).success).toBe(false);
    expect(read([{ floors: 1 }, null, york, odd]).success).toBe(false);
    const names = identifiedRows(z.object({ a: z.string(), b: z.string() }), ["a", "b"]);
    expect(names.safeParse([{ a: "York" }, { b: "Leeds" }]).success).toBe(false);
    expect(read([{ floors: 1 }, york]).data).toEqual([null, york]);
  });

  test("leaves a missing field to the inventory, which says whether it was renamed", () => {
    const { error } = rowsInPlace(whole({ name: z.string(), floors: number() }), ["name"]).safeParse([
      york,
      { name: "Hull" },
    ]);
    expect(error?.issues).toMatchObject([{ path: [1, "floors"], params: { absent: "floors" } }]);
  });
});

test("an entry of a list, and a form that shows in the value, tell the field that they miss", () => {
  const entry = whole({ name: label() });
  for (const [value, path] of [
    [{}, ["name"]],
    [
      [{ name: "York" }, {}],
      [1, "name"],
    ],
  ] as const)
    expect(oneOrMany(entry).safeParse(value).error?.issues).toMatchObject([{ path, params: { absent: "name" } }]);
  expect(oneOrMany(entry).parse(null)).toEqual([]);
  expect(z.object({ entries: oneOrMany(entry) }).parse({})).toEqual({ entries: [] });
  const either = chosen<unknown>((value) => (typeof value === "string" ? label() : part({ name: number() })));
  expect([either.parse("York"), either.parse({ name: "3" })]).toEqual(["York", { name: 3 }]);
  expect(chosen(() => entry).safeParse({}).error?.issues).toMatchObject([
    { path: ["name"], params: { absent: "name" } },
  ]);
});

describe("what a list does without", () => {
  const provider = defineProvider({
    name: "Mills",
    url: "https://mills.example",
    license: "MIT",
    terms: OPEN_TERMS,
    baseUrl: "https://mills.example",
  });
  const mills = defineCapability({
    id: "test.mills",
    summary: "Lists the mills of the valley.",
    price: "0.001",
    provider,
    input: () => z.strictObject({}),
    output: rows(() => z.object({ name: z.string() })),
    example: {},
    async run(_, ctx) {
      const schema = identifiedRows(z.object({ name: z.string() }), ["name"]);
      const items = await upstream(ctx, provider).get("/mills", { schema, ttlMs: 1000, staleMs: 60_000 });
      return { items, total: items.length };
    },
  });
  const LIST = [{ name: "York" }, { name: null }, { name: "Leeds" }];
  const open = (...exchanges: Exchange[]) => {
    const { fetch } = fakeUpstream(exchanges);
    const clock = fakeClock();
    return { clock, ask: () => mills({}, { fetch, clock }) };
  };

  test("is told with the answer, kept or out of date as well", async () => {
    const { ask, clock } = open({ url: "/mills", body: LIST }, { url: "/mills", status: 500 });
    const told = { items: [{ name: "York" }, { name: "Leeds" }], total: 2, meta: { leftOut: 1 } };
    expect(await ask()).toMatchObject(told);
    expect(await ask()).toMatchObject(told);
    clock.advance(30);
    expect((await ask()).meta).toEqual({ leftOut: 1, staleSeconds: 30 });
  });

  test("is told with the call that read it, and with the whole, but with no other call of it", async () => {
    const whole = defineCapability({
      id: "test.valleys",
      summary: "Lists the mills of two valleys.",
      price: "0.001",
      source: { provider: "test", url: "", license: "MIT" },
      input: () => z.strictObject({}),
      output: rows(() => z.object({ leftOut: z.unknown() })),
      example: {},
      async run(_, ctx) {
        const first = await ctx.call(mills, {});
        const second = await ctx.call(mills, {});
        return { items: [first, second].map(({ meta }) => ({ leftOut: meta?.leftOut })), total: 2 };
      },
    });
    const exchanges = [LIST, [{ name: "York" }]].map((body) => ({ url: "/mills", body }));
    const { items, meta } = await whole({}, { fetch: fakeUpstream(exchanges).fetch, cache: false });
    expect([items, meta]).toEqual([[{ leftOut: 1 }, { leftOut: undefined }], { leftOut: 1 }]);
  });

  test("is not spoken of where it has all of them", async () => {
    expect(await open({ url: "/mills", body: [{ name: "York" }] }).ask()).not.toHaveProperty("meta");
  });
});

test("a page of GLEIF keeps its place where a record before it is odd", async () => {
  const record = (lei: string) => ({
    attributes: {
      lei,
      entity: { legalName: { name: `Mill ${lei}` } },
      registration: {},
    },
    relationships: {},
  });
  const { records } = await searchRecords(
    { fulltext: "mill" },
    { offset: 1, limit: 2 },
    contextOf({ meta: { pagination: { total: 3 } }, data: [{}, record("B"), record("C")] }),
  );
  expect(records.map(({ lei }) => lei)).toEqual(["B", "C"]);
});

test("a slice of Finnhub's calendar is cut off at its limit, whatever is left out of it", async () => {
  const row = {
    ...{ date: "2026-06-01", symbol: "MILL", year: 2026, quarter: 1, hour: "bmo" },
    ...{ epsEstimate: 1, epsActual: null, revenueEstimate: 1, revenueActual: null },
  };
  const calendar = (count: number) => ({ earningsCalendar: Array.from({ length: count }, (_, at) => (at ? row : {})) });
  const day = { from: "2026-06-01", to: "2026-06-01" };
  const read = (count: number) =>
    finnhubEarnings(contextOf(calendar(count), { FINNHUB_API_KEY: "key" }), day, undefined);
  expect(await read(1500)).toMatchObject({ rows: { length: 1499 }, truncated: true });
  expect(await read(1499)).toMatchObject({ rows: { length: 1498 }, truncated: false });
});

test("markets of Hyperliquid stay beside their states where one is odd", async () => {
  const state = {
    ...{ funding: "0.1", openInterest: "1", oraclePx: "1", midPx: "1", premium: "0", dayNtlVlm: "1", prevDayPx: "1" },
  };
  const universe = ["A", "B", "C"].map((name) => ({ name, maxLeverage: 3, szDecimals: 2 }));
  const states = ["1", null, "3"].map((markPx) => ({ ...state, markPx }));
  expect(await readPerpetuals(contextOf([{ universe }, states]))).toMatchObject([
    { name: "A", markPx: 1 },
    { name: "C", markPx: 3 },
  ]);
  await expect(readPerpetuals(contextOf([{ universe }, states.slice(1)]))).rejects.toEqual(refused);
  const halves = states.map((one) => ({ ...one, markPx: "1" })).slice(1);
  await expect(
    readPerpetuals(contextOf([{ universe: [{}, universe[1]] }, [halves[0], { ...halves[1], markPx: null }]])),
  ).rejects.toEqual(refused);
  const rate = (fundingRate: string | null) => ({ fundingRate, nextFundingTime: 1_700_000_000_000 });
  const venues = [
    ["HlPerp", rate("0.1")],
    ["BinPerp", rate(null)],
    ["BybitPerp", null],
  ];
  expect(await readPredictedFunding(contextOf([["A", venues]]))).toMatchObject([{ venues: { length: 2 } }]);
});

test("a figure of Quick Stats without a value has null, and one without its year is left out", async () => {
  const row = {
    ...{ commodity_desc: "CORN", year: 2023, short_desc: "CORN - YIELD", Value: "(D)", state_name: "IOWA" },
    ...{ county_name: "", statisticcat_desc: "YIELD", unit_desc: "BU / ACRE", reference_period_desc: "YEAR" },
    ...{ freq_desc: "ANNUAL", source_desc: "SURVEY", domain_desc: "TOTAL", domaincat_desc: "NOT SPECIFIED" },
  };
  const data = [row, { ...row, Value: null }, { ...row, year: null }];
  const result = await agricultureStats({ commodity_desc: "CORN" }, answering({ data }, { NASS_API_KEY: "key" }));
  expect(result).toMatchObject({
    items: [
      { value: null, valueRaw: "(D)" },
      { value: null, valueRaw: null },
    ],
    meta: { leftOut: 1 },
  });
});

test("a case of the NTSB keeps the places of its aircraft where a value is null", async () => {
  const of = (values: Record<string, unknown>) => ({
    Fields: Object.entries(values).map(([FieldName, Values]) => ({ FieldName, ExportName: null, Values })),
  });
  const mill = { NtsbNo: ["WPR1"], EventDate: ["2023-02-20T16:25:00Z"], EventType: ["Accident"] };
  const results = [
    of({ ...mill, "N#": [null, "N2"], VehicleMake: ["Piper", "Cessna"], City: null }),
    of(mill),
    { Fields: [{ ExportName: null, Values: ["stray"] }] },
  ];
  const { events } = await aviationAccidents({ make: "Piper" }, answering({ Results: results, ResultListCount: 3 }));
  expect(events).toMatchObject([
    {
      city: null,
      aircraft: [
        { registration: null, make: "Piper" },
        { registration: "N2", make: "Cessna" },
      ],
    },
    { caseNumber: "WPR1", aircraft: [] },
  ]);
});

test("a book without a name of one author keeps the keys of the others", async () => {
  const book = {
    key: "/works/OL1W",
    title: "Mills",
    author_name: ["Ada", null, "Bea"],
    author_key: ["OL1A", "OL2A", "OL3A"],
  };
  const docs = [book, { ...book, title: null }, { ...book, language: ["eng", null] }];
  const { items, meta } = await bookSearch({ q: "mills" }, answering({ numFound: 3, docs }));
  expect(items).toMatchObject([{ languages: [] }, { languages: ["eng"] }]);
  expect(items[0]?.authors).toEqual([
    { name: "Ada", key: "OL1A" },
    { name: "Bea", key: "OL3A" },
  ]);
  expect(meta).toMatchObject({ leftOut: 1 });
});

test("a Finnish company whose former name has no end goes by its newest", async () => {
  const name = (text: string, registrationDate: string, more = {}) => ({
    name: text,
    type: "1",
    registrationDate,
    ...more,
  });
  const company = {
    businessId: { value: "0112038-9" },
    names: [
      name("Mylly Oy", "1990-01-01"),
      name("Mylly Oyj", "2001-01-01"),
      name("Vanha Mylly", "1980-01-01", { endDate: "1989-12-31" }),
      name("", "2002-01-01"),
    ],
    ...{ companyForms: [], tradeRegisterStatus: "1", registrationDate: "1980-01-01", lastModified: null },
  };
  const { items } = await businessFiCompanies({ name: "Mylly" }, answering({ totalResults: 1, companies: [company] }));
  expect(items).toMatchObject([
    {
      name: "Mylly Oyj",
      previousNames: [
        { name: "Mylly Oy", to: null },
        { name: "Vanha Mylly", to: "1989-12-31" },
      ],
    },
  ]);
});

test("a week of the drought monitor that is null does not take the others with it, and a day in American notation is one", async () => {
  const week = (mapDate: unknown) => ({ mapDate, none: "81", d0: 19, d1: "19", d2: "", d3: 0, d4: -99 });
  const body = [week("2025-09-09T00:00:00"), null, week("9/2/2025"), week("20250826")];
  const { items, meta } = await agricultureDrought({ area: "48439" }, answering(body));
  expect(items.map(({ date }) => date)).toEqual(["2025-09-09", "2025-09-02", "2025-08-26"]);
  expect(items[0]).toMatchObject({ none: 81, d2: null, d4: null });
  expect(meta).toMatchObject({ leftOut: 1 });
  await expect(agricultureDrought({ area: "48439" }, answering([null]))).rejects.toEqual(refused);
});

test("an area of the census whose figures come as numbers has them", async () => {
  const body = [
    ["NAME", "B01003_001E", "B01002_001E", "B19013_001E", "county"],
    ["York County", 207, "41.5", null, "031"],
  ];
  const ctx = contextOf(body, { CENSUS_API_KEY: "key" });
  expect(await readProfile(ctx, { for: "county:031", in: "state:23" }, 2022)).toMatchObject({
    name: "York County",
    figures: { population: 207, medianAge: 41.5, medianHouseholdIncome: null },
  });
});

test("a compound of PubChem stands without another that has no formula", async () => {
  const Properties = [
    { CID: 0, MolecularFormula: "C2H6O" },
    { CID: 702, MolecularFormula: "C2H6O", Title: "Ethanol" },
    { CID: 703, MolecularFormula: null },
  ];
  const found = await findCompounds(contextOf({ PropertyTable: { Properties } }), { kind: "name", value: "ethanol" });
  expect(found).toMatchObject([{ CID: 702, Title: "Ethanol", InChI: null }]);
});

test("the SEC's tickers are read without one that names no company, and refused where most do", async () => {
  const row = (ticker: string, title: string | null) => ({ cik_str: 320193, ticker, title });
  const of = (...titles: (string | null)[]) =>
    readTickers(contextOf(Object.fromEntries(titles.map((title, at) => [at, row(`T${at}`, title)]))));
  expect(await of("Apple Inc.", null, "Mill Corp")).toMatchObject([{ ticker: "T0" }, { ticker: "T2" }]);
  await expect(of(null, null, "Mill Corp")).rejects.toEqual(refused);
  await expect(of()).rejects.toEqual(refused);
});
