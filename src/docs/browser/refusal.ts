/** An answer that is neither a result nor a price: a problem in words, and whether money may have moved. */

import { parsed } from "./result/result.js";
import { h } from "./shared/dom.js";
import type { Issue } from "./shared/part.js";

export interface Problem {
  title?: string;
  detail?: string;
  code?: string;
  requestId?: string;
  issues?: Issue[];
}

/** `complain` shows the issues at their fields. */
export async function refusal(
  response: Response,
  isPaid: boolean,
  complain: (issues: Issue[]) => void,
): Promise<HTMLElement> {
  const text = await response.text();
  const problem = parsed(text) as Problem | undefined;
  if (!problem || typeof problem !== "object")
    return h("div", {}, h("p", { class: "issue" }, `The service answered ${response.status}: ${text.slice(0, 500)}`));
  const issues = problem.issues ?? [];
  complain(issues);
  return h(
    "div",
    {},
    h("h3", {}, `${response.status} ${problem.code ?? problem.title ?? ""}`),
    h("p", { class: "issue" }, problem.detail ?? problem.title),
    issues.length > 0 &&
      h(
        "ul",
        {},
        issues.map(({ path, message }) => h("li", {}, h("code", {}, path), `: ${message}`)),
      ),
    h("p", { class: "about" }, `${chargeOf(problem.code, isPaid)} Request ${problem.requestId ?? ""}`),
  );
}

/** Whether money may have moved: after a payment only the service's own sentence tells. */
function chargeOf(code: string | undefined, isPaid: boolean): string {
  if (!isPaid) return "Nothing was charged.";
  return code === "SETTLEMENT_PENDING" ? "Your payment is not settled yet." : "Your payment is taken once at most.";
}
