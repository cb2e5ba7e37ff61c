import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { textRedact } from "../../../src/capabilities/text/redact.js";
import { redact as redactHere } from "../../../src/engines/pii/redaction.js";
import { pathFromRoot } from "../../support/render-indexes.js";

type Input = Parameters<typeof textRedact>[0];
const redact = async (input: Input) => (await textRedact(input)).items[0];

test("replaces what has a fixed format, and tells where it stood", async () => {
  const text = "Card 4111 1111 1111 1111, write to ada@example.com";
  await expect(redact({ text })).resolves.toEqual({
    text: "Card [CREDIT_CARD], write to [EMAIL]",
    count: 2,
    findings: [
      { type: "credit_card", start: 5, end: 24, confidence: "checksum" },
      { type: "email", start: 35, end: 50, confidence: "pattern" },
    ],
    complete: false,
  });
});

test.each<[NonNullable<Input["types"]>[number], string]>([
  ["credit_card", "371449635398431"],
  ["iban", "DE89 3704 0044 0532 0130 00"],
  ["phone", "+49 30 1234567"],
  ["phone", "(415) 555-0132"],
  ["phone", "415-555-0132"],
  ["ip_address", "192.168.0.1"],
  ["ip_address", "2400:c401::5054:ff:fe1b:b031"],
  ["mac", "00:1B:44:11:3A:B7"],
  ["crypto_address", "16Yeky6GMjeNkAiNcBY7ZhrLoMSgg1BoyZ"],
  ["crypto_address", "bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297"],
  ["us_ssn", "078-05-1123"],
  ["tax_id", "DE136695976"],
  ["secret", "AKIAIOSFODNN7EXAMPLE"],
  ["secret", `ghp_${"a1".repeat(18)}`],
  ["secret", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.abc-_123"],
  ["url", "https://example.com/a?b=c"],
])("%s: %s", async (type, value) => {
  const text = `before ${value}, after`;
  await expect(redact({ text })).resolves.toMatchObject({
    text: `before [${type.toUpperCase()}], after`,
    findings: [{ type, start: 7, end: 7 + value.length }],
  });
});

test.each([
  ["SSN 536902399", "SSN [US_SSN]"],
  ["ssn: 536902399.", "ssn: [US_SSN]."],
  ['{"ssn":"536902399"}', '{"ssn":"[US_SSN]"}'],
  ["employee_ssn=536902399", "employee_ssn=[US_SSN]"],
  ["S.S.N. #536902399", "S.S.N. #[US_SSN]"],
  ["Her Social Security number is 536902399", "Her Social Security number is [US_SSN]"],
  ["social-security no. (no dashes) 536902399", "social-security no. (no dashes) [US_SSN]"],
  ["536902399 (SSN)", "[US_SSN] (SSN)"],
  ["SSN536902399", "SSN[US_SSN]"],
  ["ssn_536902399", "ssn_[US_SSN]"],
  ["SSN-536902399", "SSN-[US_SSN]"],
  ["SS# 536902399", "SS# [US_SSN]"],
  ["ssn1: 536902399", "ssn1: [US_SSN]"],
  ["SSN:\n  536902399", "SSN:\n  [US_SSN]"],
  ["Social Security Number\r\n536902399", "Social Security Number\r\n[US_SSN]"],
  ["SSNs 536902399, 536902398 and 536902397", "SSNs [US_SSN], [US_SSN] and [US_SSN]"],
])("nine digits beside the words: %s", async (text, redacted) => {
  await expect(redact({ text, types: ["us_ssn"] })).resolves.toMatchObject({ text: redacted });
});

test.each([
  "order 536902399",
  "assn 536902399",
  "SSN 000902399",
  "SSN 5369023990",
  "SSN below\n536902399",
  "No SSN given; invoice 536902399",
  "SSN on file, order no. 536902399",
  "SSN unknown. Routing number: 536902399",
  "a :: b, std::vector",
])("nine digits, or a mark of code, that are none: %j", async (text) => {
  await expect(redact({ text, types: ["us_ssn", "ip_address"] })).resolves.toMatchObject({ text, count: 0 });
});

test.each([
  "4012-8888-8888-1882",
  "16Yeky6GMjeNkAiNcBY7ZhrLoMSgg1BoyZ2",
  "my ip: 192.168.0",
  "078-05-0000",
  "693-09.4444",
])("leaves %s as it is", async (text) => {
  await expect(redact({ text })).resolves.toMatchObject({ text, count: 0 });
});

test.each([
  ["VAT DE136695976", "DE136695976", "checksum"],
  ["TVA FR40303265045", "FR40303265045", "checksum"],
  ["EIN: 12-3456789", "12-3456789", "pattern"],
  ["Employer Identification Number 12-3456789", "12-3456789", "pattern"],
  ["CPF 390.533.447-05", "390.533.447-05", "checksum"],
  ["CNPJ 16.727.230/0001-97", "16.727.230/0001-97", "checksum"],
  ["UID CHE-107.787.577", "CHE-107.787.577", "checksum"],
  ["nata RCCMNL83S18D969H a", "RCCMNL83S18D969H", "checksum"],
  ["Steuer-ID: 36 574 261 809", "36 574 261 809", "checksum"],
  ["mi DNI es 54362315K", "54362315K", "checksum"],
  ["PESEL 44051401359", "44051401359", "checksum"],
  ["ABN 83 914 571 673", "83 914 571 673", "checksum"],
])("a tax number by its check, or by the words before it: %s", async (text, value, confidence) => {
  const start = text.indexOf(value);
  await expect(redact({ text, types: ["tax_id"] })).resolves.toMatchObject({
    findings: [{ type: "tax_id", start, end: start + value.length, confidence }],
  });
});

test.each([
  "order DE136695978",
  "part 12-3456789",
  "CPF 390.533.447-06",
  "CNPJ 16.727.230/0001-98",
  "Steuer-ID: 36 574 261 890",
  "call 44051401359",
  "article 54362315K",
  "PESEL 44051401358",
  "FI12345678 and SI12345678",
])("an ordinary number is none of tax: %s", async (text) => {
  await expect(redact({ text, types: ["tax_id"] })).resolves.toMatchObject({ text, count: 0 });
});

test("finds a tenth of the numbers that only look like those of VAT, and none without words", async () => {
  let seed = 1;
  const digits = (count: number) =>
    Array.from({ length: count }, () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % 10;
    }).join("");
  const count = async (make: () => string) =>
    (await redact({ text: Array.from({ length: 1_000 }, make).join("\n"), types: ["tax_id"] }))?.count;
  expect(await count(() => `DE${digits(9)}`)).toBeLessThan(130);
  expect(await count(() => `IT${digits(11)}`)).toBeLessThan(130);
  expect(await count(() => `${digits(2)}-${digits(7)}`)).toBe(0);
  expect(await count(() => digits(11))).toBe(0);
});

