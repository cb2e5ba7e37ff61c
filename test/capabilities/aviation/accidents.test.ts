import { describe, expect, it } from "vitest";
import { aviationAccidents } from "../../../src/capabilities/aviation/accidents.js";
import { fakeClock } from "../../support/clock.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const FIELDS: Record<string, string[]> = {
  NtsbNo: ["WPR23LA116"],
  CompletionStatus: ["Completed"],
  EventType: ["Accident"],
  Mkey: ["106827"],
  EventDate: ["2023-02-20T16:25:00Z"],
  City: ["San Jose"],
  State: ["California"],
  Country: ["United States"],
  "N#": ["N9267P"],
  VehicleMake: ["Piper"],
  VehicleModel: ["PA-24-260"],
  HighestInjuryLevel: ["Minor"],
  InjuryOngroundCount: [],
  InjuryOnboardCount: ["2"],
  HasSafetyRec: ["false"],
  OriginalPublishedDate: ["2024-06-20T04:00:00Z"],
  MostRecentReportType: ["Final"],
};
const row = (more: Record<string, string[]> = {}) => ({
  Fields: Object.entries({ ...FIELDS, ...more }).map(([FieldName, Values]) => ({
    FieldName,
    ExportName: null,
    Values,
  })),
  EntryId: "1",
});
const found = (...Results: object[]): Exchange => ({
  url: "/carol-main-public/api/Query/Main",
  body: { Results, ResultListCount: 1881, MaxResultCountReached: true },
});

function open(exchange: Exchange) {
  const fake = fakeUpstream([exchange]);
  const ask = (input: Parameters<typeof aviationAccidents>[0]) =>
    aviationAccidents(input, { fetch: fake.fetch, cache: false });
  const first = async () => (await ask({ state: "CA" })).events[0];
  return { ...fake, ask, first };
}

