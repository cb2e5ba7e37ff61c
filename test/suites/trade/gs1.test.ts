import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { productGs1 } from "../../../src/capabilities/product/index.js";

interface Row {
  kind: "brackets" | "barcode" | "linter" | "association" | "url" | "link";
  data: string;
  valid: boolean;
  message: string | null;
  code: string | null;
  met: boolean;
  rule: "AIrepeats" | "AImutex" | "AIrequisites" | "DigSigRequiresSerialisedKey";
  link: string | null;
}

const rows = readFileSync(new URL("gs1-syntax-engine.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => JSON.parse(line) as Row);

const of = (kind: Row["kind"]) => rows.filter((row) => row.kind === kind);

async function read(data: string, as: "auto" | "brackets" | "barcode" | "url" = "auto") {
  const { items } = await productGs1({ data, as });
  const [item] = items;
  if (!item) throw new Error("no item");
  return item;
}

/** The rule of a case alone: others are broken in some of them. */
const RULES = {
  AIrepeats: ({ ai, excludes }: { ai: string; excludes: string[] }) => excludes.includes(ai),
  AImutex: ({ ai, excludes }: { ai: string; excludes: string[] }) => excludes.some((other) => other !== ai),
  AIrequisites: ({ needs }: { needs: string[] }) => needs.length > 0 && !needs.some((need) => need.includes("serial")),
  DigSigRequiresSerialisedKey: ({ needs }: { needs: string[] }) => needs.some((need) => need.includes("serial")),
};

describe("GS1's syntax engine", () => {
  test("its cases are all here", () => expect(rows.length).toBeGreaterThan(380));

  test.each(of("brackets").map((row) => [row.data, row] as const))("in brackets: %s", async (data, row) => {
    const as = data.startsWith("(") ? "auto" : "brackets";
    const { valid, barcodeMessage, errors } = await read(data, as);
    expect({ valid, barcodeMessage }).toEqual({ valid: row.valid, barcodeMessage: row.message });
    expect(errors.length > 0).toBe(!row.valid);
  });

  test.each(of("barcode").map((row) => [row.data, row.valid] as const))("as a scan: %s", async (data, valid) => {
    expect(await read(data)).toMatchObject({ valid });
  });

  test.each(of("linter").map((row) => [row.data, row.code] as const))("%s: %s", async (data, code) => {
    const { errors, valid } = await read(data);
    expect(valid).toBe(code === null);
    expect(errors[0]?.code ?? null).toBe(code);
  });

  test.each(of("association").map((row) => [row.rule, row.data, row.met] as const))(
    "%s of %s",
    async (rule, data, met) => {
      const { associations, valid } = await read(data);
      expect(valid).toBe(true);
      expect(associations.some(RULES[rule])).toBe(!met);
    },
  );

  test.each(of("url").map((row) => [row.data, row] as const))("as a link: %s", async (data, row) => {
    const { valid, barcodeMessage } = await read(data, "url");
    expect({ valid, barcodeMessage }).toEqual({ valid: row.valid, barcodeMessage: row.message });
  });

  test.each(of("link").map((row) => [row.data, row.link] as const))("the link of %s", async (data, link) => {
    expect((await read(data)).digitalLink).toBe(link);
  });
});
