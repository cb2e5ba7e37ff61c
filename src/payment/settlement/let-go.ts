/** Gives back the credit that a broken-off or failed call holds, and forgets its payment, which can be used again. */
import { heldFor, type PaymentRecord } from "../record/record.js";
import type { Records, VersionedRecord } from "../record/records.js";
import type { Credits } from "../refund/credit.js";
import type { Exposure } from "./exposure.js";

/** Resolves to false if another process holds the payment by now. */
export type LetGo = (key: string, found: VersionedRecord) => Promise<boolean>;

export interface LetGoOptions {
  records: Pick<Records, "write" | "remove">;
  credits: Pick<Credits, "capture">;
  exposure: Pick<Exposure, "free">;
  now: () => number;
}

export const createLetGo =
  ({ records, credits, exposure, now }: LetGoOptions): LetGo =>
  async (key, { record, version }) => {
    const { byCredit, payment } = record;
    let at: number | undefined = version;
    if (byCredit) {
      // A holder that was only frozen can write nothing after this, and the background repeats what a crash leaves.
      at = await records.write(key, version, { ...record, leaseUntil: 0 } as PaymentRecord, now());
      if (at === undefined) return false;
      await credits.capture(byCredit.id, heldFor(key, record), 0n);
    }
    // guard: a payment refused as too late is taken from all who hold it | gone | PAYMENT
    if (!(await records.remove(key, at))) return false;
    await exposure.free(payment);
    return true;
  };
