import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { documentInput } from "../../upstream/input/document-input.js";
import { delimiters, element, errors, FACTS, group, header, segments } from "./_edi.js";

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));
const document = /* @__PURE__ */ documentInput({ text: true, accept: "*/*", what: "EDIFACT or TRADACOMS" });

const MAX_MESSAGES = 2000;
const MAX_SEGMENTS = 20_000;
const word = (max: number) => text(0, max);
const optional = (max: number) => word(max).nullish();
const values = () => z.union([word(4000), z.array(word(4000)).max(100)]);
const elementIn = () =>
  z.union([values(), z.strictObject({ repeat: z.array(values()).max(100).describe("Repetitions of the element") })]);
const tag = () =>
  z.string().regex(/^[A-Z][A-Z0-9]{2}$/, { error: "must be three capital letters or digits, such as BGM" });
const segmentsIn = () =>
  z
    .array(
      z.strictObject({
        tag: tag().describe("Name of the segment, such as BGM"),
        elements: z.array(elementIn()).max(200).describe("Its elements, in order"),
      }),
    )
    .max(MAX_SEGMENTS);

const written = () =>
  z.strictObject({
    syntax: z.array(word(10)).max(5).optional().describe("Left out: UNOC and 3, or ANA and 1"),
    sender: text(1, 50).describe("Who sends it"),
    senderMore: z.array(word(50)).max(5).optional().describe("Further components, such as the qualifier 14"),
    receiver: text(1, 50).describe("Who gets it"),
    receiverMore: z.array(word(50)).max(5).optional().describe("Further components, such as the qualifier 14"),
    control: text(1, 20).describe("Control reference of the interchange"),
    date: optional(10).describe("ISO 8601; left out: today"),
    time: optional(8).describe("HH:MM, in UTC where it is left out"),
    more: z.array(elementIn()).max(20).optional().describe("Further elements of the header"),
    segments: segmentsIn().optional().describe("Segments outside of messages"),
    groups: z
      .array(
        z.strictObject({
          control: text(1, 20).describe("Control reference of the group"),
          functionalId: optional(10).describe("Kind of its messages, such as ORDERS"),
          version: optional(20).describe("Such as D.96A"),
          agency: optional(5).describe("Left out: UN"),
          sender: optional(50).describe("Who sends it"),
          receiver: optional(50).describe("Who gets it"),
          date: optional(10).describe("ISO 8601"),
          time: optional(8).describe("HH:MM"),
        }),
      )
      .max(100)
      .optional()
      .describe("Functional groups that messages are in"),
    messages: z
      .array(
        z.strictObject({
          type: text(1, 10).describe("Such as ORDERS"),
          version: optional(20).describe("Such as D.96A"),
          agency: optional(5).describe("Left out: UN"),
          association: optional(10).describe("Association assigned code"),
          control: optional(20).describe("Left out: its number"),
          group: optional(20).describe("Control of the group that it is in"),
          more: z.array(elementIn()).max(20).optional().describe("Further elements of its header"),
          segments: segmentsIn().describe("Its segments, without header and trailer"),
        }),
      )
      .max(MAX_MESSAGES)
      .describe("Its messages, in order"),
  });

export const ediEdifact = /* @__PURE__ */ defineCapability({
  id: "edi.edifact",
  method: "POST",
  summary: "Read EDIFACT or TRADACOMS into messages of JSON, or write a file with counts and trailers from such JSON.",
  keywords: [
    ...[
      "edifact",
      "tradacoms",
      "orders message",
      "invoic",
      "desadv",
      "json to edifact",
      "create edi",
      "d96a",
      "eancom",
    ],
    ...["unh", "una", "edi writer", "trade message"],
  ],
  ...FACTS,
  input: () =>
    z.strictObject({
      ...document.fields(),
      operation: z.enum(["read", "write"]).default("read").describe("Whether a document is read or JSON is written"),
      format: z.enum(["edifact", "tradacoms"]).default("edifact").describe("To write: the syntax"),
      delimiters: z
        .strictObject({
          element: word(1).optional().describe("Between elements"),
          component: word(1).optional().describe("Between components of an element"),
          segment: word(1).optional().describe("After each segment"),
          tag: word(1).optional().describe("Follows from the syntax"),
          repetition: word(1).nullish().describe("Between repetitions of an element"),
          release: word(1).nullish().describe("Before a sign that is text"),
          decimal: word(1).nullish().describe("In numbers"),
        })
        .optional()
        .describe("To write: signs that are not the usual ones"),
      interchanges: z.array(written()).min(1).max(100).optional().describe("To write: as reading gives them"),
    }),
  output: one(() =>
    z.object({
      format: z.enum(["edifact", "tradacoms", "x12"]),
      valid: z.boolean().describe("Of the envelopes; elements are not compared with the standard's directories"),
      delimiters: delimiters().describe("Of the first interchange"),
      interchanges: z.array(
        z.object({
          ...header(),
          groups: z.array(z.object({ ...group(), control: z.string() })),
          messages: z.array(
            z.object({
              type: z.string(),
              version: z.string().nullable().describe("Version and release, such as D.96A"),
              agency: z.string().nullable(),
              association: z.string().nullable(),
              group: z.string().nullable().describe("Control of its group"),
              control: z.string(),
              more: z.array(element()),
              segments: segments(),
            }),
          ),
        }),
      ),
      errors: errors(),
      text: z.string().optional().describe("For write: the file"),
    }),
  ),
  example: {
    operation: "write",
    interchanges: [
      {
        sender: "5412345000013",
        senderMore: ["14"],
        receiver: "8798765432106",
        receiverMore: ["14"],
        control: "42",
        date: "2026-11-23",
        time: "09:30",
        messages: [
          {
            type: "ORDERS",
            version: "D.96A",
            association: "EAN008",
            segments: [
              { tag: "BGM", elements: ["220", "A1"] },
              { tag: "DTM", elements: [["137", "20261123", "102"]] },
              { tag: "UNS", elements: ["S"] },
            ],
          },
        ],
      },
    ],
  },
  check(input, ctx) {
    if (input.operation === "read") {
      if (input.interchanges) throw invalid("interchanges", "is for operation write: send text, file or url to read");
      return document.check(input, ctx);
    }
    if (!input.interchanges) throw invalid("interchanges", "is required to write");
    for (const field of ["text", "file", "url"] as const)
      if (input[field] !== undefined) throw invalid(field, "is for operation read: send interchanges to write");
    return undefined;
  },
  async run({ operation, format, delimiters, interchanges, ...input }, ctx) {
    const { runInWorker } = await workers();
    if (operation === "write") {
      const now = ctx.clock().toISOString();
      const stamped = (interchanges ?? []).map((interchange) => ({
        ...interchange,
        date: interchange.date ?? now.slice(0, 10),
        time: interchange.time ?? now.slice(11, 16),
      }));
      const task = { format, delimiters, interchanges: stamped };
      return { item: await runInWorker(ctx, "edi.write", task, { field: "interchanges" }), meta: method() };
    }
    const { field, text } = await document.load(input, ctx);
    return { item: await runInWorker(ctx, "edi.edifact", { text: text() }, { field }), meta: method() };
  },
});
