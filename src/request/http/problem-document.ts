/** Problem details, RFC 9457: the format of every error, including those that occur before a host is known. */
import { ERROR_CODES } from "../../error-codes.js";
import type { CapabilityError, ErrorCode } from "../../errors.js";

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  issues?: { path: string; message: string }[];
  /** Of a call that is not allowed: the code of the service's own policy. */
  reasonCode?: string | undefined;
  failures?: CapabilityError["failures"];
  /** Items that are charged although the rest failed. */
  items?: unknown[];
  requestId: string;
}

export const PROBLEM_TYPE = "application/problem+json";

interface ProblemFacts
  extends Partial<Pick<Problem, "status">>,
    Pick<Problem, "detail" | "requestId" | "issues" | "reasonCode" | "failures"> {
  /** The host's brand; without one the problem has no type of its own. */
  slug?: string;
}

/** The document of an error by its code. */
export function problemDocument(
  code: ErrorCode,
  { slug, detail, requestId, issues, status = ERROR_CODES[code].status, reasonCode, failures }: ProblemFacts,
): Problem {
  const { title } = ERROR_CODES[code];
  return {
    type: slug === undefined ? "about:blank" : `urn:${slug}:problem:${code.toLowerCase().replaceAll("_", "-")}`,
    title,
    status,
    detail,
    code,
    ...(issues ? { issues } : {}),
    ...(reasonCode === undefined ? {} : { reasonCode }),
    ...(failures ? { failures } : {}),
    requestId,
  };
}
