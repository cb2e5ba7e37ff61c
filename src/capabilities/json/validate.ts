import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { MAX_DOCUMENT_BODY_BYTES } from "../../upstream/input/document-input.js";
import { anyJson, forThread, isList, workers } from "./_json.js";

const DRAFTS = ["draft-04", "draft-06", "draft-07", "2019-09", "2020-12"] as const;
/** A pattern that takes longer is refused. */
const TASK_MS = 4_000;

export const jsonValidate = /* @__PURE__ */ defineCapability({
  id: "json.validate",
  method: "POST",
  summary: "Validate JSON against a JSON Schema of draft 4, 6, 7, 2019-09 or 2020-12, with the place of every error.",
  keywords: [
    "json schema",
    "schema validation",
    "ajv",
    "check json",
    "valid json",
    "missing in json",
    "required fields",
    "draft 7",
    "2020-12",
    "validator",
  ],
  price: "0.001",
  offline: true,
  source: { provider: "built-in", url: "https://json-schema.org", license: "MIT; metaschemas: BSD-3-Clause" },
  timeoutMs: 10_000,
  maxBodyBytes: MAX_DOCUMENT_BODY_BYTES,
  input: () =>
    z.strictObject({
      schema: anyJson("The JSON Schema, an object or a boolean"),
      instance: anyJson("The JSON to validate"),
      draft: z
        .enum(["auto", ...DRAFTS])
        .default("auto")
        .describe("auto: as $schema says, else 2020-12"),
      schemas: z
        .array(anyJson("A schema with $id, or { id, schema }"))
        .max(20)
        .default([])
        .describe("Other schemas that references lead to; nothing is fetched"),
      formats: z.enum(["annotate", "assert"]).default("annotate").describe("Whether a wrong format makes it invalid"),
      maxErrors: z.int().min(1).max(100).default(20).describe("How many errors to return"),
    }),
  output: one(() =>
    z.object({
      valid: z.boolean(),
      draft: z.enum(DRAFTS),
      errors: z.array(
        z.object({
          path: z.string().describe("JSON Pointer into the instance"),
          schemaPath: z.string().describe("JSON Pointer along the keywords of the schema"),
          keyword: z.string(),
          message: z.string(),
        }),
      ),
      errorPaths: z.array(z.string()).describe("The different paths of all errors"),
    }),
  ),
  example: {
    schema: { type: "object", required: ["price"], properties: { price: { type: "number", minimum: 0 } } },
    instance: { price: -1 },
  },
  check({ schema, instance }) {
    const isSchema = typeof schema === "boolean" || (typeof schema === "object" && schema !== null && !isList(schema));
    if (!isSchema) throw invalid("schema", "must be a JSON Schema: an object or a boolean");
    if (instance === undefined) throw invalid("instance", "is required: any JSON");
  },
  async run({ schema, ...input }, ctx) {
    const { runInWorker } = await workers();
    const task = { ...input, schema: schema as boolean | Record<string, unknown> };
    return {
      item: await runInWorker(ctx, "json.validate", forThread(task), { field: "schema", taskMs: TASK_MS }),
      meta: method(),
    };
  },
});
