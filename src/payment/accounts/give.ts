/** Books a grant once for its reference. */
import { CapabilityError } from "../../errors.js";
import { addGrant, type NewGrant } from "./grants/new-grant.js";
import type { StoredGrant } from "./record/grant-record.js";
import type { AccountRecord, BalanceEntry } from "./record/record.js";
import type { AccountRecords } from "./records.js";

interface Giving {
  id: string;
  grant: NewGrant;
  /** Its time, if that depends on what the account has. */
  timeOf?: (record: AccountRecord) => Pick<NewGrant, "from" | "until">;
  /** Writes more of it, in the same step. */
  also?: ((record: AccountRecord) => void) | undefined;
  /** Names it in the book, so that it is booked once. */
  name: string | undefined;
  now: number;
}

export async function giveGrant(
  records: AccountRecords,
  { id, grant, timeOf, also, name, now }: Giving,
): Promise<StoredGrant> {
  if (name === undefined)
    return records.change(id, (record) => structuredClone(addGrant(record, grant, { now })), { create: true });
  const add = (record: AccountRecord): BalanceEntry => {
    // Read within the change, or two passes that are bought at once would begin together.
    const { id: added } = addGrant(record, { ...grant, ...timeOf?.(record) }, { now, reference: name });
    also?.(record);
    return record.recent.find((entry) => entry.grant === added) as BalanceEntry;
  };
  const entry = await records.addOnce(id, name, add, { create: true });
  const { usd, calls } = grant;
  if (entry.amount !== (usd ?? 0n) || entry.calls !== calls)
    throw new CapabilityError(
      "INVALID_INPUT",
      `The reference "${name.slice(name.indexOf(":") + 1)}" was used for another grant before; nothing was booked.`,
    );
  const there = (await records.read(id))?.grants?.find((one) => one.id === entry.grant);
  return structuredClone(there ?? endedGrant(entry, grant));
}

/** A grant that is forgotten by now, of which nothing is left. */
const endedGrant = ({ grant: id = "" }: BalanceEntry, { usd, calls, ...facts }: NewGrant): StoredGrant => ({
  ...{ id, ...facts },
  ...(usd === undefined ? {} : { usd: { total: usd, left: 0n } }),
  ...(calls === undefined ? {} : { calls: { total: calls, left: 0 } }),
});
