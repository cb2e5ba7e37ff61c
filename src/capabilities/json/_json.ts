import { z } from "zod";
import { MAX_DEPTH, MAX_NODES, objectionTo } from "../../engines/json/bounds.js";
import { lazy } from "../../lib/lazy.js";

export const reading = /* @__PURE__ */ lazy(() => import("../../engines/reading/reading.js"));

/** Any JSON within the bounds of the engines. */
export const anyJson = (what: string) =>
  z
    .unknown()
    .superRefine((value, { addIssue }) => {
      const objection = value === undefined ? undefined : objectionTo(value);
      if (objection) addIssue({ code: "custom", message: objection });
    })
    .describe(`${what}: any JSON of at most 3 MB, ${MAX_DEPTH} levels and ${MAX_NODES} values`);

const MAX_TEXT = 3_000_000;

export const jsonText = (what: string) =>
  z.string().min(1).max(MAX_TEXT, { error: "must be at most 3 MB" }).describe(`${what}, at most 3 MB`);
