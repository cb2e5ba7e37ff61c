import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aircraftProfile } from "../../../src/capabilities/aircraft/profile.js";
import { forgetBulk } from "../../../src/upstream/bulk/bulk.js";
import { faaArchive } from "../../support/faa.js";
import { amongOthers, entry, sdnCsv } from "../../support/ofac.js";
import { fakeUpstream } from "../../support/upstream.js";

let dataDir = "";
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "profile-"));
  forgetBulk();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const keep = (name: string, content: string | Buffer) => writeFile(join(dataDir, name), content);
const keepRegister = () =>
  keep(
    "faa-aircraft.zip",
    faaArchive({
      aircraft: [
        { "N-NUMBER": "757F", NAME: "VINTAGE AIRCRAFT LLC" },
        { "N-NUMBER": "100", NAME: "MAHAN AIRE INC" },
        { "N-NUMBER": "200", NAME: "" },
        { "N-NUMBER": "300", NAME: "TASCA LLC" },
      ],
    }),
  );
const remarks = "Aircraft Mode S Transponder Code 7342B3; Aircraft Model Ilyushin IL-76TD; Linked To: POUYA AIR.";
const listed = amongOthers(
  entry(12927, "MAHAN AIR"),
  entry(19709, "AIRCRAFT, AVIONICS, PARTS & SUPPORT LTD."),
  entry(48727, "EP-PUS", "aircraft", remarks),
  entry(52327, "TASCA", "vessel"),
);
async function keepList() {
  await keep("ofac-sdn.csv", sdnCsv(listed));
  await keep("ofac-alt.csv", '12927,1,"aka","MAHAN AIRLINES",-0- \r\n\u001a');
}

function profile(input: Parameters<typeof aircraftProfile>[0], secrets = {}) {
  const { fetch, seen } = fakeUpstream([{ url: "", status: 503 }]);
  return Object.assign(aircraftProfile(input, { dataDir, fetch, secrets }), { seen });
}

describe("aircraft.profile", () => {
  it("clears an owner who shares a trade's word with the list, and tells how near that came", async () => {
    await Promise.all([keepRegister(), keepList()]);
    const result = await profile({ tail: "n-757 f" });
    expect(result).toMatchObject({
      query: { tail: "N757F", icao24: null, threshold: 0.5 },
      aircraft: { found: true, data: { icao24: "aa3487", owner: "VINTAGE AIRCRAFT LLC" }, error: null },
      sanctions: { found: true, flagged: false, threshold: 0.5, error: null },
      disclaimer: expect.stringContaining("not a legal determination"),
    });
    expect(result.sanctions.screened).toMatchObject([{ role: "owner", flagged: false, matches: [] }]);
    expect(result.sanctions.screened[0]?.topConfidence).toBeLessThan(0.5);
    expect(result.sanctions.listDate).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(aircraftProfile.output.safeParse(result).success).toBe(true);
  });

  it("flags an owner from the threshold on", async () => {
    await Promise.all([keepRegister(), keepList()]);
    const { sanctions } = await profile({ tail: "N100" });
    expect(sanctions.flagged).toBe(true);
    const [owner] = sanctions.screened;
    expect(owner).toMatchObject({
      role: "owner",
      name: "MAHAN AIRE INC",
      flagged: true,
      matches: [
        {
          entNum: 12927,
          matchedName: "MAHAN AIR",
          matchType: "name",
          type: "organization",
          programs: ["SDGT"],
          url: "https://sanctionssearch.ofac.treas.gov/Details.aspx?id=12927",
        },
      ],
    });
    const confidence = owner?.topConfidence ?? 0;
    expect((await profile({ tail: "N100", threshold: confidence })).sanctions.flagged).toBe(true);
    const above = await profile({ tail: "N100", threshold: confidence + 0.001 });
    expect(above.sanctions).toMatchObject({
      found: true,
      flagged: false,
      screened: [{ topConfidence: confidence, matches: [] }],
    });
  });

  it("takes no owner for a vessel", async () => {
    await Promise.all([keepRegister(), keepList()]);
    expect((await profile({ tail: "N300" })).sanctions).toMatchObject({ found: true, flagged: false });
  });

  it("clears nobody where there is no name to screen", async () => {
    await Promise.all([keepRegister(), keepList()]);
    const nothing = { found: false, flagged: null, screened: [], error: null };
    expect(await profile({ tail: "N200" })).toMatchObject({ aircraft: { found: true }, sanctions: nothing });
    const unknown = await profile({ icao24: "A00001" });
    expect(unknown).toMatchObject({ aircraft: { found: false, data: null, error: null }, sanctions: nothing });
  });

  it.each([{ tail: "EP-PUS" }, { icao24: "7342B3" }])("knows a listed aircraft by %o", async (input) => {
    await Promise.all([keepRegister(), keepList()]);
    expect(await profile(input)).toMatchObject({
      aircraft: { found: false, data: null, error: null },
      sanctions: {
        found: true,
        flagged: true,
        screened: [
          { role: "aircraft", flagged: true, topConfidence: 1, matches: [{ entNum: 48727, matchType: "identifier" }] },
        ],
      },
    });
  });

  it("screens the operator, too, where the source names one", async () => {
    await keepList();
    await keep(
      "opensky-aircraft.csv",
      '"icao24","registration","owner","operator"\n"aa3487","N757F","Somebody Else","Mahan Airlines"\n',
    );
    const { sanctions } = await profile({ tail: "N757F" }, { AIRCRAFT_SOURCE: "opensky-csv" });
    expect(sanctions).toMatchObject({
      flagged: true,
      screened: [
        { role: "owner", flagged: false },
        { role: "operator", flagged: true, topConfidence: 1, matches: [{ matchType: "alias", confidence: 1 }] },
      ],
    });
  });

  it("UP-2 has the record without a list: the flag is then null, never false", async () => {
    await keepRegister();
    expect(await profile({ tail: "N100" })).toMatchObject({
      aircraft: { found: true, error: null },
      sanctions: { found: false, flagged: null, listDate: null, screened: [], error: { code: "UPSTREAM_ERROR" } },
    });
  });

  it("UP-2 has the listed aircraft without a register", async () => {
    await keepList();
    expect(await profile({ icao24: "7342b3" })).toMatchObject({ sanctions: { flagged: true } });
  });

  it("UP-2 fails when the register does and nothing was screened, or both fail", async () => {
    await expect(profile({ tail: "N757F" })).rejects.toMatchObject({ code: "UPSTREAM_ERROR", status: 502 });
    await keepList();
    await expect(profile({ tail: "N757F" })).rejects.toMatchObject({ code: "UPSTREAM_ERROR", status: 502 });
  });

  it.each([
    {},
    { tail: "N" },
    { tail: "N1234567890" },
    { icao24: "xyz" },
    { tail: "N1", threshold: 0.05 },
    { tail: "N1", threshold: 1.1 },
    { tail: "N757F", icao24: "a00001" },
  ])("refuses %o without asking", async (input) => {
    const call = profile(input);
    await expect(call).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(call.seen).toEqual([]);
  });

  it("takes a tail number together with its own address", async () => {
    await Promise.all([keepRegister(), keepList()]);
    expect(await profile({ tail: "N757F", icao24: "AA3487" })).toMatchObject({ aircraft: { found: true } });
  });
});
