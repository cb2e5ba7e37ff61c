/** Errors for requests that cannot become a Request, in the same format as every other error. */
import { randomUUID } from "node:crypto";
import type { ErrorCode } from "../../errors.js";
import { PROBLEM_TYPE, problemDocument } from "../../request/http/problem-document.js";

export function refusalResponse(code: ErrorCode, detail: string, headers: Record<string, string> = {}): Response {
  const requestId = randomUUID();
  const problem = problemDocument(code, { detail, requestId });
  return Response.json(problem, {
    status: problem.status,
    headers: {
      "content-type": PROBLEM_TYPE,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
      ...headers,
    },
  });
}

/** The Fetch standard forbids these: `new Request` throws on them. */
const FORBIDDEN_METHODS = new Set(["CONNECT", "TRACE", "TRACK"]);

/** The 405 for a method that a Request cannot have; undefined for every other. */
export function refuseMethod(method: string): Response | undefined {
  if (!FORBIDDEN_METHODS.has(method.toUpperCase())) return undefined;
  const allow = "GET, HEAD, POST, OPTIONS";
  return refusalResponse("METHOD_NOT_ALLOWED", `This method is not served here; allowed are ${allow}.`, { allow });
}

export function refuseUrl(): Response {
  return refusalResponse("INVALID_INPUT", "The request target or its Host header is not a valid URL.");
}
