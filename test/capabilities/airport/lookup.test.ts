import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { airportLookup } from "../../../src/capabilities/airport/lookup.js";
import { createContext } from "../../../src/capability/context.js";
import { forgetBulk } from "../../../src/upstream/bulk/bulk.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";
import { type Fields, fileOf, HEADER, row } from "./_airports-csv.js";

const friedrichshafen: Fields = {
  ...{ id: 2256, ident: "EDNY", type: "large_airport", name: "Bodensee Airport Friedrichshafen" },
  ...{ lat: 47.671299, lon: 9.51149, elevation: 1367, scheduled: "yes" },
  ...{ icao: "EDNY", iata: "FDH", gps: "EDNY", wikipedia: "https://en.wikipedia.org/wiki/Friedrichshafen_Airport" },
};

function open(body: string, ...more: Exchange[]) {
  const fake = fakeUpstream([{ url: "github.io/ourairports-data/airports.csv", body }, ...more]);
  const ask = (code: string) => airportLookup({ code }, { fetch: fake.fetch, cache: false, dataDir: "/nowhere" });
  const identOf = async (code: string) => (await ask(code)).items[0]?.airport.ident;
  return { ...fake, ask, identOf };
}

describe("airport.lookup", () => {
  it("gives all that is known of an airport", async () => {
    const { items, total, source } = await open(fileOf(friedrichshafen)).ask(" fdh ");
    expect(items).toEqual([
      {
        airport: {
          id: 2256,
          ident: "EDNY",
          type: "large_airport",
          name: "Bodensee Airport Friedrichshafen",
          latitude: 47.671299,
          longitude: 9.51149,
          elevationFt: 1367,
          continent: "EU",
          isoCountry: "DE",
          isoRegion: "DE-BY",
          municipality: "Town",
          scheduledService: true,
          icaoCode: "EDNY",
          iataCode: "FDH",
          gpsCode: "EDNY",
          localCode: null,
          wikipediaLink: "https://en.wikipedia.org/wiki/Friedrichshafen_Airport",
        },
      },
    ]);
    expect(total).toBe(1);
    expect(source).toMatchObject({ provider: "OurAirports", license: "Public domain (Unlicense)" });
  });

  it("keeps letters beyond ASCII, and Namibia and North America apart from nothing", async () => {
    const name = "Rosenthal-Plössen Airfield";
    const { ask } = open(fileOf({ ident: "FYAA", name, continent: "NA", country: "NA", gps: "FYAA" }));
    const airport = (await ask("FYAA")).items[0]?.airport;
    expect(airport).toMatchObject({ name, continent: "NA", isoCountry: "NA", elevationFt: null, iataCode: null });
  });

  it("looks for three characters among IATA codes first, then local codes, then idents", async () => {
    const local = { ident: "XX-0001", local: "ABC" };
    const { identOf } = open(fileOf({ ident: "ABC" }, local, { ident: "XX-0002", iata: "ABC" }, { ident: "DEF" }));
    expect(await identOf("ABC")).toBe("XX-0002");
    expect(await identOf("DEF")).toBe("DEF");
    expect(await open(fileOf({ ident: "ABC" }, local)).identOf("abc")).toBe("XX-0001");
  });

  it("looks for four characters among ICAO codes, GPS codes, idents and local codes, in this order", async () => {
    const rows: Fields[] = [
      { ident: "L-01", local: "AAAA" },
      { ident: "AAAA" },
      { ident: "G-01", gps: "AAAA" },
      { ident: "I-01", icao: "AAAA" },
    ];
    for (const expected of ["I-01", "G-01", "AAAA", "L-01"]) {
      expect(await open(fileOf(...rows)).identOf("AAAA")).toBe(expected);
      rows.pop();
    }
  });

  it("looks for five characters among idents, local codes and GPS codes, in this order", async () => {
    const rows: Fields[] = [{ ident: "G-01", gps: "AAAAA" }, { ident: "L-01", local: "AAAAA" }, { ident: "AAAAA" }];
    for (const expected of ["AAAAA", "L-01", "G-01"]) {
      expect(await open(fileOf(...rows)).identOf("AAAAA")).toBe(expected);
      rows.pop();
    }
  });

  it("takes of several with one code the open, then the larger, then the served, then the older one", async () => {
    const ranking: Fields[] = [
      { id: 7, ident: "BEST", type: "large_airport", iata: "DUP" },
      { id: 6, ident: "MEDI", type: "medium_airport", scheduled: "yes", iata: "DUP" },
      { id: 5, ident: "SERV", type: "small_airport", scheduled: "yes", iata: "DUP" },
      { id: 3, ident: "OLDR", type: "small_airport", iata: "DUP" },
      { id: 4, ident: "YNGR", type: "small_airport", iata: "DUP" },
      { id: 2, ident: "HELI", type: "heliport", iata: "DUP" },
      { id: 1, ident: "SHUT", type: "closed", scheduled: "yes", iata: "DUP" },
    ];
    while (ranking.length > 0) {
      const expected = ranking[0]?.ident;
      expect(await open(fileOf(...ranking)).identOf("DUP")).toBe(expected);
      expect(await open(fileOf(...ranking.toReversed())).identOf("DUP")).toBe(expected);
      ranking.shift();
    }
  });

  it("reads copies of before 2024, which have no column of ICAO codes", async () => {
    const old = (line: string, without: number) => line.split(",").toSpliced(without, 1).join(",");
    const lines = [
      HEADER,
      row({ ident: "EDQA", gps: "EDQA", iata: "XYZ" }),
      row({ ident: "00A", gps: "K00A", local: "00A" }),
    ];
    const body = lines.map((line) => old(line, 12)).join("\n");
    expect((await open(body).ask("XYZ")).items[0]?.airport.icaoCode).toBe("EDQA");
    expect((await open(body).ask("00A")).items[0]?.airport.icaoCode).toBeNull();
  });

  it.each(["ZZZ", "EDNYX", "日本語"])("answers 404 to %s", async (code) => {
    await expect(open(fileOf(friedrichshafen)).ask(code)).rejects.toMatchObject({ code: "NOT_FOUND", status: 404 });
  });

  it.each(["", "AB", " AB ", "ABCDEF"])("refuses the code %j without asking", async (code) => {
    const { ask, seen } = open(fileOf(friedrichshafen));
    await expect(ask(code)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "code" }] });
    expect(seen).toEqual([]);
  });

  it("leaves out rows without a place, and those of another planet", async () => {
    const body = fileOf(
      friedrichshafen,
      { ident: "LOST", lat: "", lon: "" },
      { ident: "KOSM", lat: 91 },
      { ident: "OKAY" },
    );
    await expect(open(body).ask("LOST")).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
    const { ask } = open(`${body}${row({ ident: "EDQA" })}\n`);
    await expect(ask("LOST")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(ask("KOSM")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("comes from GitHub when the site does not answer", async () => {
    const mirror = { url: "raw.githubusercontent.com", body: fileOf(friedrichshafen) };
    const fake = fakeUpstream([{ url: "github.io", status: 503 }, mirror]);
    const { items } = await airportLookup({ code: "FDH" }, { fetch: fake.fetch, cache: false, dataDir: "/nowhere" });
    expect(items[0]?.airport.ident).toBe("EDNY");
  });

  it.each([
    ["an error page", "<!doctype html><title>Maintenance</title>", /UPSTREAM/],
    ["nothing", "", /UPSTREAM/],
    ["a header alone", `${HEADER}\n`, /UPSTREAM_SCHEMA/],
    ["a renamed column", fileOf(friedrichshafen).replace("latitude_deg", "latitude"), /UPSTREAM_SCHEMA/],
    ["a file that breaks off", fileOf(friedrichshafen).slice(0, -12), /UPSTREAM_ERROR/],
  ])("UP-3 sells no nulls made of %s", async (_, body, code) => {
    await expect(open(body).ask("EDNY")).rejects.toMatchObject({ code: expect.stringMatching(code), status: 502 });
  });
});

describe("the list of airports", () => {
  let dataDir = "";
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "airports-"));
    forgetBulk();
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it("is loaded once, ahead of the first call, and kept as airports.csv", async () => {
    const { fetch, seen } = fakeUpstream([{ url: "airports.csv", body: fileOf(friedrichshafen) }]);
    await airportLookup.warmUp(createContext({ fetch, dataDir }, { timeoutMs: 5000 }));
    const asked = ["FDH", "EDNY", "FDH"].map((code) => airportLookup({ code }, { fetch, dataDir }));
    expect((await Promise.all(asked)).map(({ items }) => items[0]?.airport.ident)).toEqual(["EDNY", "EDNY", "EDNY"]);
    expect(seen).toHaveLength(1);
    expect(await readFile(join(dataDir, "airports.csv"), "utf8")).toContain("Friedrichshafen");
  });

  it("that is in the data folder is used as it is", async () => {
    await writeFile(join(dataDir, "airports.csv"), `\uFEFF${fileOf({ ident: "MINE" })}`);
    const { fetch } = fakeUpstream([]);
    expect((await airportLookup({ code: "mine" }, { fetch, dataDir })).items[0]?.airport.ident).toBe("MINE");
  });
});
