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
