import { describe, expect, it } from "vitest";
import { SanctionsList } from "../../../src/providers/ofac/list.js";
import { amongOthers, entry } from "../../support/ofac.js";

const list = await SanctionsList.build(
  amongOthers(
    entry(1, "PUTIN, Vladimir Vladimirovich", "individual"),
    entry(2, "BIN LADIN, Usama bin Muhammad bin Awad", "individual"),
    entry(3, "QADHAFI, Muammar", "individual"),
    entry(4, "MAHAN AIR"),
    entry(5, "IRAN AIR", "organization", "Website www.iranair.com; a.k.a. 'HOMA'."),
    entry(6, "AL QA'IDA"),
    entry(7, "BEL-KAP-STEEL LLC"),
    entry(8, "AIRCRAFT, AVIONICS, PARTS & SUPPORT LTD."),
    entry(9, "IRAN AIRCRAFT MANUFACTURING INDUSTRIAL COMPANY"),
    entry(10, "MORENO, Daniel", "individual"),
    entry(11, "GAZPROMBANK JOINT STOCK COMPANY"),
    entry(12, "KHOROSHEV, Dmitry Yuryevich", "individual"),
    entry(13, "CASPIAN AIRLINES"),
    entry(14, "XI, Jinping", "individual"),
    entry(15, "FRUNZE", "vessel"),
  ),
  [
    { entNum: 9, name: "HESA TRADE CENTER", type: "aka" },
    { entNum: 4, name: "TEHRAN NIGHTINGALE", type: "fka" },
    { entNum: 999, name: "NOBODY'S ALIAS", type: "aka" },
  ],
);
const screen = (name: string, threshold = 0.5) => list.screen(name, { threshold });

/** The score of one entry, 0 where it does not come near. */
async function scoreOf(name: string, entNum: number): Promise<number> {
  const { matches } = await list.screen(name, { threshold: 0, limit: 1000 });
  return matches.find((match) => match.entNum === entNum)?.score ?? 0;
}

describe("the score of a name", () => {
  it.each([
    ["Vladimir Vladimirovich PUTIN", 1],
    ["Путин Владимир Владимирович", 1],
    ["Wladimir Wladimirowitsch Putin", 1],
    ["Osama bin Laden", 2],
    ["Moammar Kadhafi", 3],
    ["Gaddafi Muammar", 3],
    ["Mahan Air Co., Ltd.", 4],
    ["AIR MAHAN", 4],
    ["Homa", 5],
    ["Al-Qaeda", 6],
    ["Alqaida", 6],
    ["Bel Kap Steel, Inc.", 7],
    ["BELKAPSTEEL", 7],
    ["Aircraft Avionics Parts and Support Limited", 8],
    ["H.E.S.A. Trade-Center", 9],
    ["Daniel Moreno", 10],
    ["Gazprom Bank", 11],
    ["Dmitriy Yurevich Khoroshev", 12],
    ["习近平", 14],
  ])("is 0.9 and more for the same name: %s", async (name, entNum) => {
    expect(await scoreOf(name, entNum)).toBeGreaterThanOrEqual(0.9);
  });

  it.each([
    ["Vladimir Vladimirovich Putan", 1],
    ["Maham Air", 4],
    ["Mahan Aire", 4],
    ["Daniel Morena", 10],
    ["Dmitry Khorosev", 12],
    ["Caspain Airlines", 13],
  ])("is 0.7 to 0.9 for a likely variant: %s", async (name, entNum) => {
    const score = await scoreOf(name, entNum);
    expect(score).toBeGreaterThanOrEqual(0.7);
    expect(score).toBeLessThan(0.9);
  });

  it.each([
    ["Vladimir Putin", 1],
    ["Khoroshev", 12],
    ["Putin", 1],
  ])("is at least 0.5 for a rare part alone: %s", async (name, entNum) => {
    const score = await scoreOf(name, entNum);
    expect(score).toBeGreaterThanOrEqual(0.5);
    expect(score).toBeLessThan(0.9);
  });

  it.each([
    "Vintage Aircraft Llc",
    "SOUTHWEST AIRLINES CO",
    "AMERICAN AIRLINES INC",
    "DELTA AIR LINES INC",
    "WELLS FARGO BANK NA TRUSTEE",
    "SMITH JOHN A",
    "Iraq Air",
    "Korean Air",
    "Daniel Craig",
    "Vladimir Horowitz",
    "Nobody's Alias",
    "LLC",
    "",
  ])("is below 0.5 by chance: %s", async (name) => {
    const { topScore, matches } = await screen(name);
    expect(topScore).toBeLessThan(0.5);
    expect(matches).toEqual([]);
  });

  it("does not depend on the order of words, and never leaves 0 to 1", async () => {
    for (const name of ["Putin Vladimir", "muhammad mohamed muhamad ali", "iran iran air air air", "x".repeat(5000)]) {
      const [forth, back] = [await screen(name, 0), await screen(name.split(" ").reverse().join(" "), 0)];
      expect(back.topScore).toBe(forth.topScore);
      expect(forth.topScore).toBeLessThanOrEqual(1);
      for (const { score } of forth.matches) expect(score).toBeGreaterThan(0);
    }
  });

  it("is the same when asked twice, and when others were asked between", async () => {
    const first = await screen("Mahan Air", 0);
    await screen("Iran Aircraft Mahan Airlines", 0);
    expect(await screen("Mahan Air", 0)).toEqual(first);
  });
});

