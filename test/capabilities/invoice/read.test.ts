import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { invoiceRead } from "../../../src/capabilities/invoice/read.js";
import { businessCases } from "../../support/business-cases.js";

type Input = Parameters<typeof invoiceRead>[0];
const example = (invoiceRead.example as { text: string }).text;
const read = async (input: Input) => {
  const [item] = (await invoiceRead(input)).items;
  if (!item) throw new Error("no item");
  return item;
};
const refused = (input: Input) => invoiceRead(input).catch((error: unknown) => error);

test("a UBL invoice with its parties, lines and sums", async () => {
  expect(await read({ text: example })).toMatchObject({
    ...{ container: "xml", syntax: "ubl", profile: "urn:cen.eu:en16931:2017", number: "R-100", typeCode: "380" },
    ...{ issueDate: "2026-02-01", dueDate: "2026-03-01", currency: "EUR", buyerReference: null, payee: null },
    seller: {
      name: "Tea Trade GmbH",
      vatId: "DE123456789",
      address: { city: "Berlin", postalCode: "10115", country: "DE" },
    },
    buyer: { name: "Coffee Shop AG" },
    payment: { means: "58", iban: "DE89370400440532013000", reference: "R-100" },
    vat: [{ category: "S", rate: "19", base: "100.00", amount: "19.00" }],
    totals: { lineNet: "100.00", taxExclusive: "100.00", tax: "19.00", prepaid: "0.00", payable: "119.00" },
    lines: [{ id: "1", name: "Green tea", quantity: "8", unit: "KGM", price: "12.50", net: "100.00", vatRate: "19" }],
    attachments: [],
    checks: [],
  });
});

describe("the same business case in UBL and CII gives the same answer", () => {
  /** Where the two files of a case state other facts: the path in the answer, with the values of UBL and of CII. */
  const OTHER_FACTS: Record<string, [path: string, ubl: unknown, cii: unknown][]> = {
    "01.20a-INVOICE": [
      ["seller.address.lines[0]", "[Seller street]", "[Street]"],
      ["seller.address.city", "[Seller city]", "[City]"],
    ],
    "01.21a-INVOICE": [
      ["seller.vatId", "DE 123456789", "DE152338654"],
      ["vat[0].exemptionReason", "Umkehrung der Steuerschuldnerschaft", "als gemeinnützig anerkannt"],
    ],
    // The city stands in PostalZone, and the postal code in CityName.
    "03.06a-INVOICE": [
      ["seller.address.city", "12345", "Testhausen"],
      ["seller.address.postalCode", "Testhausen", "12345"],
      ["buyer.address.city", "12345", "Testhausen"],
      ["buyer.address.postalCode", "Testhausen", "12345"],
    ],
    // CII has two more identifiers of the seller, and a registration of the payee.
    "03.07a-INVOICE": [
      ["seller.identifiers", ["987654321"], ["9876543217894897438", "748387437438", "987654321"]],
      ["payee.registration", null, "90000000-03083-72"],
    ],
  };

  const cases = businessCases();
  test.each(cases.map((one) => [one.name, one] as const))("%s", async (name, { ubl, cii }) => {
    const [first, second] = [await read({ text: ubl }), await read({ text: cii })];
    expect([first.syntax, second.syntax]).toEqual(["ubl", "cii"]);
    const left = { ...structuredClone(first), syntax: "" };
    const right = { ...structuredClone(second), syntax: "" };
    for (const [path, inUbl, inCii] of OTHER_FACTS[name] ?? []) {
      for (const value of new Set([inUbl].flat())) expect(ubl).toContain(value ?? "");
      for (const value of new Set([inCii].flat())) expect(cii).toContain(`>${value}<`);
      expect(left).toHaveProperty(path, inUbl);
      expect(right).toHaveProperty(path, inCii);
      putAt(left, path, null);
      putAt(right, path, null);
    }
    expect(left).toEqual(right);
  });

  test("in all pairs of the suite", () => {
    expect(cases).toHaveLength(33);
    expect(cases.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(OTHER_FACTS)));
  });
});

/** Writes to a path such as `vat[0].amount`. */
function putAt(object: object, path: string, value: unknown): void {
  const names = path.split(/\.|\[(\d+)\]\.?/).filter(Boolean);
  const last = names.pop() ?? "";
  const parent = names.reduce(
    (found, name) => found[name] as Record<string, unknown>,
    object as Record<string, unknown>,
  );
  parent[last] = value;
}

