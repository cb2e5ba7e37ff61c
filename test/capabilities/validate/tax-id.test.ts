import { describe, expect, it } from "vitest";
import { validateTaxId } from "../../../src/capabilities/validate/index.js";

async function check(country: string, value: string, kind?: string) {
  const { items } = await validateTaxId({ country, value, ...(kind ? { kind } : {}) });
  return items[0];
}

describe("validate.tax-id", () => {
  it("tells what a number is", async () => {
    expect(await check("de", "DE 136 695 976", "vat")).toEqual({
      country: "DE",
      valid: true,
      matches: [
        {
          kind: "vat",
          name: "Umsatzsteuer-Identifikationsnummer",
          type: "vat",
          normalized: "136695976",
          formatted: "136695976",
          details: {},
        },
      ],
      reason: null,
      registerAsked: false,
    });
  });

  it("tries all kinds of taxpayers' numbers, if none is named", async () => {
    const found = await check("BR", "390.533.447-05");
    expect(found?.matches.map(({ kind, type, formatted }) => [kind, type, formatted])).toEqual([
      ["cpf", "person", "390.533.447-05"],
    ]);
    expect(await check("BR", "12. ABC.345 /01DE–35")).toMatchObject({ valid: true, matches: [{ kind: "cnpj" }] });
    expect((await check("NL", "2601 DC"))?.valid).toBe(false);
  });

  it.each([
    ["AT", "ATU13585627"],
    ["FR", "FR40303265045"],
    ["CH", "CHE-107.787.577 IVA"],
    ["EL", "EL 094259216"],
    ["XI", "XI 980780684"],
    ["IN", "27AAPFU0939F1ZV"],
  ])("knows by vat what %s calls its VAT number", async (country, value) => {
    expect(await check(country, value, "vat")).toMatchObject({ valid: true, matches: [{ type: "vat" }] });
  });

  it.each([
    ["DE", "136695977", "vat", "checksum"],
    ["DE", "13669597", "vat", "length"],
    ["US", "078-05-1120", "ssn", "component"],
    ["US", "1112-23333", "ssn", "format"],
    ["DE", "136695977", undefined, "checksum"],
  ])("answers of %s %s as %s that its %4$s is wrong", async (country, value, kind, reason) => {
    expect(await check(country, value, kind)).toMatchObject({ valid: false, matches: [], reason });
  });

  it.each([
    [{ country: "DE", value: "" }, "value"],
    [{ country: "DE", value: "1".repeat(65) }, "value"],
    [{ country: "AQ", value: "1" }, "country"],
    [{ country: "DEU", value: "1" }, "country"],
    [{ country: "DE", kind: "ssn", value: "1" }, "kind"],
    [{ country: "DE", kind: "constructor", value: "1" }, "kind"],
    [{ value: "1" }, "country"],
  ])("refuses %j", async (input, path) => {
    await expect(validateTaxId(input as { country: string; value: string })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path }],
    });
  });
});
