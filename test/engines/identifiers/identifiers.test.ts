import { describe, expect, test } from "vitest";
import { readBusinessId } from "../../../src/engines/identifiers/business-id.js";
import { padCik, readCik } from "../../../src/engines/identifiers/cik.js";
import { formatCnpj, readCnpj } from "../../../src/engines/identifiers/cnpj.js";
import { readCompanyNumber } from "../../../src/engines/identifiers/company-number.js";
import { readIsin } from "../../../src/engines/identifiers/isin.js";
import { readKrs } from "../../../src/engines/identifiers/krs.js";
import { readLei } from "../../../src/engines/identifiers/lei.js";
import { readOrganizationNumber } from "../../../src/engines/identifiers/organization-number.js";
import { readSiren, readSiret } from "../../../src/engines/identifiers/siren.js";

/** What is written, and what it is in its canonical form. */
const CASES: [name: string, read: (text: string) => string | undefined, good: Record<string, string>, bad: string[]][] =
  [
    [
      "LEI",
      readLei,
      { INR2EJN1ERAN0W5ZP974: "INR2EJN1ERAN0W5ZP974", " 5493001kjtiigc8y1r12 ": "5493001KJTIIGC8Y1R12" },
      ["INR2EJN1ERAN0W5ZP975", "INR2EJN1ERAN0W5ZP9", "INR2EJN1ERAN0W5ZP97A", ""],
    ],
    [
      "ISIN",
      readIsin,
      {
        US0378331005: "US0378331005",
        de0005773303: "DE0005773303",
        US35546M1080: "US35546M1080",
        XS0203470157: "XS0203470157",
      },
      ["US0378331006", "0378331005", "U10378331005", "US03783310050", "QQ0378331003", "ZZ0000000008"],
    ],
    [
      "CNPJ",
      readCnpj,
      {
        "33.683.111/0002-80": "33683111000280",
        "19131243000197": "19131243000197",
        // The example of Receita Federal's note on the form with letters.
        "12.abc.345/01DE-35": "12ABC34501DE35",
        "00.000.000/0000-00": "00000000000000",
      },
      ["12345678901234", "33683111000281", "33683111000208", "3368311100028", "12ABC34501DE3X"],
    ],
    [
      "SIREN",
      readSiren,
      { "356 000 000": "356000000", "130025265": "130025265" },
      ["123456789", "13002526", "A30025265"],
    ],
    [
      "SIRET",
      readSiret,
      { "130 025 265 00013": "13002526500013", "35600000000048": "35600000000048", "35600000049837": "35600000049837" },
      ["13002526500014", "12345678900003", "35600000049838", "35600000000055"],
    ],
    ["KRS number", readKrs, { " 0000030897 ": "0000030897" }, ["30897", "00000308970", "000003089A"]],
    [
      "CIK",
      readCik,
      { "320193": "320193", "0000320193": "320193", cik0000320193: "320193" },
      ["0", "12345678901", "AAPL"],
    ],
    ["Y-tunnus", readBusinessId, { "0112038-9": "0112038-9", "2646674-9": "2646674-9" }, ["0112038-8", "01120389"]],
    [
      "organisation number",
      readOrganizationNumber,
      { "923 609 016": "923609016", "976030788": "976030788" },
      ["123456789", "923609017", "92360901"],
    ],
    [
      "company number",
      readCompanyNumber,
      {
        "445790": "00445790",
        sc45551: "SC045551",
        " FC040879": "FC040879",
        IP12345R: "IP12345R",
        R0000123: "R0000123",
      },
      ["123456789", "SC", "SC0455511", "../1", "ABC12345"],
    ],
  ];

describe.each(CASES)("%s", (_, read, good, bad) => {
  test.each(Object.entries(good))("%j is %s", (written, canonical) => {
    expect(read(written)).toBe(canonical);
  });

  test.each(bad)("%j is none", (text) => {
    expect(read(text)).toBeUndefined();
  });
});

test("a CNPJ and a CIK in the forms that people and addresses have", () => {
  expect(formatCnpj("12ABC34501DE35")).toBe("12.ABC.345/01DE-35");
  expect(padCik("320193")).toBe("0000320193");
});

test.each([
  ["LEI", readLei, "INR2EJN1ERAN0W5ZP974"],
  ["ISIN", readIsin, "US0378331005"],
  ["CNPJ", readCnpj, "33683111000280"],
] as const)("every digit of an %s that is another one is found out", (_, read, id) => {
  for (let place = 0; place < id.length; place++) {
    const digit = Number(id[place]);
    if (Number.isNaN(digit)) continue;
    const other = id.slice(0, place) + ((digit + 1) % 10) + id.slice(place + 1);
    expect(read(other), other).toBeUndefined();
  }
});
