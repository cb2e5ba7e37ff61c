import { describe, expect, it } from "vitest";
import { countryLookup } from "../../../src/capabilities/country/lookup.js";

const noNetwork: typeof globalThis.fetch = () => Promise.reject(new Error("no request is needed"));
const ask = (input: Parameters<typeof countryLookup>[0]) => countryLookup(input, { fetch: noNetwork });
const codes = async (input: Parameters<typeof countryLookup>[0]) => (await ask(input)).items.map((item) => item.alpha2);
const one = async (alpha2: string) => (await ask({ alpha2 })).items[0];

describe("country.lookup", () => {
  it("gives a country by its code, without asking anybody", async () => {
    const { items, total, source } = await ask({ alpha2: "fi" });
    expect(total).toBe(1);
    expect(source).toEqual({
      provider: "mledoze/countries (world-countries)",
      url: "https://github.com/mledoze/countries",
      license: "ODbL-1.0",
      attribution: expect.stringContaining("Open Database License"),
    });
    expect(items).toEqual([
      {
        alpha2: "FI",
        alpha3: "FIN",
        numeric: "246",
        cioc: "FIN",
        commonName: "Finland",
        officialName: "Republic of Finland",
        nativeNames: [
          { lang: "fin", common: "Suomi", official: "Suomen tasavalta" },
          { lang: "swe", common: "Finland", official: "Republiken Finland" },
        ],
        altSpellings: ["FI", "Suomi", "Republic of Finland", "Suomen tasavalta", "Republiken Finland"],
        capital: ["Helsinki"],
        region: "Europe",
        subregion: "Northern Europe",
        continents: null,
        independent: true,
        status: "officially-assigned",
        unMember: true,
        unRegionalGroup: "Western European and Others Group",
        currencies: [{ code: "EUR", name: "Euro", symbol: "€" }],
        languages: [
          { code: "fin", name: "Finnish" },
          { code: "swe", name: "Swedish" },
        ],
        callingCodes: ["+358"],
        tld: [".fi"],
        borders: ["NOR", "SWE", "RUS"],
        area: 338424,
        latitude: 64,
        longitude: 26,
        landlocked: false,
        demonym: "Finnish",
        flagEmoji: "🇫🇮",
        flagSvg: "https://flagcdn.com/fi.svg",
        population: null,
        timezones: null,
      },
    ]);
  });

  it("has nulls and empty lists where there is nothing to say", async () => {
    expect(await one("XK")).toMatchObject({ numeric: null, independent: null, unRegionalGroup: null });
    expect(await one("AQ")).toMatchObject({ capital: [], currencies: [], callingCodes: [], subregion: null });
    expect(await one("BV")).toMatchObject({ demonym: null });
    expect(await one("SJ")).toMatchObject({ area: null });
    expect(await one("ZA")).toMatchObject({ capital: { length: 3 } });
  });

  it("mends what the data set lacks", async () => {
    expect((await one("FM"))?.currencies).toEqual([{ code: "USD", name: "United States dollar", symbol: "$" }]);
    expect((await one("BQ"))?.flagEmoji).toBe("🇧🇶");
  });

  it.each([
    ["BG", ["EUR"]],
    ["HR", ["EUR"]],
    ["SL", ["SLE"]],
    ["CW", ["XCG"]],
    ["SX", ["XCG"]],
    ["ZW", ["ZWG"]],
    ["CU", ["CUP"]],
  ])("knows what is paid with in %s today", async (alpha2, expected) => {
    expect((await one(alpha2))?.currencies.map(({ code }) => code)).toEqual(expected);
  });

  it("knows no border across the sea", async () => {
    expect((await one("LK"))?.borders).toEqual([]);
  });

  it.each([
    ["SE", ["+46"]],
    ["US", ["+1"]],
    ["CA", ["+1"]],
    ["RU", ["+7"]],
    ["DO", ["+1809", "+1829", "+1849"]],
  ])("gives the calling codes of %s and not those of its areas", async (alpha2, callingCodes) => {
    expect((await one(alpha2))?.callingCodes).toEqual(callingCodes);
  });

  it.each([
    ["germany", ["DE"]],
    ["Deutschland", ["DE"]],
    ["swede", ["SE"]],
    ["korea", ["KP", "KR"]],
    ["guinea", ["GN", "GW", "GQ", "PG"]],
    ["niger", ["NE", "NG"]],
    ["united states", ["US", "UM", "VI"]],
    ["Côte d’Ivoire", ["CI"]],
    ["cote d'ivoire", ["CI"]],
    ["日本", ["JP"]],
    ["UK", ["GB"]],
    ["  FRANCE ", ["FR"]],
    ["Stati Uniti", ["US"]],
    ["США", ["US"]],
    ["Países Baixos", ["NL"]],
    ["多米尼加共和国", ["DO"]],
    ["多明尼加共和國", ["DO"]],
    ["Ηνωμένο Βασίλειο", ["GB"]],
    ["ประเทศไทย", ["TH"]],
    ["Türkiye", ["TR"]],
    ["turkey", ["TR"]],
    ["Trinidad & Tobago", ["TT"]],
    ["trinidad and tobago", ["TT"]],
    ["St. Lucia", ["LC"]],
    ["St Vincent & the Grenadines", ["VC"]],
    ["Saint Kitts and Nevis", ["KN"]],
    ["Sao Tome and Principe", ["ST"]],
    ["Timor Leste", ["TL"]],
    ["Guinea Bissau", ["GW"]],
    ["the Netherlands", ["NL"]],
    ["Österreich", ["AT"]],
    ["Osterreich", ["AT"]],
    ["Danmark", ["DK"]],
    ["Myanmar", ["MM"]],
    ["Burma", ["MM"]],
  ])("finds %s by a part of a name, best match first", async (name, expected) => {
    const found = await codes({ name });
    expect(found.slice(0, expected.length)).toEqual(expected);
  });

  it.each([
    ["korea", 2],
    ["guinea", 4],
    ["niger", 2],
    ["congo", 2],
    ["日本", 1],
    ["cote d'ivoire", 1],
  ])("finds no more than it should for %s", async (name, count) => {
    expect(await ask({ name })).toMatchObject({ total: count, items: { length: count } });
  });

  it("gives all countries of one name, and no country of another's name", async () => {
    expect(await codes({ name: "Wybrzeże Kości Słoniowej" })).toEqual(["CI"]);
    expect(await codes({ name: "Guiana", fullText: true })).toEqual(["GY", "GF"]);
    expect(await codes({ name: "Kongo", fullText: true })).toEqual(["CG", "CD"]);
    expect(await codes({ name: "die Schweiz" })).toEqual(["CH"]);
    expect(await one("GF")).toMatchObject({ officialName: "French Guiana" });
  });

  it.each([
    ["niger", ["NE"]],
    ["guinea", ["GN"]],
    ["united states", ["US"]],
    ["Suomi", ["FI"]],
    ["republic of finland", ["FI"]],
  ])("finds %s alone when the whole name is asked for", async (name, expected) => {
    expect(await codes({ name, fullText: true })).toEqual(expected);
  });

  it("wants everything that is given to hold", async () => {
    expect(await codes({ alpha2: "NG", name: "niger" })).toEqual(["NG"]);
    expect(await codes({ alpha2: "FI", alpha3: "fin" })).toEqual(["FI"]);
    await expect(ask({ alpha2: "FI", alpha3: "SWE" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it.each([
    { alpha2: "ZZ" },
    { alpha3: "ZZZ" },
    { name: "zzzz" },
    { name: "german", fullText: true },
    { name: "Deutschland!", fullText: true },
  ])("says that nothing matches %j", async (input) => {
    await expect(ask(input)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it.each([
    ["", {}],
    ["", { fullText: true }],
    ["alpha2", { alpha2: "USA" }],
    ["alpha2", { alpha2: "ı1" }],
    ["alpha3", { alpha3: "FI" }],
    ["name", { name: "F" }],
    ["name", { name: " a " }],
    ["name", { name: "\u0301\u0301\u0301" }],
    ["name", { name: "x".repeat(81) }],
  ])("refuses a wrong %s: %j", async (path, input) => {
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
  });

  it("gives each caller a copy", async () => {
    const first = await one("FI");
    first?.capital.push("Turku");
    expect((await one("FI"))?.capital).toEqual(["Helsinki"]);
  });
});
