import { describe, expect, it } from "vitest";
import { addressFormat } from "../../../src/capabilities/address/index.js";

type Input = Parameters<typeof addressFormat>[0];

async function format(input: Input) {
  const { items } = await addressFormat(input);
  return items[0];
}

/** Of google/libaddressinput e20690c, cpp/test/address_formatter_test.cc (Apache-2.0). */
const GOOGLE: [Input, string[], string?][] = [
  [
    { country: "NZ", street: ["Rotopapa", "Irwell 3RD"], city: "Leeston", postalCode: "8704" },
    ["Rotopapa", "Irwell 3RD", "Leeston 8704"],
    "Rotopapa, Irwell 3RD, Leeston 8704",
  ],
  [
    {
      ...{ country: "NZ", street: ["Rotopapa", "Irwell 3RD"], city: "Leeston", postalCode: "8704" },
      language: "en-Latn-CN",
    },
    ["Rotopapa", "Irwell 3RD", "Leeston 8704"],
  ],
  [
    {
      ...{ country: "TW", street: ["台灣信義路三段33號"], state: "台北市", city: "大安區", postalCode: "106" },
      language: "zh-Hant",
    },
    ["106", "台北市大安區", "台灣信義路三段33號"],
    "106台北市大安區台灣信義路三段33號",
  ],
  [
    {
      ...{ country: "TW", street: ["No. 33, Section 3 Xinyi Rd"], state: "Taipei City", city: "Da-an District" },
      ...{ postalCode: "106", language: "zh-Latn" },
    },
    ["No. 33, Section 3 Xinyi Rd", "Da-an District, Taipei City 106"],
    "No. 33, Section 3 Xinyi Rd, Da-an District, Taipei City 106",
  ],
  [
    {
      ...{ country: "CA", street: ["5 Rue du Tresor", "Apt. 4"], state: "QC", city: "Montmagny" },
      ...{ postalCode: "G1R 123", language: "fr" },
    },
    ["5 Rue du Tresor", "Apt. 4", "Montmagny QC G1R 123"],
  ],
  [
    { country: "CI", street: ["32 Boulevard Carde"], city: "Abidjan", sortingCode: "64", language: "zh-Hant" },
    ["64 32 Boulevard Carde Abidjan 64"],
  ],
  [{ country: "CH" }, []],
  [{ country: "CH", city: "Zurich" }, ["Zurich"]],
  [{ country: "CH", city: "Zurich", postalCode: "8001" }, ["CH-8001 Zurich"]],
  [{ country: "CH", postalCode: "8001" }, ["CH-8001"]],
  [{ country: "US", state: "CA" }, ["CA"]],
  [{ country: "US", state: "CA", city: "Los Angeles" }, ["Los Angeles, CA"]],
  [{ country: "US", state: "CA", city: "Los Angeles", postalCode: "90291" }, ["Los Angeles, CA 90291"]],
  [{ country: "US", city: "Los Angeles", postalCode: "90291" }, ["Los Angeles 90291"]],
  [{ country: "US", state: "CA", postalCode: "90291" }, ["CA 90291"]],
  [{ country: "AX" }, ["ÅLAND"]],
  [{ country: "AX", city: "City" }, ["City", "ÅLAND"]],
  [{ country: "AX", city: "City", postalCode: "123" }, ["AX-123 City", "ÅLAND"]],
  [{ country: "JP", language: "ja", postalCode: "123" }, ["〒123"]],
  [{ country: "JP", language: "ja", postalCode: "123", state: "Prefecture" }, ["〒123", "Prefecture"]],
  [{ country: "JP", language: "ja_Latn", street: ["Roppongi Hills"], state: "Tokyo" }, ["Roppongi Hills, Tokyo"]],
  [
    { country: "JP", language: "ja_Latn", street: ["Roppongi Hills", "Mori Tower"], state: "Tokyo" },
    ["Roppongi Hills", "Mori Tower, Tokyo"],
  ],
  [{ country: "CI", sortingCode: "123" }, ["123 123"]],
  [{ country: "CI", sortingCode: "123", street: ["456 Main St"] }, ["123 456 Main St 123"]],
  [
    { country: "CI", sortingCode: "123", street: ["456 Main St"], city: "Yamoussoukro" },
    ["123 456 Main St Yamoussoukro 123"],
  ],
  [{ country: "CI", street: ["456 Main St"], city: "Yamoussoukro" }, ["456 Main St Yamoussoukro"]],
];

/** The same file's street lines in one line; a country that starts with the street shows them alone. */
const IN_ONE_LINE: [string | undefined, string][] = [
  [undefined, "Line 1, Line 2"],
  ["en", "Line 1, Line 2"],
  ["zh-Hans", "Line 1Line 2"],
  ["ko", "Line 1 Line 2"],
  ["ar", "Line 1، Line 2"],
];

describe("address.format", () => {
  it("writes lines in the order of the country, and tells what is missing", async () => {
    expect(await format({ country: "us", name: "Ann Lee", street: ["1 Main St"], postalCode: "9029" })).toEqual({
      lines: ["Ann Lee", "1 Main St", "9029"],
      singleLine: "Ann Lee, 1 Main St, 9029",
      required: ["street", "city", "state", "postalCode"],
      missing: ["city", "state"],
      postalCodeValid: false,
      postalCodeExample: "95014",
      uppercase: ["city", "state"],
    });
  });

  it.each(GOOGLE)("writes %j as Google's code does", async (input, lines, singleLine) => {
    const found = await format(input);
    expect(found?.lines).toEqual(lines);
    if (singleLine) expect(found?.singleLine).toBe(singleLine);
  });

  it.each(IN_ONE_LINE)("divides lines as %s does", async (language, singleLine) => {
    const street = ["Line 1", "Line 2"];
    expect((await format({ country: "US", street, ...(language ? { language } : {}) }))?.singleLine).toBe(singleLine);
  });

  it.each([
    ["GB", "sw1a 2aa", true],
    ["GB", "SW1A", false],
    ["DE", "10115", true],
    ["DE", "1011", false],
    ["CA", "K1A 0B1", true],
    ["HK", "999077", null],
  ])("judges a postal code of %s: %s", async (country, postalCode, isValid) => {
    expect((await format({ country, postalCode }))?.postalCodeValid).toBe(isValid);
  });

  it("takes what a form sends for fields that were left empty", async () => {
    const found = await format({ country: "DE", street: ["", " Hauptstr. 1 "], city: "", postalCode: "10115" });
    expect(found).toMatchObject({ lines: ["Hauptstr. 1", "10115"], missing: ["city"] });
  });

  it.each([
    [{ country: "DE", city: "x".repeat(101) }, "city"],
    [{ country: "DE", city: "Berlin\nBCC: a" }, "city"],
    [{ country: "DE", street: ["", "", "", "", "", ""] }, "street"],
    [{ country: "XX" }, "country"],
    [{ country: "JP", language: "%n" }, "language"],
  ])("refuses %j", async (input, path) => {
    await expect(addressFormat(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
  });
});
