import { describe, expect, test } from "vitest";
import type { Invoice } from "../../../src/engines/invoices/invoice.js";
import { readInvoice } from "../../../src/engines/invoices/read.js";
import { validateInvoice } from "../../../src/engines/invoices/validate.js";
import { writeCii } from "../../../src/engines/invoices/writing/cii.js";
import { writePaper } from "../../../src/engines/invoices/writing/paper.js";
import { writeUbl } from "../../../src/engines/invoices/writing/ubl.js";
import { pdfText } from "../../../src/engines/pdf/text.js";
import { businessCases } from "../../support/business-cases.js";

const read = (text: string): Invoice => {
  const { container: _, checks, ...invoice } = readInvoice({ bytes: Buffer.from(text), text });
  return { ...invoice, attachments: [] };
};
const cases = businessCases();
const [first] = cases;
const invoice = read(first?.ubl ?? "");
const SYNTAXES = { ubl: writeUbl, cii: writeCii };

describe.each(["ubl", "cii"] as const)("%s", (syntax) => {
  const write = SYNTAXES[syntax];

  test.each(cases.map((one) => [one.name, one[syntax]]))("%s says the same when it is read again", (_, text) => {
    const there = read(text);
    expect(read(write(there))).toEqual(there);
  });

  test("a document that is written keeps the official rules", async () => {
    const text = write({ ...invoice, profile: null });
    const task = { bytes: Buffer.from(text), text, rules: "en16931" as const, maxLines: 100 };
    expect(await validateInvoice(task)).toMatchObject({ valid: true, failed: [] });
  });

  test("no name is markup, and none has characters that XML cannot have", () => {
    const name = `A&B <cbc:ID>9</cbc:ID> "quoted" 'single' ]]> \u0001\u000b\ud800é😀`;
    const told = read(
      write({ ...invoice, notes: [name], seller: { ...(invoice.seller as never as object), name } as never }),
    );
    expect([told.seller?.name, told.notes]).toEqual([
      `A&B <cbc:ID>9</cbc:ID> "quoted" 'single' ]]> é😀`,
      [`A&B <cbc:ID>9</cbc:ID> "quoted" 'single' ]]> é😀`],
    ]);
  });
});

describe("on paper", () => {
  const textOf = async (of: Invoice) => {
    const { pages } = await pdfText({ bytes: await writePaper(of) } as never);
    return pages.map(({ text }: { text: string }) => text);
  };

  test("it says what the invoice says", async () => {
    const [text = ""] = await textOf(invoice);
    const { number, seller, buyer, totals, lines } = invoice;
    for (const part of [number, seller?.name, buyer?.name, totals.taxInclusive, totals.tax, lines[0]?.net])
      expect(text.replace(/\s+/g, " ")).toContain(part?.replace(/\s+/g, " "));
  });

  test("lines that do not fit on a page go on with the next", async () => {
    const [line] = invoice.lines;
    const lines = Array.from({ length: 120 }, (_, i) => ({ ...line, name: `Item ${i + 1} of many` }) as never);
    const pages = await textOf({ ...invoice, lines });
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.at(-1)).toContain("Item 120 of many");
  });

  test("a name in any script is drawn, and what no font has is a question mark", async () => {
    const name = "Łódź Ωmega 東京 한국 กรุงเทพ \u{10ffff}";
    const [text = ""] = await textOf({ ...invoice, buyer: { ...(invoice.buyer as object), name } as never });
    for (const part of ["Łódź", "Ωmega", "東京", "한국", "?"]) expect(text).toContain(part);
  });

  test("a word longer than its column is broken", async () => {
    const name = "W".repeat(200);
    const [text = ""] = await textOf({ ...invoice, buyer: { ...(invoice.buyer as object), name } as never });
    expect(text.replace(/[^W]/g, "")).toHaveLength(200);
  });
});
