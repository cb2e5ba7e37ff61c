/** Errors of tasks, and which of them their payers did not cause. */
import { CapabilityError } from "../../errors.js";

const RETRY_AFTER_SECONDS = 2;

export class OutOfTime extends Error {
  constructor(name: string) {
    super(`${name}: the task took too long`);
  }
}

/** Whether a task was ended because it took longer than its `taskMs`. */
export const isOutOfTime = (error: unknown): boolean => error instanceof OutOfTime;

/** Whether a thread ended because it needed more memory than its limits allow. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

/** A failure that its payer did not cause. */
export const excused = ({ code, message }: CapabilityError): CapabilityError =>
  new CapabilityError(code, message, { excused: true });

export const closing = (name: string) =>
  new CapabilityError("OVERLOADED", `${name} is being shut down.`, { excused: true });

export function overloaded(name: string): CapabilityError {
  return new CapabilityError("OVERLOADED", `${name} is busy: try again in ${RETRY_AFTER_SECONDS} seconds.`, {
    excused: true,
    retryAfter: RETRY_AFTER_SECONDS,
  });
}
