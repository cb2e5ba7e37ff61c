/** Accounts as the host lists them, with their balance and use. */
import { fromMicros } from "../../lib/money.js";
import type { AccountSummary } from "../options/accounts.js";
import { restrictedOf } from "./grants/grants.js";
import { ACCOUNT, endExpired } from "./holds.js";
import { type AccountRecord, heldIn, signedUsd } from "./record/record.js";
import { currentSpending, noUsage } from "./record/windows.js";

/** An account as it is now. What has ended since it was written is ended in this copy of its record. */
export function summaryOf(account: string, record: AccountRecord, now: number): AccountSummary {
  endExpired(record, now);
  const { day, month } = record.usage[ACCOUNT] ?? noUsage();
  const held = heldIn(record);
  const restricted = restrictedOf(record, now);
  const keys = Object.values(record.keys).filter(
    ({ revokedAt, expiresAt = Number.POSITIVE_INFINITY }) => revokedAt === undefined && expiresAt > now,
  );
  const { frozen, closed } = record;
  return {
    account,
    ...{ availableUsd: signedUsd(record.balance - held), heldUsd: fromMicros(held) },
    ...(restricted > 0n ? { restrictedUsd: fromMicros(restricted) } : {}),
    usedTodayUsd: fromMicros(currentSpending(day, "day", now).spent),
    usedThisMonthUsd: fromMicros(currentSpending(month, "month", now).spent),
    keys: keys.length,
    ...(frozen ? { frozen: { at: new Date(frozen.at).toISOString(), ...reasonIn(frozen) } } : {}),
    ...(closed ? { closed: { at: isoOf(closed.at), keptUntil: isoOf(closed.keptUntil) } } : {}),
  };
}

const isoOf = (at: number) => new Date(at).toISOString();

const reasonIn = ({ reason }: { reason?: string | undefined }) => (reason === undefined ? {} : { reason });

/** Whether one of its keys has a label that contains the text, in whatever case. */
export const hasLabel = ({ keys }: AccountRecord, text: string): boolean =>
  Object.values(keys).some(({ label }) => label?.toLowerCase().includes(text.toLowerCase()));
