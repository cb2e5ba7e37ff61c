/** The error by which clients of OpenAI's API know what failed, beside the members of a problem document. */
import type { Problem } from "../http/problem-document.js";

export interface OpenAiError {
  message: string;
  /** Kind of error, in the words of OpenAI's API. */
  type: string;
  /** The code of the problem document. */
  code: string;
  /** The field that is refused. */
  param: string | null;
}

const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "insufficient_quota",
  403: "permission_error",
  429: "rate_limit_error",
};

const typeOf = (status: number): string => TYPES[status] ?? (status >= 500 ? "server_error" : "invalid_request_error");

export function withOpenAiError<P extends Pick<Problem, "code" | "detail" | "issues" | "status">>(
  problem: P,
): P & { error: OpenAiError } {
  const { detail: message, code, status, issues } = problem;
  return { ...problem, error: { message, type: typeOf(status), code, param: issues?.[0]?.path || null } };
}