test("an amount has the digits of its currency, and a price all that count", async () => {
  const text = example.replace(">12.50<", ">12.500<").replaceAll(">119.00<", ">119<");
  expect(await read({ text })).toMatchObject({ totals: { payable: "119.00" }, lines: [{ price: "12.50" }] });
});

test("sums that do not add up are told with what they should be", async () => {
  const text = example.replace('PayableAmount currencyID="EUR">119.00', 'PayableAmount currencyID="EUR">191.00');
  expect((await read({ text })).checks).toEqual([{ field: "totals.payable", stated: "191.00", computed: "119.00" }]);
  const line = example.replace(">8<", ">9<");
  expect((await read({ text: line })).checks).toEqual([
    { field: "lines[0].net", stated: "100.00", computed: "112.50" },
  ]);
});

test("336.9 and 0.01 are 336.91", async () => {
  const rounded = example
    .replace('LineExtensionAmount currencyID="EUR">100.00', 'LineExtensionAmount currencyID="EUR">336.9')
    .replace('TaxInclusiveAmount currencyID="EUR">119.00', 'TaxInclusiveAmount currencyID="EUR">336.9')
    .replace(
      '<cbc:PayableAmount currencyID="EUR">119.00',
      '<cbc:PayableRoundingAmount currencyID="EUR">0.01</cbc:PayableRoundingAmount><cbc:PayableAmount currencyID="EUR">336.91',
    );
  const { checks, totals } = await read({ text: rounded });
  expect(totals).toMatchObject({ taxInclusive: "336.90", rounding: "0.01", payable: "336.91" });
  expect(checks.map(({ field }) => field)).not.toContain("totals.payable");
});

test("attachments are counted, not returned", async () => {
  const attached = `<cac:AdditionalDocumentReference><cbc:ID>A</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="text/csv" filename="hours.csv">${Buffer.from("a;b\n1;2").toString("base64")}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>`;
  const text = example.replace("<cac:AccountingSupplierParty>", `${attached}<cac:AccountingSupplierParty>`);
  const item = await read({ text });
  expect(item.attachments).toEqual([{ name: "hours.csv", mimeType: "text/csv", bytes: 7 }]);
  expect(JSON.stringify(item)).not.toContain(Buffer.from("a;b").toString("base64").slice(0, 3));
});

/** A PDF of these objects, without a table of their places, which nothing here reads. */
const pdf = (objects: string[]) =>
  Buffer.from(
    `%PDF-1.7\n${objects.map((body, at) => `${at + 1} 0 obj\n${body}\nendobj\n`).join("")}trailer\n<</Root 1 0 R>>\n%%EOF`,
    "latin1",
  );
const stream = (content: Buffer, entries = "") => {
  const packed = deflateSync(content);
  return `<</Filter/FlateDecode/Length ${packed.length} ${entries}>>stream\n${packed.toString("latin1")}\nendstream`;
};
const specification = (name: string, at: number) => `<</Type/Filespec/F(${name})/UF(${name})/EF<</F ${at} 0 R>>>>`;
const file = (bytes: Buffer) => ({ file: bytes.toString("base64") });

describe("an invoice in a PDF", () => {
  test("is found by its name, beside other files", async () => {
    const bytes = pdf([
      "<</Type/Catalog>>",
      ...[specification("hours.csv", 3), stream(Buffer.from("a;b")), specification("factur-x.xml", 5)],
      stream(Buffer.from(example), "/Type/EmbeddedFile/Subtype/text#2fxml"),
    ]);
    expect(await read(file(bytes))).toMatchObject({
      ...{ container: "pdf", syntax: "ubl", number: "R-100" },
      attachments: [{ name: "hours.csv", bytes: 3 }],
    });
  });

  const other = example.replace("R-100", "R-200");
  const twice = (first: string, second: string, more = other) =>
    file(
      pdf([
        ...["<</Type/Catalog>>", specification(first, 3), stream(Buffer.from(more))],
        ...[specification(second, 5), stream(Buffer.from(example))],
      ]),
    );

  test("of the newest standard is taken, wherever it stands", async () => {
    expect(await read(twice("zugferd-invoice.xml", "factur-x.xml"))).toMatchObject({ number: "R-100" });
    expect(await read(twice("invoice.xml", "Factur-X.xml"))).toMatchObject({ number: "R-100" });
    expect(await read(twice("factur-x.xml", "factur-x.xml", example))).toMatchObject({ number: "R-100" });
  });

  test.each([
    ["factur-x.xml", "factur-x.xml"],
    ["a.xml", "b.xml"],
  ])("is not chosen among several that differ: %s, %s", async (first, second) => {
    expect(await refused(twice(first, second))).toMatchObject({
      status: 400,
      issues: [{ path: "file", message: expect.stringContaining("several invoices") }],
    });
  });

  test("is found where its specification stands in a stream of objects", async () => {
    const head = "4 0 ";
    const packed = stream(
      Buffer.from(head + specification("factur-x.xml", 3)),
      `/Type/ObjStm/N 1/First ${head.length}`,
    );
    expect(await read(file(pdf(["<</Type/Catalog>>", packed, stream(Buffer.from(example))])))).toMatchObject({
      number: "R-100",
    });
  });

  test("a PDF within the PDF does not hide it", async () => {
    const inner = pdf(["<</Type/Catalog>>", "<</A 1>>", "<</B 2>>"]).toString("latin1");
    const bytes = pdf([
      ...["<</Type/Catalog>>", specification("factur-x.xml", 3), stream(Buffer.from(example)), String(inner.length)],
      `<</Length 4 0 R>>stream\n${inner}\nendstream`,
    ]);
    expect(await read(file(bytes))).toMatchObject({ number: "R-100" });
  });
});

