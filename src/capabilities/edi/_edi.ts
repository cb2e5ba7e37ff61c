/** Facts and output fields that the endpoints of electronic data interchange share. */
import { z } from "zod";
import { MAX_DOCUMENT_BODY_BYTES } from "../../upstream/input/document-input.js";

export const FACTS = {
  price: "0.002",
  offline: true,
  source: {
    provider: "built-in",
    url: "https://unece.org/trade/uncefact/introducing-unedifact",
    license: "MIT (own code)",
  },
  timeoutMs: 10_000,
  maxBodyBytes: MAX_DOCUMENT_BODY_BYTES,
} as const;

const value = () => z.union([z.string(), z.array(z.string())]);
export const element = () => z.union([z.string(), z.array(z.string()), z.object({ repeat: z.array(value()) })]);

export const segments = () => z.array(z.object({ tag: z.string(), elements: z.array(element()) }));

export const delimiters = () =>
  z.object({
    element: z.string(),
    component: z.string(),
    segment: z.string(),
    tag: z.string().describe("Between a tag and its first element"),
    repetition: z.string().nullable(),
    release: z.string().nullable().describe("Before a delimiter that is meant as text"),
    decimal: z.string().nullable(),
  });

export const errors = () =>
  z
    .array(
      z.object({
        code: z.enum(["segment-count", "control-number", "group-count", "delimiter", "unfinished"]),
        position: z.int().describe("In the text, in UTF-16 units from 0"),
      }),
    )
    .describe("What counts, control numbers and delimiters contradict; at most 1,000");

/** Of an interchange. */
export const header = () => ({
  syntax: z.array(z.string()).describe("Identifier and version, such as UNOC and 3; of X12 the version, such as 00501"),
  sender: z.string(),
  senderMore: z.array(z.string()).describe("Further components, such as the qualifier"),
  receiver: z.string(),
  receiverMore: z.array(z.string()),
  control: z.string().describe("Control reference"),
  date: z.string().nullable().describe("ISO 8601"),
  time: z.string().nullable(),
  more: z.array(element()).describe("Further elements of the header"),
  segments: segments().describe("Segments beside groups and messages"),
});

export const group = () => ({
  functionalId: z.string().nullable().describe("null, as all of a group, where there are no groups"),
  version: z.string().nullable(),
  control: z.string().nullable(),
  agency: z.string().nullable(),
  sender: z.string().nullable(),
  receiver: z.string().nullable(),
  date: z.string().nullable(),
  time: z.string().nullable(),
});
