/** A call, and the limits that count it. */
import type { Micros } from "../../lib/money.js";
import type { Taken } from "../../stores/owner.js";
import type { AccountLimits } from "../options/accounts.js";
import type { Usage } from "./record/record.js";

/** A set of limits with its count: that of the account, or of a key. */
export interface Meter {
  /** `account`, or the meter of a key. */
  id: string;
  limits: AccountLimits;
}

export interface LimitedCall {
  price: Micros;
  /** The endpoint, and those of its parts. */
  endpoint: string;
  parts: readonly string[];
  lease: Taken;
  /** The purchase of an Idempotency-Key. */
  order?: string | undefined;
  now: number;
  topUpUrl?: string | undefined;
}

/** A meter with its usage, which `admit` changes. */
export type Running = Meter & { usage: Usage };
