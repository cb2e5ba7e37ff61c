import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aircraftLookup } from "../../../src/capabilities/aircraft/lookup.js";
import { forgetBulk } from "../../../src/upstream/bulk/bulk.js";
import { faaArchive } from "../../support/faa.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";
import { zipOf } from "../../support/zip.js";

let dataDir = "";
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "aircraft-"));
  forgetBulk();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const jet = {
  "N-NUMBER": "1801U",
  "SERIAL NUMBER": "60223",
  "MFR MDL CODE": "13844FZ",
  "ENG MFR MDL": "13124",
  "YEAR MFR": "2022",
  NAME: "SOUTHWEST AIRLINES CO             ",
  STREET: "2702 LOVE FIELD DR",
  CITY: "DALLAS",
  "ZIP CODE": "752351908",
  "CERT ISSUE DATE": "20220712",
  "EXPIRATION DATE": "20290731",
  "MODE S CODE HEX": "A1433A    ",
};
const jetModel = {
  CODE: "13844FZ",
  MFR: "BOEING",
  MODEL: "737-8",
  "TYPE-ACFT": "5",
  "TYPE-ENG": "5",
  "AC-CAT": "1",
  "NO-ENG": "02",
  "AC-WEIGHT": "CLASS 3",
};
const jetEngine = { CODE: "13124", MFR: "CFM INTL", MODEL: "LEAP-1B28" };

type Register = Parameters<typeof faaArchive>[0];
const keep = (register: Register) => writeFile(join(dataDir, "faa-aircraft.zip"), faaArchive(register));

const NOWHERE = fakeUpstream([]);
const find = (input: { tail?: string; icao24?: string }, secrets = {}, fetch = NOWHERE.fetch) =>
  aircraftLookup(input, { dataDir, secrets, fetch });

