import type { BatchFailure, Issue } from "../../src/errors.js";
import type { PaymentRequirements } from "../../src/payment/x402/wire.js";
import type { CallMeta } from "../../src/request/respond.js";

/** The members of all kinds of JSON answers; a test reads those that its answer has. */
export interface Body {
  data: { ok: true; items: Record<string, unknown>[]; total: number };
  meta: CallMeta;
  x402Version: number;
  error: string;
  resource: string;
  accepts: (PaymentRequirements & Record<string, unknown>)[];
  extensions: Record<string, unknown>;
  status: number;
  code: string;
  detail: string;
  issues: Issue[];
  failures: BatchFailure[];
  requestId: string;
}

export const bodyOf = async (response: Response): Promise<Body> => (await response.json()) as Body;
