import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ediEdifact, ediParse } from "../../../src/capabilities/edi/index.js";

const files = new Map(
  readFileSync(new URL("staedi.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line) as { file: string; text: string })
    .map(({ file, text }) => [file, text] as const),
);

/** What is wrong with these, counted by hand; the envelopes of all others are right. */
const WRONG: Record<string, [code: string, at: string]> = {
  "EDIFACT/orders-with-group.edi": ["segment-count", "UNT+21+1'"],
  "TRADACOMS/order-wrong-segment-tag-delimiter.edi": ["delimiter", "STX+ANA"],
  "x12/invalid997_min.edi": ["control-number", "GE*1*<TOO"],
  "x12/invalid999.edi": ["segment-count", "SE*16*"],
  "x12/nonnumeric_BIN01.edi": ["delimiter", "BIN*11a"],
  "x12/sample275_with_HL7_invalid_BIN01.edi": ["delimiter", "BIN*1839"],
};

/** Transactions with the count of segments between header and trailer, which the trailer tells but for two. */
const TRANSACTIONS: Record<string, string> = {
  "EDIFACT/invoic_d93a_una.edi": "INVOIC D.93A 26",
  "EDIFACT/issue128/wrapped_invoic_d97b_una.edi": "INVOIC D.97B 22",
  "EDIFACT/orders-with-group.edi": "ORDERS D.96B 16",
  "EDIFACT/pnrgov.edi": "PNRGOV 11.1 83",
  "TRADACOMS/order-blocked.edi": "ORDHDR 9 4, ORDERS 9 5, ORDTLR 9 1",
  "x12/invoice810_po850_dual.edi": "810 null 30, 810 null 20, 850 null 15",
  "x12/sample837-HL-nested.edi": "837 null 21, 837 null 11",
  "x12/simple997-multiple-interchanges.edi": "997 null 6, 997 null 6, 997 null 6",
  "x12/issue109/ts214_ellipses_segterm.edi": "214 null 18",
  "x12/issue128/ts210_80char.edi": "210 null 29",
};

describe("files of StAEDI", () => {
  test("are all here", () => expect(files.size).toBe(39));

  test.each([...files])("%s", async (file, text) => {
    const { items } = await ediParse({ file: Buffer.from(text).toString("base64") });
    const [item] = items;
    const [code, at = ""] = WRONG[file] ?? [];
    expect(item?.errors).toEqual(code ? [{ code, position: text.indexOf(at) }] : []);
    const told = item?.interchanges.flatMap(({ groups }) =>
      groups.flatMap(({ transactions }) =>
        transactions.map(({ type, version, segments }) => `${type} ${version} ${segments.length}`),
      ),
    );
    if (TRANSACTIONS[file]) expect(told?.join(", ")).toBe(TRANSACTIONS[file]);
  });

  const written = [...files].filter(([file]) => !file.startsWith("x12") && !WRONG[file]);
  test.each(written)("%s is the same when its JSON was written", async (file, text) => {
    const { items } = await ediEdifact({ text });
    const [read] = items;
    if (!read || read.format === "x12") throw new Error("no item");
    const { delimiters, interchanges, format } = read;
    const again = await ediEdifact({ operation: "write", format, delimiters, interchanges });
    const { text: _text, ...item } = again.items[0] ?? {};
    expect(item, file).toEqual(read);
  });
});
