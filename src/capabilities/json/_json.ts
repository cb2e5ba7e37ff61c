import { z } from "zod";
import { takesText } from "../../capability/text-fields.js";
import { jsonObjection, MAX_DEPTH, MAX_NODES } from "../../engines/json/bounds.js";
import { lazy } from "../../lib/lazy.js";
import { UnreadJson } from "../../lib/text/unread-json.js";

export const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));

/** Any JSON within the bounds of the engines. */
export const anyJson = (what: string) =>
  takesText(
    z
      .unknown()
      .superRefine((value, { addIssue }) => {
        const objection = value === undefined ? undefined : jsonObjection(value);
        if (objection) addIssue({ code: "custom", message: objection });
      })
      .describe(`${what}: any JSON of at most 3 MB, ${MAX_DEPTH} levels and ${MAX_NODES} values`),
  );

const MAX_TEXT = 3_000_000;

export const jsonText = (what: string) =>
  z.string().min(1).max(MAX_TEXT, { error: "must be at most 3 MB" }).describe(`${what}, at most 3 MB`);

/** The input with long fields as text, which a thread parses: to copy their values would stop the loop. */
export function forThread<Input extends object>(input: Input): Input & { texts?: Record<string, string> } {
  const texts = Object.entries(input).flatMap(([name, value]): [string, string][] =>
    value instanceof UnreadJson ? [[name, value.facts.text]] : [],
  );
  if (texts.length === 0) return input;
  const without = Object.fromEntries(texts.map(([name]) => [name, undefined]));
  return { ...input, ...without, texts: Object.fromEntries(texts) };
}

export const isList = (value: unknown): boolean => (value instanceof UnreadJson ? value.isList : Array.isArray(value));
