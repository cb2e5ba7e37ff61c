import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit, text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { MAX_DOCUMENT_BODY_BYTES } from "../../upstream/input/document-input.js";
import { anyJson, forThread, jsonText, workers } from "./_json.js";

const ENGINES = {
  jsonpath: { engine: "json-p3", version: "2.3.1" },
  jmespath: { engine: "@jmespath-community/jmespath", version: "1.3.0" },
  pointer: {},
};

export const jsonQuery = /* @__PURE__ */ defineCapability({
  id: "json.query",
  method: "POST",
  summary: "Query a JSON document by JSONPath (RFC 9535), JMESPath or JSON Pointer, with the path of each result.",
  keywords: [
    "jsonpath",
    "jmespath",
    "json pointer",
    "rfc 9535",
    "extract field",
    "select values",
    "filter json",
    "jq",
    "find in json",
    "jmespath expression",
  ],
  price: "0.001",
  offline: true,
  packages: ["json-p3", "@jmespath-community/jmespath", "re2js"],
  source: {
    provider: "built-in",
    url: "https://www.rfc-editor.org/rfc/rfc9535",
    license: "json-p3, re2js: MIT; @jmespath-community/jmespath: MPL-2.0",
  },
  timeoutMs: 10_000,
  maxBodyBytes: MAX_DOCUMENT_BODY_BYTES,
  input: () =>
    z.strictObject({
      language: z.enum(["jsonpath", "jmespath", "pointer"]).default("jsonpath").describe("Language of the query"),
      query: text(0, 2_000).describe("The query, such as $.orders[?@.total > 100].id; a pointer may be empty"),
      document: anyJson("The document").optional(),
      text: jsonText("The document as JSON text, instead of document: digits of large numbers are kept").optional(),
      limit: limit(1_000, 10_000).describe("How many results to return"),
    }),
  output: one(() =>
    z.object({
      result: z.unknown().describe("JSONPath: the list of values. JMESPath and pointer: the value, or null"),
      count: z.number().int().describe("How many values there are in all"),
      paths: z.array(z.string()).nullable().describe("JSONPath: the normalized path of each; null for JMESPath"),
    }),
  ),
  example: {
    language: "jsonpath",
    query: "$.orders[?@.total > 100].id",
    document: {
      orders: [
        { id: "a1", total: 80 },
        { id: "a2", total: 120 },
      ],
    },
  },
  check({ language, query, document, text }) {
    if (query === "" && language !== "pointer") throw invalid("query", "must not be empty");
    if (document === undefined && text === undefined) throw invalid("document", "is required, or text");
    if (document !== undefined && text !== undefined) throw invalid("text", "must be left out where document is given");
  },
  async run(input, ctx) {
    const { runInWorker } = await workers();
    const item = await runInWorker(ctx, "json.query", forThread(input), { field: "query" });
    return { item, meta: method(ENGINES[input.language]) };
  },
});