test("finds what presidio finds in at least 509 of its 512 texts, at the same places", async () => {
  const [, ...lines] = readFileSync(pathFromRoot("test/suites/presidio.jsonl"), "utf8").trim().split("\n");
  type Row = [of: string, type: NonNullable<Input["types"]>[number], text: string, count: number, places: unknown];
  const rows = lines.map((line) => JSON.parse(line) as Row).filter(([, type]) => type !== "tax_id");
  const place = (text: string, unit: number) => [...text.slice(0, unit)].length;
  let right = 0;
  for (const [, type, text, count, places] of rows) {
    const { findings } = await redactHere({ text, types: [type], replace: "label", keep: 0, now: new Date(0) });
    const found = findings.map(({ start, end }) => [place(text, start), place(text, end)]);
    if (found.length === count && (places === null || JSON.stringify(found) === JSON.stringify(places))) right++;
  }
  expect([rows.length, right >= 509]).toEqual([512, true]);
});

test("masks, hashes, and keeps the last characters, at most half", async () => {
  const text = "4111111111111111 a@b.co 4111111111111111";
  const types: Input["types"] = ["credit_card"];
  await expect(redact({ text, types, replace: "mask", keep: 4 })).resolves.toMatchObject({
    text: "************1111 a@b.co ************1111",
  });
  const { text: hashed = "" } = (await redact({ text, types, replace: "hash" })) ?? {};
  expect(hashed).toMatch(/^(\[CREDIT_CARD:[0-9a-f]{16}\]) a@b\.co \1$/);
  await expect(redact({ text: "a@b.co", keep: 8 })).resolves.toMatchObject({ text: "[EMAIL .co]" });
});

test.each([
  "a.",
  "a@",
  "1 ",
  "4111 ",
  "a@b.",
  "http://",
  "eyJ",
  "-----BEGIN PRIVATE KEY-----",
  "00:",
  "xoxb-",
  "+1 2",
  "bc1q",
  "DE13669597",
  "DE136695976 ",
  "12-3456789 ",
  "NIP 1 2 3 ",
  "123.456.789-",
])("near misses of %j end", async (piece) => {
  const text = piece.repeat(Math.floor(200_000 / piece.length));
  expect((await redact({ text }))?.complete).toBe(false);
});

test.each<[string, Input]>([
  ["text", { text: "" }],
  ["text", { text: "a".repeat(500_001) }],
  ["types", { text: "a", types: [] }],
  ["keep", { text: "a", keep: -1 }],
])("refuses %s", async (path, input) => {
  await expect(redact(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
});