/** With an attachment of so many bytes. */
const attached = (bytes: number) =>
  example.replace(
    "<cac:AccountingSupplierParty>",
    `<cac:AdditionalDocumentReference><cbc:ID>A</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="text/csv" filename="a.csv">${Buffer.alloc(bytes).toString("base64")}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference><cac:AccountingSupplierParty>`,
  );

test("an invoice may carry attachments of megabytes", async () => {
  const { attachments } = await read(file(Buffer.from(attached(4_200_000))));
  expect(attachments).toEqual([{ name: "a.csv", mimeType: "text/csv", bytes: 4_200_000 }]);
  expect(await refused({ text: attached(4_600_000) })).toMatchObject({
    issues: [{ path: "text", message: "must be at most 6 MB" }],
  });
});

describe("refusals", () => {
  const bomb = deflateSync(Buffer.alloc(25_000_000, 32));
  test.each<[string, Input, string]>([
    ["no document", {}, "text"],
    ["nothing", { text: "" }, "text"],
    ["no XML", { text: "Invoice 5" }, "text"],
    ["other XML", { text: "<html/>" }, "text"],
    ["an invoice of another namespace", { text: "<Invoice xmlns='urn:x'/>" }, "text"],
    ["a document type", { text: `<!DOCTYPE Invoice [<!ENTITY a SYSTEM "file:///etc/passwd">]>${example}` }, "text"],
    ["50,000 levels", { text: "<a>".repeat(50_000) }, "text"],
    ["a PDF without an invoice", file(pdf(["<</Type/Catalog>>"])), "file"],
    ["an encrypted PDF", file(Buffer.from("%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<</Encrypt 1 0 R>>")), "file"],
    [
      "a PDF whose file unpacks to more than 20 MB",
      file(
        pdf([
          specification("factur-x.xml", 2),
          `<</Filter/FlateDecode/Length ${bomb.length}>>stream\n${bomb.toString("latin1")}\nendstream`,
        ]),
      ),
      "file",
    ],
  ])("%s", async (_, input, path) => {
    expect(await refused(input)).toMatchObject({
      status: 400,
      issues: expect.arrayContaining([expect.objectContaining({ path })]),
    });
  });

  test.each([
    ["dictionaries in one another", `%PDF-1.7\n1 0 obj ${"<</A".repeat(100_000)}`],
    ["beginnings of objects", `%PDF-1.7\n${"1 0 obj<<".repeat(200_000)}`],
    ["texts that do not end", `%PDF-1.7\n${"1 0 obj(".repeat(300_000)}`],
    ["digits that do not end", `%PDF-1.7\n${"1 0 obj<".repeat(300_000)}`],
    ["streams that do not end", `%PDF-1.7\n${"1 0 obj<<>>stream\n".repeat(100_000)}`],
  ])("ends for %s", async (_, text) => {
    expect(await refused(file(Buffer.from(text)))).toMatchObject({ status: 400 });
  });

  test("so many lines", async () => {
    const text = example.replace("</cac:InvoiceLine>", `</cac:InvoiceLine>${"<cac:InvoiceLine/>".repeat(20_000)}`);
    expect(await refused({ text })).toMatchObject({
      status: 400,
      issues: [{ path: "text", message: "has more than 20000 lines: send it in parts" }],
    });
  });
});