describe("aviation.accidents", () => {
  it("tells of events left out, and of an outdated answer, beside the events", async () => {
    const { fetch } = fakeUpstream([
      found(row(), { Fields: null }, row()),
      { url: "/carol-main-public/api/Query/Main", status: 500 },
    ]);
    const clock = fakeClock();
    const ask = () => aviationAccidents({ state: "CA" }, { fetch, clock });
    const first = await ask();
    expect(first).toMatchObject({ leftOut: 1, events: [{}, {}] });
    expect(first).not.toHaveProperty("staleSeconds");
    clock.advance(7 * 3600);
    expect(await ask()).toMatchObject({ leftOut: 1, staleSeconds: 7 * 3600, events: [{}, {}] });
  });

  it("gives events with place, aircraft, injuries, report and links", async () => {
    const { ok, query, total, events, source } = await open(found(row())).ask({ state: "California", limit: 1 });
    expect(events).toEqual([
      {
        caseNumber: "WPR23LA116",
        mkey: 106827,
        date: "2023-02-20",
        eventType: "Accident",
        city: "San Jose",
        state: "California",
        country: "United States",
        location: "San Jose, California, United States",
        aircraft: [{ registration: "N9267P", make: "Piper", model: "PA-24-260" }],
        injuries: { highest: "Minor", onboard: 2, ground: null, fatal: 0, serious: 0, minor: null },
        reportStatus: "Completed",
        reportType: "Final",
        publishedDate: "2024-06-20",
        hasSafetyRecommendation: false,
        url: "https://data.ntsb.gov/Docket/?NTSBNumber=WPR23LA116",
        reportUrl: "https://data.ntsb.gov/carol-repgen/api/Aviation/ReportMain/GenerateNewestReport/106827/pdf",
      },
    ]);
    expect([ok, total, source.provider]).toEqual([true, 1881, "NTSB CAROL"]);
    expect(query).toMatchObject({ state: "CA", city: null, limit: 1 });
  });

  it("asks for aviation cases with one rule per filter", async () => {
    const { ask, seen } = open(found());
    await ask({
      registration: " n92 ",
      make: "Piper",
      model: "PA-24",
      city: "San Jose",
      state: "ca",
      dateFrom: "2020-01-01",
      dateTo: "2025-01-01",
    });
    const body = JSON.parse(seen[0]?.body ?? "");
    expect(body).toMatchObject({ ResultSetSize: 25, ResultSetOffset: 0, AndOr: "and", TargetCollection: "cases" });
    const [group] = body.QueryGroups;
    const rules = group.QueryRules.map((rule: { Columns: string[]; Operator: string; Values: string[] }) =>
      [rule.Columns, rule.Operator, rule.Values].flat(),
    );
    expect(rules).toEqual([
      ["Event.Mode", "is", "Aviation"],
      ["Aircraft.RegistrationNumber", "contains", "N92"],
      ["Aircraft.AircraftMake", "contains", "Piper"],
      ["Aircraft.AircraftModel", "contains", "PA-24"],
      ["Event.City", "is", "San Jose"],
      ["Event.State", "is", "CA"],
      ["Event.EventDate", "is on or after", "2020-01-01"],
      ["Event.EventDate", "is on or before", "2025-01-01"],
    ]);
    expect(group.QueryRules[6].selectedOption).toMatchObject({ FieldName: "EventDate", InputType: "Date" });
    expect(seen[0]).toMatchObject({ method: "POST" });
    expect(seen[0]?.headers.get("content-type")).toBe("application/json");
  });

  it("sorts newest first and cuts at the limit", async () => {
    const days = ["2021-05-05", "2023-01-01", "2022-03-03"].map((day) => row({ EventDate: [`${day}T00:00:00Z`] }));
    const { events } = await open(found(...days)).ask({ make: "Piper", limit: 2 });
    expect(events.map(({ date }) => date)).toEqual(["2023-01-01", "2022-03-03"]);
  });

  it("reads a case that has fewer fields, and refuses one with a field under another name", async () => {
    const { EventType: _type, InjuryOnboardCount: _count, ...fewer } = FIELDS;
    const foreign = { ...fewer, IsStudy: ["false"], ReportNo: [], Mode: ["Aviation"], State: [], Country: ["France"] };
    const fieldsOf = (fields: Record<string, string[]>) => ({
      Fields: Object.entries(fields).map(([FieldName, Values]) => ({ FieldName, Values })),
    });
    expect(await open(found(fieldsOf(foreign))).first()).toMatchObject({
      caseNumber: "WPR23LA116",
      eventType: null,
      injuries: { onboard: null },
      location: "San Jose, France",
    });
    expect((await open(found(fieldsOf({ ...FIELDS, Weather: ["VMC"] }))).first())?.eventType).toBe("Accident");
    for (const renamed of [
      { ...fewer, Kind: ["Accident"] },
      { ...FIELDS, NtsbNo: undefined, CaseNo: ["WPR23LA116"] },
    ]) {
      const fields = Object.fromEntries(
        Object.entries(renamed).flatMap(([name, values]) => (values ? [[name, values]] : [])),
      );
      await expect(open(found(fieldsOf(fields))).first()).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
    }
  });

  it("keeps the aircraft of a collision apart", async () => {
    const collision = row({ "N#": ["N1", "N2"], VehicleMake: ["Cessna", "Piper"], VehicleModel: ["172"] });
    expect((await open(found(collision)).first())?.aircraft).toEqual([
      { registration: "N1", make: "Cessna", model: "172" },
      { registration: "N2", make: "Piper", model: null },
    ]);
  });

  it("has nulls where a case has no values, and no state abroad", async () => {
    const bare = row({
      Mkey: [],
      "N#": [],
      VehicleMake: [],
      VehicleModel: [],
      State: ["Other Foreign"],
      Country: ["Peru"],
      City: [],
    });
    expect(await open(found(bare)).first()).toMatchObject({
      mkey: null,
      aircraft: [],
      state: null,
      location: "Peru",
      reportUrl: null,
    });
  });

  it.each([
    ["None", { fatal: 0, serious: 0, minor: 0 }],
    ["Serious", { fatal: 0, serious: null, minor: null }],
    ["Fatal", { fatal: null, serious: null, minor: null }],
    ["", { highest: null, fatal: null, serious: null, minor: null }],
    ["Other", { fatal: null, serious: null, minor: null }],
  ])("knows what injuries there were not when the worst was %j", async (level, expected) => {
    const { first } = open(found(row({ HighestInjuryLevel: [level] })));
    expect((await first())?.injuries).toMatchObject(expected);
  });

  it("has no events where none match", async () => {
    const { ask } = open({ url: "", body: { Results: [], ResultListCount: 0 } });
    expect(await ask({ city: "Nowhere" })).toMatchObject({ ok: true, total: 0, events: [] });
  });

  it.each<[string, Parameters<typeof aviationAccidents>[0]]>([
    ["", {}],
    ["", { limit: 10 }],
    ["registration", { registration: "N".repeat(21) }],
    ["registration", { registration: "  " }],
    ["state", { state: "ZZ" }],
    ["state", { state: "constructor" }],
    ["dateFrom", { dateFrom: "01/02/2026" }],
    ["dateTo", { dateFrom: "2026-02-01", dateTo: "2026-01-01" }],
    ["limit", { city: "Reno", limit: 101 }],
  ])("refuses a bad %s without asking (%#)", async (path, input) => {
    const { ask, seen } = open(found());
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    expect(seen).toEqual([]);
  });

  it.each<[string, Partial<Exchange>, string]>([
    ["an error page", { status: 500, body: "<html></html>" }, "UPSTREAM_ERROR"],
    ["a refused rule", { status: 400, body: { Error: "bad rule", ErrorCode: 0 } }, "UPSTREAM_ERROR"],
    ["an error with 200", { body: { Error: "bad rule", ErrorCode: 0 } }, "UPSTREAM_SCHEMA"],
    ["a case without its number", { body: { Results: [{ Fields: [] }], ResultListCount: 1 } }, "UPSTREAM_SCHEMA"],
  ])("UP-2 %s is no empty list", async (_, exchange, code) => {
    await expect(open({ url: "", ...exchange }).ask({ city: "Reno" })).rejects.toMatchObject({ code });
  });
});
