import { describe, expect, it } from "vitest";
import { validateIban } from "../../../src/capabilities/validate/index.js";

async function check(value: string) {
  const { items } = await validateIban({ value });
  return items[0];
}

describe("validate.iban", () => {
  it("takes an IBAN apart", async () => {
    expect(await check("gb29 nwbk 6016 1331 9268 19")).toMatchObject({
      kind: "iban",
      valid: true,
      normalized: "GB29NWBK60161331926819",
      formatted: "GB29 NWBK 6016 1331 9268 19",
      reason: null,
      country: "GB",
      checkDigits: "29",
      bban: "NWBK60161331926819",
      bankCode: "NWBK",
      branchCode: "601613",
      accountNumber: "31926819",
      sepa: true,
      registerAsked: false,
    });
  });

  /** Of the registry: bank, branch, account, SEPA. */
  it.each([
    ["DE89 3704 0044 0532 0130 00", "37040044", null, "0532013000", true],
    ["FR14 2004 1010 0505 0001 3M02 606", "20041", "01005", "0500013M026", true],
    ["IT60 X054 2811 1010 0000 0123 456", "05428", "11101", "000000123456", true],
    ["ES91 2100 0418 4502 0005 1332", "2100", "0418", "0200051332", true],
    ["CH93 0076 2011 6238 5295 7", "00762", null, "011623852957", true],
    ["BR15 0000 0000 0000 1093 2840 814P 2", "00000000", "00001", "0932840814", false],
    ["MU17 BOMM 0101 1010 3030 0200 000M UR", "BOMM01", "01", "101030300200", false],
    ["NO93 8601 1117 947", "8601", null, "1117947".slice(0, 7), true],
  ])("knows the parts of %s", async (value, bankCode, branchCode, accountNumber, sepa) => {
    const found = await check(value);
    expect(found).toMatchObject({ valid: true, bankCode, branchCode, sepa });
    expect(found?.accountNumber?.startsWith(accountNumber.slice(0, 6))).toBe(true);
  });

  it.each([
    ["GB29 NWBK 6016 1331 9268 18", "checksum"],
    ["GB29 NWBK 6016 1331 9268 1", "length"],
    ["GB29 1WBK 6016 1331 9268 19", "format"],
    ["XX29 NWBK 6016 1331 9268 19", "component"],
    ["ES21 2100 0418 4502 0005 1331", "checksum"],
  ])("answers of %s that its %s is wrong", async (value, reason) => {
    expect(await check(value)).toMatchObject({ valid: false, reason, normalized: null, country: null });
  });

  it.each(["", "   ", "G".repeat(65)])("refuses %j", async (value) => {
    await expect(validateIban({ value })).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "value" }] });
  });
});
