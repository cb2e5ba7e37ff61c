/** Accounts that the host has frozen: nothing is bought from them, and nothing is sold into them. */
import { CapabilityError } from "../../../errors.js";
import type { AccountRecord } from "./record.js";

/** Throws NOT_ALLOWED with the host's reason. */
export function assertNotFrozen(record: AccountRecord | undefined): void {
  if (record?.closing)
    throw new CapabilityError("NOT_ALLOWED", "The account is being closed. Nothing was charged.", {
      reasonCode: "ACCOUNT_CLOSING",
    });
  if (!record?.frozen) return;
  const { reason } = record.frozen;
  throw new CapabilityError(
    "NOT_ALLOWED",
    `The account is frozen${reason === undefined ? "." : `: ${reason}`} Its balance stays, and nothing was charged.`,
    { reasonCode: "ACCOUNT_FROZEN" },
  );
}