describe("a screening", () => {
  it("reports an entry once, by its nearest name, with what the list says of it", async () => {
    const { matches, topScore } = await screen("Hesa Trade Center");
    expect(topScore).toBe(1);
    expect(matches).toEqual([
      {
        entNum: 9,
        name: "IRAN AIRCRAFT MANUFACTURING INDUSTRIAL COMPANY",
        type: "organization",
        programs: ["SDGT"],
        remarks: null,
        score: 1,
        matchedName: "HESA TRADE CENTER",
        aliasType: "aka",
        url: "https://sanctionssearch.ofac.treas.gov/Details.aspx?id=9",
      },
    ]);
  });

  it("finds former names and the nicknames of remarks", async () => {
    expect((await screen("Tehran Nightingale")).matches[0]).toMatchObject({ entNum: 4, aliasType: "fka", score: 1 });
    expect((await screen("HOMA")).matches[0]).toMatchObject({ entNum: 5, aliasType: "weak", matchedName: "HOMA" });
  });

  it("keeps threshold, limit and types", async () => {
    const { matches } = await list.screen("Iran Air", { threshold: 0.1, limit: 3 });
    expect(matches).toHaveLength(3);
    expect(matches[0]).toMatchObject({ entNum: 5, score: 1, aliasType: null });
    expect(matches.map(({ score }) => score)).toEqual(matches.map(({ score }) => score).sort((a, b) => b - a));
    expect((await screen("Frunze")).matches).toMatchObject([{ entNum: 15, type: "vessel" }]);
    const parties = await list.screen("Frunze", { threshold: 0.5, types: ["individual", "organization"] });
    expect(parties.matches).toEqual([]);
  });

  it("tells the nearest score even below the threshold", async () => {
    const { topScore, matches } = await screen("Maham Air", 0.95);
    expect(matches).toEqual([]);
    expect(topScore).toBeGreaterThan(0.7);
  });
});

describe("a listed airframe", () => {
  const remarks =
    "Aircraft Mode S Transponder Code 7342B3; Aircraft Model Ilyushin IL-76TD; Aircraft Manufacturer's Serial Number (MSN) 1023409321; Linked To: POUYA AIR.";
  const building = SanctionsList.build([entry(48727, "EP-PUS", "aircraft", remarks), entry(1, "EP-PUS")], []);

  it.each([
    ["registration", { registration: "EPPUS" }],
    ["address", { icao24: "7342b3" }],
    ["serial number and make", { serialNumber: "1023409321", manufacturer: "ILYUSHIN", model: "76" }],
  ])("is known by its %s", async (_, airframe) => {
    const listed = await building;
    expect(listed.airframe(airframe)).toMatchObject([{ entNum: 48727, score: 1, type: "aircraft" }]);
  });

  it.each([
    ["another registration", { registration: "EPPUT", icao24: "7342b4" }],
    ["another make with the same serial number", { serialNumber: "1023409321", manufacturer: "CESSNA", model: "172" }],
    ["no facts", { registration: null, icao24: null, serialNumber: null }],
  ])("is not found by %s", async (_, airframe) => {
    const listed = await building;
    expect(listed.airframe(airframe)).toEqual([]);
  });
});
