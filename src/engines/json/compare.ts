/** The operations of json.diff. */
import { CapabilityError, invalid } from "../../errors.js";
import { mergePatch } from "../../lib/text/merge-patch.js";
import { jsonObjection } from "./bounds.js";
import { differenceOf, type JsonChange, mergePatchOf } from "./diff.js";
import { isEqual } from "./members.js";
import { applyPatch, type Operation, PatchError } from "./patch.js";

export interface CompareTask {
  operation: "diff" | "apply" | "merge" | "test";
  document: unknown;
  /** For diff, and for test without a patch. */
  other?: unknown;
  /** For apply, merge, and test. */
  patch?: unknown;
  arrayKey?: string | undefined;
}

export interface Comparison {
  /** Whether the documents are equal, a patch changes nothing, or a test holds. */
  equal: boolean;
  patch: Operation[] | null;
  mergePatch: unknown;
  changes: JsonChange[] | null;
  result: unknown;
  /** Whether the patch, applied to the document, gives the other. */
  roundTrip: boolean | null;
  /** Why a test does not hold. */
  reason: string | null;
}

const NOTHING = { patch: null, mergePatch: null, changes: null, result: null, roundTrip: null, reason: null };

export function compare(task: CompareTask): Comparison {
  const { operation, document, other, patch, arrayKey } = task;
  if (operation === "test") return { ...NOTHING, ...testOf(task) };
  if (operation === "diff") return { ...NOTHING, ...compareTwo(document, other, arrayKey) };
  const result = operation === "merge" ? mergePatch(document, patch) : patched(document, patch);
  const objection = jsonObjection(result);
  if (objection)
    throw new CapabilityError("RESULT_TOO_LARGE", `The result ${objection}.`, {
      issues: [{ path: "patch", message: `its result ${objection}` }],
    });
  return { ...NOTHING, equal: isEqual(document, result), result };
}

function compareTwo(document: unknown, other: unknown, arrayKey: string | undefined) {
  const { patch, changes } = differenceOf(document, other, arrayKey);
  const roundTrip = isEqual(applyPatch(document, patch), other);
  return {
    equal: changes.length === 0,
    patch,
    changes,
    roundTrip,
    mergePatch: mergePatchOf(document, other)?.patch ?? null,
  };
}

function patched(document: unknown, patch: unknown): unknown {
  try {
    return applyPatch(document, patch);
  } catch (error) {
    throw error instanceof PatchError ? invalid("patch", error.message) : error;
  }
}

/** A patch whose tests fail, or that does not fit, is an answer; one that is malformed is not. */
function testOf({ document, other, patch }: CompareTask): { equal: boolean; reason: string | null } {
  if (patch === undefined) return { equal: isEqual(document, other), reason: null };
  try {
    const result = applyPatch(document, patch);
    return { equal: other === undefined || isEqual(result, other), reason: null };
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    if (!error.isMisfit) throw invalid("patch", error.message);
    return { equal: false, reason: error.message };
  }
}
