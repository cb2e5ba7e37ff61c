import { describe, expect, test } from "vitest";
import { invoiceValidate } from "../../../src/capabilities/invoice/validate.js";
import { createContext } from "../../../src/capability/context.js";
import { businessCases } from "../../support/business-cases.js";

type Input = Parameters<typeof invoiceValidate>[0];
const example = (invoiceValidate.example as { text: string }).text;
const judge = async (input: Input) => {
  const [item] = (await invoiceValidate(input)).items;
  if (!item) throw new Error("no item");
  return item;
};
const refused = (input: Input) => invoiceValidate(input).catch((error: unknown) => error);
const line = /<cac:InvoiceLine>[\s\S]*?<\/cac:InvoiceLine>/.exec(example)?.[0] ?? "";
const ofLines = (count: number) => example.replace(line, () => line.repeat(count));

test("an invoice that keeps all rules is valid", async () => {
  expect(await judge({ text: example })).toMatchObject({
    ...{ format: "ubl", profile: "urn:cen.eu:en16931:2017", valid: true, failed: [], findings: [], rules: "en16931" },
    counts: { fatal: 0, warning: 0 },
    rulesVersion: expect.stringMatching(/^EN 16931 \d/),
  });
});

test("a rule that is broken is told with its words and its place", async () => {
  const verdict = await judge({ text: example.replace("<cbc:ID>R-100</cbc:ID>", "") });
  expect(verdict).toMatchObject({ valid: false, failed: ["BR-02"], counts: { fatal: 1 } });
  expect(verdict.findings).toEqual([
    { rule: "BR-02", flag: "fatal", text: "[BR-02]-An Invoice shall have an Invoice number (BT-1).", path: "/Invoice" },
  ]);
});

test("the place of a line has its number", async () => {
  const text = ofLines(2).replace(/<cbc:Name>Green tea<\/cbc:Name>(?![\s\S]*Green tea)/, "");
  const { findings } = await judge({ text });
  expect(findings.find(({ rule }) => rule === "BR-25")?.path).toBe("/Invoice/cac:InvoiceLine[2]");
});

test("a warning does not make an invoice invalid", async () => {
  const text = example.replace(
    "<cbc:CustomizationID>",
    "<cbc:UBLVersionID>2.3</cbc:UBLVersionID><cbc:CustomizationID>",
  );
  expect(await judge({ text })).toMatchObject({
    valid: true,
    failed: ["UBL-CR-002"],
    counts: { fatal: 0, warning: 1 },
  });
});

describe("XRechnung", () => {
  const [first] = businessCases();
  const { ubl = "", cii = "" } = first ?? {};

  test.each([
    ["UBL", ubl],
    ["CII", cii],
  ])("%s is judged by both sets of rules because of its identifier", async (_, text) => {
    expect(await judge({ text })).toMatchObject({
      valid: true,
      rules: "xrechnung",
      rulesVersion: expect.stringContaining("XRechnung"),
    });
  });

  test("without a reference of the buyer BR-DE-15 is broken", async () => {
    const { valid, failed } = await judge({ text: ubl.replace(/<cbc:BuyerReference>[^<]*<\/cbc:BuyerReference>/, "") });
    expect({ valid, failed }).toMatchObject({ valid: false, failed: expect.arrayContaining(["BR-DE-15"]) });
  });

  test("its rules are applied to another invoice where they are asked for", async () => {
    expect(await judge({ text: example, rules: "xrechnung" })).toMatchObject({
      valid: false,
      failed: expect.arrayContaining(["BR-DE-15", "BR-DE-2"]),
    });
    expect(await judge({ text: ubl, rules: "en16931" })).toMatchObject({ rules: "en16931", valid: true });
  });
});

describe("decimals", () => {
  const priced = example.replace(
    '<cbc:PayableAmount currencyID="EUR">119.00',
    '<cbc:PayableRoundingAmount currencyID="EUR">0.01</cbc:PayableRoundingAmount><cbc:PayableAmount currencyID="EUR">119.01',
  );

  test("336.9 and 0.01 are 336.91, also where XPath computes in binary", async () => {
    const text = priced
      .replaceAll(">100.00<", ">283.11<")
      .replaceAll(">19.00<", ">53.79<")
      .replace(">119.00<", ">336.9<")
      .replace(">119.01<", ">336.91<")
      .replace(">8<", ">1<")
      .replace(">12.50<", ">283.11<");
    expect(await judge({ text })).toMatchObject({ valid: true, failed: [] });
    expect((await judge({ text: text.replace(">336.91<", ">336.92<") })).failed).toEqual(["BR-CO-16"]);
  });

  test("two totals of the tax in one currency break BR-CO-15, though the first one adds up", async () => {
    const second = '<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">20.00</cbc:TaxAmount></cac:TaxTotal>';
    const text = example.replace("<cac:LegalMonetaryTotal>", `${second}<cac:LegalMonetaryTotal>`);
    expect((await judge({ text })).failed).toContain("BR-CO-15");
  });

  test("a base that is not the sum of its lines breaks BR-S-08", async () => {
    const text = example.replace('TaxableAmount currencyID="EUR">100.00', 'TaxableAmount currencyID="EUR">102.00');
    expect((await judge({ text })).failed).toContain("BR-S-08");
  });
});

