/** Pages are sold one by one: the ceiling is what a call may read, and what it read is charged. */
import { describe, expect, test } from "vitest";
import { pdfText } from "../../../src/capabilities/pdf/text.js";
import { pdfToMarkdown } from "../../../src/capabilities/pdf/to-markdown.js";
import { createContext } from "../../../src/capability/context.js";
import { pdfOf, textAt } from "../../support/pdf.js";

const pagesOf = (count: number) =>
  pdfOf({ pages: Array.from({ length: count }, (_, i) => ({ content: textAt(50, 700, `Page ${i + 1}`) })) });

async function sold(capability: typeof pdfText | typeof pdfToMarkdown, pdf: Uint8Array, pages?: string) {
  const ctx = createContext({}, { timeoutMs: 20_000 });
  const input = { file: Buffer.from(pdf).toString("base64"), ...(pages === undefined ? {} : { pages }) };
  const parsed = await capability.parse(input, ctx);
  // Each of the two takes its own input, which is the same.
  const ceiling = await capability.quote(parsed.input as never, ctx);
  const outcome = await capability.execute(parsed as never, ctx).then(
    () => "answered",
    (error: { status: number }) => error.status,
  );
  return { ceiling, outcome, used: ctx.meter.used };
}

describe.each([
  ["pdf.text", pdfText, 500n, 50_000n],
  ["pdf.to-markdown", pdfToMarkdown, 1_000n, 100_000n],
] as const)("%s", (_, capability, each, ceiling) => {
  test("without pages costs what it read, up to a hundred of them", async () => {
    expect(await sold(capability, pagesOf(6))).toEqual({ ceiling, outcome: "answered", used: each * 6n });
    expect(await sold(capability, pagesOf(103))).toEqual({ ceiling, outcome: "answered", used: ceiling });
  });

  test("costs the pages that are named, and a tenth of a cent at least", async () => {
    const pdf = pagesOf(9);
    expect(await sold(capability, pdf, "2-6,9")).toEqual({ ceiling: each * 6n, outcome: "answered", used: each * 6n });
    expect(await sold(capability, pdf, "3")).toEqual({ ceiling: 1_000n, outcome: "answered", used: 1_000n });
  });

  test("costs nothing where a file cannot be read", async () => {
    const { outcome, used } = await sold(capability, Buffer.from("%PDF-1.7\n%%EOF"));
    expect([outcome, used ?? 0n]).toEqual([400, 0n]);
  });
});
