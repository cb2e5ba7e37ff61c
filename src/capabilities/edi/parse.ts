import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import { documentInput } from "../../upstream/input/document-input.js";
import { delimiters, element, errors, FACTS, group, header, segments } from "./_edi.js";

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));
const document = /* @__PURE__ */ documentInput({ text: true, accept: "*/*", what: "X12 or EDIFACT" });

export const ediParse = /* @__PURE__ */ defineCapability({
  id: "edi.parse",
  method: "POST",
  summary:
    "Read an X12 or EDIFACT file into interchanges, groups, transactions and segments, with counts and control numbers checked.",
  keywords: [
    ...["edi to json", "x12", "edifact", "purchase order 850", "invoice 810", "837", "997", "856", "edi file"],
    ...["electronic data interchange", "isa segment", "unb", "interchange", "claims file"],
  ],
  ...FACTS,
  input: () => z.strictObject(document.fields()),
  output: one(() =>
    z.object({
      format: z.enum(["x12", "edifact", "tradacoms"]),
      valid: z.boolean().describe("Of the envelopes; elements are not compared with the standard's directories"),
      delimiters: delimiters().describe("Of the first interchange"),
      interchanges: z.array(
        z.object({
          ...header(),
          groups: z.array(
            z.object({
              ...group(),
              transactions: z.array(
                z.object({
                  type: z.string().describe("Such as 850 or ORDERS"),
                  control: z.string(),
                  version: z.string().nullable().describe("Such as D.96A"),
                  agency: z.string().nullable(),
                  association: z.string().nullable(),
                  more: z.array(element()),
                  segments: segments().describe(
                    "Between header and trailer; an element is text, a list of components, or { repeat: [...] }",
                  ),
                }),
              ),
            }),
          ),
        }),
      ),
      errors: errors(),
    }),
  ),
  example: {
    text: "UNB+UNOC:3+5412345000013:14+8798765432106:14+261123:0930+42'UNH+1+ORDERS:D:96A:UN:EAN008'BGM+220+A1'DTM+137:20261123:102'UNS+S'UNT+5+1'UNZ+1+42'",
  },
  check: (input, ctx) => document.check(input, ctx),
  async run(input, ctx) {
    const { field, text } = await document.load(input, ctx);
    const { runInWorker } = await workers();
    return { item: await runInWorker(ctx, "edi.parse", { text: text() }, { field }), meta: method() };
  },
});
