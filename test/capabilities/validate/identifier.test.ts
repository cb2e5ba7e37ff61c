import { describe, expect, it } from "vitest";
import { validateIdentifier } from "../../../src/capabilities/validate/index.js";

type Input = Parameters<typeof validateIdentifier>[0];

async function check(kind: Input["kind"], value: string) {
  const { items } = await validateIdentifier({ kind, value });
  return items[0];
}

/** Examples that the standards and their agencies publish. */
const RIGHT: [Input["kind"], string, string][] = [
  ["bic", "deut de ff", "DEUTDEFF"],
  ["lei", "INR2EJN1ERAN0W5ZP974", "INR2EJN1ERAN0W5ZP974"],
  ["isin", "us0378331005", "US0378331005"],
  ["cusip", "037833100", "037833100"],
  ["figi", "BBG000BLNQ16", "BBG000BLNQ16"],
  ["aba", "021000021", "021000021"],
  ["gtin", "4006381333931", "4006381333931"],
  ["gln", "4012345000009", "4012345000009"],
  ["sscc", "1 0614141 123456789 7", "106141411234567897"],
  ["isbn", "978-0-306-40615-7", "9780306406157"],
  ["isbn", "0-306-40615-2", "0306406152"],
  ["issn", "0378-5955", "03785955"],
  ["ismn", "979-0-2600-0043-8", "9790260000438"],
  ["isni", "0000 0001 2103 2683", "0000000121032683"],
  ["orcid", "https://orcid.org/0000-0002-1825-0097", "0000000218250097"],
  ["doi", "https://doi.org/10.1000/182", "10.1000/182"],
  ["imei", "49-015420-323751-8", "490154203237518"],
  ["imo", "IMO 9074729", "9074729"],
  ["vin", "1M8GDM9AXKP042788", "1M8GDM9AXKP042788"],
  ["luhn", "4111 1111 1111 1111", "4111111111111111"],
  ["iso6346", "CSQU 305438 3", "CSQU3054383"],
  ["rf", "RF18 5390 0754 7034", "RF18539007547034"],
  ["isrc", "US-RC1-76-07839", "USRC17607839"],
  ["eic", "10X1001A1001A450", "10X1001A1001A450"],
  ["leitweg", "991-03730-19", "991-03730-19"],
  ["cas", "7732-18-5", "7732-18-5"],
  ["ecnumber", "200-001-8", "200-001-8"],
  ["mac", "00-1B-63-84-45-E6", "00:1b:63:84:45:e6"],
  ["isil", "DE-1", "DE-1"],
  ["grid", "A1-2425G-ABC1234002-M", "A12425GABC1234002M"],
];

describe("validate.identifier", () => {
  it("answers with the normal form, the usual form and the parts", async () => {
    const { items, meta } = await validateIdentifier({ kind: "isin", value: "us 0378331005" });
    expect(items).toEqual([
      {
        kind: "isin",
        value: "us 0378331005",
        valid: true,
        normalized: "US0378331005",
        formatted: "US0378331005",
        reason: null,
        details: { country: "US", nationalNumber: "037833100", checkDigit: "5" },
        registerAsked: false,
      },
    ]);
    expect(meta).toMatchObject({ method: { engine: "built-in" } });
  });

  it.each(RIGHT)("takes the %s %s", async (kind, value, normalized) => {
    expect(await check(kind, value)).toMatchObject({ valid: true, normalized, reason: null });
  });

  it.each([
    ["gtin", "4006381333932", "checksum"],
    ["gtin", "40063813339", "length"],
    ["gtin", "400638133393A", "format"],
    ["bic", "DEUTXXFF", "component"],
    ["isin", "US0378331006", "checksum"],
    ["isin", "", "length"],
    ["vin", "1M8GDM9A1KP042788", "checksum"],
    ["vin", "IM8GDM9AXKP042788", "format"],
    ["orcid", "0000-0002-1825-0098", "checksum"],
    ["doi", "11.1000/182", "format"],
    ["luhn", "4111111111111112", "checksum"],
  ] as const)("answers of the %s %s that its %s is wrong", async (kind, value, reason) => {
    expect(await check(kind, value || " US ")).toMatchObject({ valid: false, reason, normalized: null });
  });

  it("reads digits of other scripts and dashes of all kinds", async () => {
    expect(await check("isbn", "９７８–0—306‑40615−7")).toMatchObject({ valid: true, normalized: "9780306406157" });
    expect(await check("gtin", "٤٠٠٦٣٨١٣٣٣٩٣١")).toMatchObject({ valid: true, normalized: "4006381333931" });
  });

  it.each([
    [{ kind: "isin", value: "" }, "value"],
    [{ kind: "isin", value: "  " }, "value"],
    [{ kind: "isin", value: "1".repeat(65) }, "value"],
    [{ kind: "shoe-size", value: "42" }, "kind"],
    [{ kind: "constructor", value: "42" }, "kind"],
  ])("refuses %j", async (input, path) => {
    await expect(validateIdentifier(input as Input)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path }],
    });
  });
});
