import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { faultOfSchema } from "../../engines/models/caller-schema.js";
import { plainProseWithin } from "../../engines/models/prose.js";
import { type JsonSchema, tighten } from "../../engines/models/strict-schema.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import type { AnswerForm } from "../../providers/ai-gateway/answer.js";
import { aiGateway } from "../../providers/ai-gateway/provider.js";
import { MAX_DOCUMENT_BODY_BYTES } from "../../upstream/input/document-input.js";
import { askModel } from "./_ask.js";
import { checkSource, readMaterial, sourceFields, usageField } from "./_input/document.js";

const validation = /* @__PURE__ */ lazy(() => import("../../engines/json/schema/validate.js"));

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));

const JUDGED = { draft: "auto", formats: "assert" } as const;
/** Characters of a schema that is judged in a few milliseconds, whatever it says. */
const SMALL = 1000;
const JUDGE_MS = 2000;

/** An answer is judged beside other calls, in the thread that answers them. */
const MAX_STEPS = 50_000;

export const aiExtract = /* @__PURE__ */ defineCapability({
  id: "ai.extract",
  method: "POST",
  summary: "Read a web page or a document, such as a PDF, and give its content as JSON of your own schema.",
  keywords: [
    "scrape",
    "structured data",
    "web page to json",
    "parse html",
    "crawl",
    "pull fields",
    "product data",
    "pdf to json",
  ],
  price: "0.075",
  billing: "upto",
  provider: aiGateway,
  timeoutMs: 90_000,
  maxBodyBytes: MAX_DOCUMENT_BODY_BYTES,
  input: () =>
    z.strictObject({
      ...sourceFields(),
      schema: z
        .record(z.string(), z.unknown())
        .describe('JSON Schema of the result, "type": "object" at its top; no references to other documents'),
      instruction: text(0, 2000).optional().describe("What to look for"),
    }),
  output: one(() =>
    z.object({
      url: z.string().nullable().describe("Null for a file"),
      finalUrl: z.string().nullable().describe("After redirects; null for a file"),
      extracted: z.record(z.string(), z.unknown()).describe("Valid against the schema"),
      truncated: z.boolean().describe("Whether only the beginning was read"),
      usage: usageField(),
    }),
  ),
  example: {
    url: "https://en.wikipedia.org/wiki/Berlin",
    schema: { type: "object", properties: { population: { type: "integer" } }, required: ["population"] },
  },
  async check({ schema, ...input }, ctx) {
    await checkSource(input, ctx);
    const fault = faultOfSchema(schema);
    if (fault) throw invalid("schema", fault);
    // Before a model is asked, which costs the host; and in a thread, because nothing is paid for it.
    const { runInWorker } = await workers();
    const isSmall = JSON.stringify(schema).length <= SMALL;
    await runInWorker(ctx, "json.schema", { schema, ...JUDGED }, { field: "schema", taskMs: JUDGE_MS, isSmall });
  },
  async run({ schema, instruction, ...input }, ctx) {
    const form = await callerForm(schema);
    const { finalUrl, title, text, truncated, usage } = await readMaterial(input, ctx);
    const { value, source } = await askModel(
      {
        task: "strong",
        instructions:
          "Fill the schema from the text: only with what it says. What it does not say is null or left empty.",
        data: `${instruction ? `The caller looks for: ${instruction}\n\n` : ""}Title: ${title}\n\n${text}`,
        form,
        maxTokens: 4000,
      },
      ctx,
    );
    const item = { url: input.url ?? null, finalUrl, extracted: value, truncated, ...(usage ? { usage } : {}) };
    return { item, source };
  },
});

/** Rejects with INVALID_INPUT for a schema that its draft does not allow. */
async function validatorOf(schema: JsonSchema) {
  const { validatorOf: prepare } = await validation();
  return prepare({ schema, ...JUDGED, schemas: [], maxSteps: MAX_STEPS });
}

/** The model gets the strict form of the schema; the result is checked against the caller's own. */
async function callerForm(schema: JsonSchema): Promise<AnswerForm<Record<string, unknown>>> {
  const validator = await validatorOf(schema);
  return {
    name: "extracted",
    schema: tighten(schema),
    read(answer) {
      const value = plainProseWithin(withoutNulls(answer, schema));
      if (!isObject(value)) return { wrong: "it was no object" };
      const [fault] = validator.errorsIn(value);
      return fault ? { wrong: `${fault.path || "the whole"}: ${fault.message}` } : { value };
    },
  };
}

/** Strict mode requires every member, so a null that the caller's schema does not allow means that it is absent. */
function withoutNulls(value: unknown, schema: unknown): unknown {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) return value.map((inner) => withoutNulls(inner, schema.items));
  if (!isObject(value) || !isObject(schema.properties)) return value;
  const { properties } = schema;
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => inner !== null || required.includes(name) || allowsNull(properties[name]))
      .map(([name, inner]) => [name, withoutNulls(inner, properties[name])]),
  );
}

function allowsNull(schema: unknown): boolean {
  if (!isObject(schema)) return true;
  const { type } = schema;
  return type === undefined || type === "null" || (Array.isArray(type) && type.includes("null"));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