test("an IBAN of 22 characters is checked digit by digit", async () => {
  const rule = async (text: string) => (await judge({ text, rules: "xrechnung" })).failed.includes("BR-DE-19");
  expect(await rule(example)).toBe(false);
  expect(await rule(example.replace("DE89370400440532013000", "DE89370400440532013001"))).toBe(true);
});

describe("price", () => {
  const quoted = (input: Input) => invoiceValidate.quote(input as never, createContext({}, { timeoutMs: 1_000 }));
  test.each([
    [1, 10_000n],
    [100, 10_000n],
    [101, 20_000n],
    [1_000, 100_000n],
  ])("%i lines", async (count, micros) => {
    const text = ofLines(count);
    expect(await quoted({ text })).toBe(micros);
    expect(await quoted({ file: Buffer.from(text).toString("base64") })).toBe(micros);
    expect(await quoted({ file: Buffer.from(`\uFEFF${text}`, "utf16le").toString("base64") })).toBe(micros);
  });

  test("lines that the price does not see are not judged", async () => {
    const text = ofLines(101).replaceAll("</cac:InvoiceLine>", `</cac:InvoiceLine${" ".repeat(20)}>`);
    expect(await refused({ text })).toMatchObject({ status: 400, issues: [{ path: "text" }] });
  });
});

describe("refusals", () => {
  test.each<[string, Input, string]>([
    ["nothing", { text: " " }, "text"],
    ["other XML", { text: "<html/>" }, "text"],
    ["1,001 lines", { text: ofLines(1_001) }, "text"],
    [
      "ZUGFeRD 1",
      { text: '<rsm:CrossIndustryDocument xmlns:rsm="urn:ferd:CrossIndustryDocument:invoice:1p0"/>' },
      "text",
    ],
    ["a prefix that nothing declares", { text: example.replace("xmlns:cac=", "xmlns:x=") }, "text"],
    ["a document type", { text: `<!DOCTYPE Invoice [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${example}` }, "text"],
    ["a set of rules that is none", { text: example, rules: "peppol" as never }, "rules"],
  ])("%s", async (_, input, path) => {
    expect(await refused(input)).toMatchObject({ status: 400, issues: [{ path }] });
  });

  test.each([
    ["nothing but its root", `${example.slice(0, example.indexOf(">") + 1)}</Invoice>`],
    ["a text that backtracks", example.replace("Green tea", `#SKONTO#${"1#".repeat(20_000)}`)],
    ["numbers that are none", example.replaceAll("100.00", "a lot")],
  ])("an answer for %s", async (_, text) => {
    const outcome = await judge({ text }).catch((error: unknown) => error);
    expect(outcome).toSatisfy(
      (one: { valid?: boolean; status?: number }) => one.valid === false || one.status === 400 || one.valid === true,
    );
  });

  const parts = (part: string, count: number) =>
    example.replace("<cac:InvoiceLine>", `${part.repeat(count)}<cac:InvoiceLine>`);
  test.each([
    ["beside its lines", parts("<cbc:PaymentID>1</cbc:PaymentID>", 2_500)],
    ["in its lines", example.replace("</cac:InvoiceLine>", `${"<cbc:Note/>".repeat(100_000)}</cac:InvoiceLine>`)],
  ])("more elements than rules can compare: %s", async (where, text) => {
    expect(await refused({ text })).toMatchObject({
      status: 400,
      issues: [{ path: "text", message: expect.stringContaining(where) }],
    });
  });

  const attached = (part: string) =>
    example.replace(
      "<cac:AccountingSupplierParty>",
      `<cac:AdditionalDocumentReference><cbc:ID>A</cbc:ID>${part}</cac:AdditionalDocumentReference><cac:AccountingSupplierParty>`,
    );
  test("more text than rules can compare, but for what is attached", async () => {
    const megabytes = "QUJD".repeat(1_250_000);
    const object = (digits: string) =>
      `<cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="text/csv" filename="a.csv">${digits}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment>`;
    expect(await judge({ text: attached(object(megabytes)) })).toMatchObject({ valid: true, failed: [] });
    const described = `<cbc:DocumentDescription>${megabytes}</cbc:DocumentDescription>`;
    for (const text of [attached(described), attached(object("").replace("a.csv", megabytes))])
      expect(await refused({ text })).toMatchObject({
        status: 400,
        issues: [{ path: "text", message: expect.stringContaining("characters beside its attachments") }],
      });
  });
});
