/** The errors that end a stream, and the event that tells them. */
import { CapabilityError } from "../../errors.js";
import type { Call } from "../call.js";
import { withOpenAiError } from "../openai/error.js";
import { problemOf } from "../problem.js";

/** The reader left before the end: it pays for what it got, and did not fail. */
export const LEFT = new CapabilityError("UPSTREAM_ERROR", "The reader of the stream left before its end.");

export const CEILING = new CapabilityError(
  "SPENDING_LIMIT",
  "The stream reached the sum that was paid for, and ends here. What follows is sold by another call.",
  { excused: true },
);

/** Counts as a failure of its buyer, for whom a chunk was made and not paid. */
export const UNPAID = new CapabilityError(
  "SPENDING_LIMIT",
  "No further voucher came in time, so the stream ends with what was paid for. What follows is sold by another call.",
);

/** Answer to a payment whose stream ended with its process. */
export const BROKE_OFF = new CapabilityError(
  "UPSTREAM_ERROR",
  "The service stopped in the middle of this stream. Only what it had sent until then is charged; what follows is sold by another call.",
);

export const tooLong = (bytes: number) =>
  new CapabilityError(
    "OVERLOADED",
    `The stream is longer than the ${bytes} bytes that this service keeps of an answer.`,
  );

/** A problem document as JSON, with the member by which clients of OpenAI's API know an error. */
export function errorData(call: Call, error: CapabilityError, isReturned = false): string {
  const problem = problemOf(call, error);
  if (isReturned) problem.detail += " Your payment for this call is being refunded.";
  return JSON.stringify(withOpenAiError(problem));
}

export const errorEvent = (...of: Parameters<typeof errorData>): string =>
  `event: error\ndata: ${errorData(...of)}\n\n`;
