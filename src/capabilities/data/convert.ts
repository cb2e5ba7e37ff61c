import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { FORMATS } from "../../engines/data/formats.js";
import { lazy } from "../../lib/lazy.js";
import { toMicros } from "../../lib/money.js";
import { type DocumentFields, documentInput, MAX_DOCUMENT_BODY_BYTES } from "../../upstream/input/document-input.js";

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));

const PLAIN = "0.001";
const WORKBOOK = "0.002";
const document = /* @__PURE__ */ documentInput({ text: true, accept: "*/*", what: "data" });

/** The library that read or wrote the format that is not ours. */
const ENGINES: Partial<Record<(typeof FORMATS)[number], { engine: string; version: string }>> = {
  yaml: { engine: "yaml", version: "2.9.1" },
  toml: { engine: "smol-toml", version: "1.9.1" },
};

/** An empty document is a table without keys in TOML, and nothing in other formats. */
const isEmptyToml = ({ from, text, file, url }: DocumentFields & { from: string }): boolean =>
  from === "toml" && url === undefined && (text ?? file) !== undefined && `${text ?? ""}${file ?? ""}`.trim() === "";

export const dataConvert = /* @__PURE__ */ defineCapability({
  id: "data.convert",
  method: "POST",
  summary:
    "Convert data between JSON, JSON Lines, YAML, TOML, XML, CSV, TSV and Excel; tells what was lost or changed.",
  keywords: [
    ...[
      "yaml to json",
      "json to yaml",
      "csv to json",
      "json to csv",
      "xml to json",
      "toml",
      "excel",
      "xlsx",
      "spreadsheet",
    ],
    ...["tsv", "jsonl", "ndjson", "parse", "config file", "table"],
  ],
  price: {
    min: PLAIN,
    max: WORKBOOK,
    quote: async ({ from, to, file }) =>
      toMicros([from, to].includes("xlsx") || (from === "auto" && file?.startsWith("UEsDB")) ? WORKBOOK : PLAIN),
  },
  offline: true,
  packages: ["yaml", "smol-toml"],
  source: { provider: "built-in", url: "https://yaml.org/spec/1.2.2/", license: "yaml: ISC; smol-toml: BSD-3-Clause" },
  timeoutMs: 10_000,
  maxBodyBytes: MAX_DOCUMENT_BODY_BYTES,
  input: () =>
    z.strictObject({
      ...document.fields(),
      from: z
        .enum(["auto", ...FORMATS])
        .default("auto")
        .describe("Format of the data; auto goes by its beginning"),
      to: z.enum(FORMATS).describe("Format to convert to"),
      types: z
        .enum(["infer", "text"])
        .default("infer")
        .describe(
          "Cells and XML texts: infer makes numbers, true, false and null of what is written so; 007 stays text",
        ),
      header: z.boolean().default(true).describe("Whether the first row of a table has the names"),
      delimiter: text(1, 1).describe("Character between cells of CSV; otherwise the likely one is found").optional(),
      sheet: text(1, 31)
        .describe("Sheet of a workbook by name, or by number from 1; the name of a written one")
        .optional(),
      indent: z.int().min(0).max(8).describe("Blanks of a level in text; 0 writes JSON in one line").optional(),
      path: text(0, 500).describe("JSON Pointer of the part to convert, such as /orders").optional(),
    }),
  output: one(() =>
    z.object({
      from: z.enum(FORMATS),
      to: z.enum(FORMATS),
      value: z.unknown().optional().describe("For json: the value"),
      text: z
        .string()
        .optional()
        .describe("For the other formats of text; for json where indent is given or digits count"),
      file: z.string().optional().describe("For xlsx: the workbook in base64"),
      mimeType: z.string().optional(),
      rows: z.number().int().nullable().describe("Rows of a table without its header"),
      columns: z.number().int().nullable(),
      notes: z
        .array(z.string())
        .describe(
          "What was lost or changed. Of workbooks values alone are read: no formulas, comments, charts or formats, and no XLS, XLSB or ODS; dates and times have no zone there and are written as UTC",
        ),
    }),
  ),
  example: { text: "name: Tea\nprice: 4.50\norganic: no\n", from: "yaml", to: "json" },
  check: (input, ctx) => (isEmptyToml(input) ? undefined : document.check(input, ctx)),
  async run(input, ctx) {
    const { bytes, field, kind, text: read } = await document.load(isEmptyToml(input) ? { text: "" } : input, ctx);
    const { file: _file, url: _url, text: _text, ...options } = input;
    // Bytes of a file are decoded by the engine, which notes bytes that are not UTF-8.
    const task = { ...options, bytes, text: field === "file" || kind === "zip" ? undefined : read() };
    const { runInWorker } = await workers();
    const item = await runInWorker(ctx, "data.convert", task, { field });
    return { item, meta: method(ENGINES[item.from] ?? ENGINES[item.to]) };
  },
});