describe("aircraft.lookup", () => {
  it("finds an aircraft by tail number and by address, in any case", async () => {
    await keep({ aircraft: [jet, { "N-NUMBER": "1" }], models: [jetModel], engines: [jetEngine] });
    const result = await find({ tail: "n1801u" });
    expect(result).toEqual({
      ok: true,
      items: [
        {
          icao24: "a1433a",
          registration: "N1801U",
          manufacturer: "BOEING",
          model: "737-8",
          typecode: null,
          icaoType: "L2J",
          serialNumber: "60223",
          operator: null,
          owner: "SOUTHWEST AIRLINES CO",
          built: "2022",
          engines: "CFM INTL LEAP-1B28",
          category: "20,000 lb and over",
          registered: "2022-07-12",
          regUntil: "2029-07-31",
        },
      ],
      total: 1,
      source: {
        provider: "FAA Releasable Aircraft Database",
        url: expect.stringContaining("faa.gov"),
        license: "Public domain (U.S. Government)",
      },
      meta: { asOf: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    });
    expect(await find({ icao24: "A1433A" })).toEqual(result);
  });

  it("never passes on where an owner lives", async () => {
    await keep({ aircraft: [jet] });
    expect(JSON.stringify(await find({ tail: "N1801U" }))).not.toMatch(/LOVE FIELD|DALLAS|7523/);
  });

  it("has nulls for what the register leaves blank, and the address by arithmetic", async () => {
    await keep({ aircraft: [{ "N-NUMBER": "757F", "EXPIRATION DATE": "0" }] });
    const { items } = await find({ icao24: "aa3487" });
    const { icao24, registration, ...rest } = items[0] ?? {};
    expect([icao24, registration]).toEqual(["aa3487", "N757F"]);
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
  });

  it.each([
    ["L1P", { "TYPE-ACFT": "4", "NO-ENG": "01", "TYPE-ENG": "1" }],
    ["S2T", { "TYPE-ACFT": "5", "NO-ENG": "02", "TYPE-ENG": "2", "AC-CAT": "2" }],
    ["A1P", { "TYPE-ACFT": "4", "NO-ENG": "01", "TYPE-ENG": "8", "AC-CAT": "3" }],
    ["H2T", { "TYPE-ACFT": "6", "NO-ENG": "02", "TYPE-ENG": "3" }],
    ["G1P", { "TYPE-ACFT": "9", "NO-ENG": "01", "TYPE-ENG": "7" }],
    ["L1E", { "TYPE-ACFT": "4", "NO-ENG": "01", "TYPE-ENG": "10" }],
    [null, { "TYPE-ACFT": "2", "NO-ENG": "00", "TYPE-ENG": "0" }],
    [null, { "TYPE-ACFT": "1", "NO-ENG": "01", "TYPE-ENG": "1" }],
  ])("tells the ICAO class %s from the register's codes", async (icaoType, codes) => {
    await keep({ aircraft: [jet], models: [{ ...jetModel, "AC-CAT": "1", ...codes }] });
    expect((await find({ tail: "N1801U" })).items[0]?.icaoType).toBe(icaoType);
  });

  it("finds each of many", async () => {
    const numbers = Array.from({ length: 5000 }, (_, i) => String(10_000 + i * 7));
    await keep({ aircraft: numbers.map((number) => ({ "N-NUMBER": number, NAME: `OWNER ÉÜ ${number}` })) });
    for (const number of [numbers[0], numbers[2499], numbers[4999]])
      expect((await find({ tail: `N${number}` })).items).toMatchObject([{ owner: `OWNER ÉÜ ${number}` }]);
    await expect(find({ tail: "N10001" })).rejects.toMatchObject({ code: "NOT_FOUND", status: 404 });
  });

  it.each([{ tail: "N1I" }, { tail: "NABC" }, { icao24: "391927" }, { icao24: "FFFFFF" }])(
    "knows without a search that the US has no %o",
    async (input) => {
      await expect(find(input)).rejects.toMatchObject({ code: "NOT_FOUND" });
      expect(NOWHERE.seen).toEqual([]);
    },
  );

  it.each([
    {},
    { tail: "N1", icao24: "a00001" },
    { tail: "G-ABCD" },
    { tail: "N123456" },
    { icao24: "a1b2c" },
    { icao24: "g12345" },
  ])("refuses %o", async (input) => {
    await expect(find(input)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("downloads the register once, from the FAA or from the mirror that the host names", async () => {
    const seen: string[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      seen.push(`${input} ${new Headers(init?.headers).get("user-agent")}`);
      return new Response(new Uint8Array(faaArchive({ aircraft: [jet] })));
    };
    await Promise.all([find({ tail: "N1801U" }, {}, fetch), find({ icao24: "a1433a" }, {}, fetch)]);
    expect(seen).toEqual([
      expect.stringMatching(/^https:\/\/registry\.faa\.gov\/database\/ReleasableAircraft\.zip Mozilla/),
    ]);
    forgetBulk();
    await rm(join(dataDir, "faa-aircraft.zip"));
    await find({ tail: "N1801U" }, { AIRCRAFT_DATA_URL: "https://mirror.example/faa.zip" }, fetch);
    expect(seen[1]).toContain("https://mirror.example/faa.zip");
  });

  it.each([
    ["an error page", Buffer.from("<html>Maintenance</html>")],
    ["an archive without the register", zipOf({ "README.txt": "none" })],
    ["a register with other columns", zipOf({ "MASTER.txt": "TAIL,OWNER,\r\n1,A,\r\n" })],
    ["an empty register", faaArchive({ aircraft: [] })],
  ])("UP-3 is an upstream error when %s comes", async (_, bytes) => {
    const fetch = async () => new Response(new Uint8Array(bytes));
    await expect(find({ tail: "N1801U" }, {}, fetch)).rejects.toMatchObject({ code: "UPSTREAM_ERROR", status: 502 });
  });
});

describe("aircraft.lookup from another source", () => {
  it.each(["faa", "opensky-csv"])(
    "UP-1 survives a download from %s that breaks off, with caches off",
    async (source) => {
      const body = () => new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) });
      const fetch = async () => new Response(body());
      const call = aircraftLookup(
        { tail: "N1" },
        { fetch, dataDir, cache: false, secrets: { AIRCRAFT_SOURCE: source } },
      );
      await expect(call).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    },
  );

  const ask = (source: string, input: { tail?: string; icao24?: string }, exchanges: Exchange[]) => {
    const fake = fakeUpstream(exchanges);
    return { ...fake, result: find(input, { AIRCRAFT_SOURCE: source }, fake.fetch) };
  };

  it.each([
    [
      "double quotes",
      '"icao24","registration","manufacturername","model","icaoaircrafttype","owner","reguntil"\n"","","","","","",""\n"aa3487","N757F","Raytheon, Inc.","A36","L1P","Vintage Aircraft Llc","2027-01-31"\n"391927","F-GGJH","Robin","DR.400","L1P","Private",""\n',
    ],
    [
      "single quotes",
      "'icao24','registration','manufacturerName','model','icaoAircraftClass','owner','regUntil'\n'aa3487','N757F','Raytheon, Inc.','A36','L1P','Vintage Aircraft Llc','2027-01-31'\n",
    ],
  ])("reads OpenSky's file with %s", async (_, body) => {
    const { result } = ask("opensky-csv", { tail: "N757F" }, [{ url: "metadata/aircraftDatabase.csv", body }]);
    expect(await result).toMatchObject({
      items: [
        { icao24: "aa3487", manufacturer: "Raytheon, Inc.", icaoType: "L1P", regUntil: "2027-01-31", built: null },
      ],
      source: { provider: "OpenSky Network", license: expect.stringContaining("non-commercial") },
    });
  });

  it("UP-3 refuses an OpenSky file with other columns", async () => {
    const { result } = ask("opensky-csv", { tail: "N757F" }, [{ url: "", body: "<html>\nno file\n" }]);
    await expect(result).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });

  it("UP-3 refuses an OpenSky file that was cut within its last row, whose missing cells are not empty ones", async () => {
    const header = '"icao24","registration","manufacturername","model"\n';
    const cut = (row: string) => ask("opensky-csv", { tail: "N757F" }, [{ url: "", body: header + row }]).result;
    await expect(cut('"aa3487","N757F"')).rejects.toMatchObject({ code: "UPSTREAM_ERROR", status: 502 });
    await expect(cut('"aa3487","N757F","Rayth')).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    expect(await cut('"aa3487","N757F"\n')).toMatchObject({ items: [{ icao24: "aa3487", model: null }] });
  });

  it("asks OpenSky's API by address", async () => {
    const body = {
      icao24: "aa3487",
      registration: "N757F",
      manufacturerName: "Raytheon",
      regUntil: "2027-01-31",
      extra: 1,
    };
    const { result, seen } = ask("opensky-api", { tail: "N757F" }, [{ url: "", body }]);
    expect((await result).items[0]).toMatchObject({ manufacturer: "Raytheon", regUntil: "2027-01-31", model: null });
    expect(seen[0]?.url.pathname).toBe("/api/metadata/aircraft/icao/aa3487");
  });

  it("asks adsbdb by address", async () => {
    const aircraft = {
      registration: "N757F",
      type: "Bonanza",
      icao_type: "BE36",
      manufacturer: "Beech",
      registered_owner: "A",
    };
    const { result, seen } = ask("adsbdb", { icao24: "AA3487" }, [{ url: "", body: { response: { aircraft } } }]);
    expect((await result).items[0]).toMatchObject({ icao24: "aa3487", model: "Bonanza", typecode: "BE36", owner: "A" });
    expect(seen[0]?.url.pathname).toBe("/v0/aircraft/aa3487");
  });

  it.each(["opensky-api", "adsbdb"])("has nothing where %s has nothing", async (source) => {
    const { result } = ask(source, { tail: "N757F" }, [
      { url: "", status: 404, body: { response: "unknown aircraft" } },
    ]);
    await expect(result).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("tells the host which sources there are", async () => {
    await expect(ask("jane", { tail: "N757F" }, []).result).rejects.toMatchObject({
      code: "PROVIDER_NOT_CONFIGURED",
      message: expect.stringContaining("faa, opensky-csv, opensky-api, adsbdb"),
    });
  });
});
