import type { z } from "zod";
import { CapabilityError, type Issue } from "../errors.js";

/** Converts zod's issues to ours: a dotted path and one sentence each. */
export function inputError(error: z.ZodError): CapabilityError {
  const issues = error.issues.flatMap(toIssues);
  const first = issues[0];
  const detail = first ? (first.path ? `${first.path}: ${first.message}` : first.message) : "The input is not valid.";
  return new CapabilityError("INVALID_INPUT", detail, { issues });
}

function toIssues(issue: z.core.$ZodIssue): Issue[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: [...path, clip(key)].join("."), message: "is not a known parameter" }));
  // zod describes a missing field as "expected string, received undefined".
  const message = issue.input === undefined && issue.code === "invalid_type" ? "is required" : clip(issue.message, 200);
  return [{ path: clip(path.join("."), 200), message }];
}

/** Cuts the caller's own text, so that an error stays short. */
function clip(text: string, max = 100): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}
