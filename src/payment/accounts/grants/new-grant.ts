/** Adds a grant to an account, with its entry in the book. */
import { CapabilityError } from "../../../errors.js";
import type { Micros } from "../../../lib/money.js";
import type { StoredGrant } from "../record/grant-record.js";
import { type AccountRecord, addEntry } from "../record/record.js";
import { endGrants, heldGrants } from "./ends.js";
import { livingGrants } from "./grants.js";

/** Of an account at once. */
const MOST_GRANTS = 100;
/** Of bought money without a limit and an end; the oldest of more become one. */
const MOST_PLAIN = 20;

/** Throws QUOTA_EXCEEDED. */
export function assertRoom(record: AccountRecord, now: number): void {
  if (livingGrants(record, now).length >= MOST_GRANTS)
    throw new CapabilityError("QUOTA_EXCEEDED", `An account has at most ${MOST_GRANTS} grants at once.`);
}

export type NewGrant = Omit<StoredGrant, "id" | "usd" | "calls" | "low" | "ended"> & { usd?: Micros; calls?: number };

/** Adds a grant with its entry in the book. Throws QUOTA_EXCEEDED; for what is paid already there is always room. */
export function addGrant(
  record: AccountRecord,
  { usd, calls, ...facts }: NewGrant,
  { now, reference }: { now: number; reference?: string | undefined },
): StoredGrant {
  endGrants(record, now);
  // guard: grants: an account has only so many | gone | accounts/grants
  if (!facts.paid) assertRoom(record, now);
  const entry = addEntry(record, {
    ...{ kind: "grant", amount: usd ?? 0n, at: now },
    ...(calls === undefined ? {} : { calls }),
    ...(reference === undefined ? {} : { reference }),
    ...(facts.note === undefined ? {} : { note: facts.note }),
  });
  const id = `grant_${entry.seq}`;
  entry.grant = id;
  const grant: StoredGrant = {
    id,
    ...facts,
    ...(usd === undefined ? {} : { usd: { total: usd, left: usd } }),
    ...(calls === undefined ? {} : { calls: { total: calls, left: calls } }),
  };
  record.grants = foldPlain([...(record.grants ?? []), grant], heldGrants(record));
  return grant;
}

/** Whether it is bought money for everything, without an end. */
export const isPlain = ({ paid, usd, endpoints, until, ended, product }: StoredGrant): boolean =>
  paid === true &&
  product === undefined &&
  usd !== undefined &&
  endpoints === undefined &&
  until === undefined &&
  !ended;

/** The oldest go into those after them. What a call holds is given back to its own grant, which therefore stays. */
function foldPlain(grants: StoredGrant[], isHeld: ReadonlySet<string>): StoredGrant[] {
  const plain = grants.filter((grant) => isPlain(grant) && !isHeld.has(grant.id));
  const folded = plain.slice(0, Math.max(0, plain.length - MOST_PLAIN));
  for (const [i, { usd }] of folded.entries()) {
    const next = plain[i + 1]?.usd;
    if (!usd || !next) continue;
    next.total += usd.left;
    next.left += usd.left;
  }
  return grants.filter((grant) => !folded.includes(grant));
}
