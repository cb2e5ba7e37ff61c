/** How grants end: by their time, or because nothing is left of them. */
import type { GrantPart, StoredGrant } from "../record/grant-record.js";
import { type AccountRecord, addEntry } from "../record/record.js";
import { grantOf, hasEnded } from "./grants.js";

/** Those that ended last are known, to tell why a call is not paid any more. */
const MOST_ENDED = 20;
const LOW = 5n;

/**
 * Gives a part back to its grant. One that has ended does not come back to life: what would be given back to it expires
 * at once.
 */
export function giveBackPart(record: AccountRecord, part: GrantPart, now: number): void {
  const grant = grantOf(record, part.id);
  // guard: grants: an expired one does not come back to life | = false | accounts/grants --accounts
  const isOver = grant?.ended?.as === "expired" || (part.until ?? Number.POSITIVE_INFINITY) <= now;
  if (isOver) lapse(record, part, { hasCount: grant?.calls !== undefined, now });
  // Of one that is forgotten by now the money stays in the balance.
  else if (grant) putBack(grant, part);
}

function putBack(grant: StoredGrant, { isCall, usd }: GrantPart): void {
  delete grant.ended;
  if (isCall && grant.calls) grant.calls.left += 1;
  if (!isCall && grant.usd) grant.usd.left += usd;
}

function lapse(
  record: AccountRecord,
  { id: grant, isCall, usd }: GrantPart,
  { hasCount, now: at }: { hasCount: boolean; now: number },
): void {
  if (isCall && !hasCount) return;
  const lapsed = isCall ? { amount: 0n, calls: -1 } : { amount: -usd };
  addEntry(record, { kind: "expiry", ...lapsed, at, grant });
}

/** Ends grants whose time is over, with an entry for what is left of them; true if there were any. */
export function endGrants(record: AccountRecord, now: number): boolean {
  const { grants } = record;
  if (!grants?.length) return false;
  let ended = false;
  for (const grant of grants) {
    if (grant.ended || !hasEnded(grant, now)) continue;
    ended = true;
    expire(record, grant);
  }
  const isHeld = heldGrants(record);
  for (const grant of grants)
    if (!grant.ended && leftOf(grant) === 0n && !isHeld.has(grant.id)) grant.ended = { at: now, as: "used" };
  const over = grants.filter((grant) => grant.ended);
  const forgotten = new Set(over.slice(0, Math.max(0, over.length - MOST_ENDED)));
  if (forgotten.size > 0) record.grants = grants.filter((grant) => !forgotten.has(grant));
  return ended;
}

/** The rest of a grant; undefined for one without a count. */
const leftOf = ({ usd, calls }: StoredGrant): bigint | undefined => usd?.left ?? (calls && BigInt(calls.left));
const totalOf = ({ usd, calls }: StoredGrant): bigint => usd?.total ?? BigInt(calls?.total ?? 0);

function expire(record: AccountRecord, grant: StoredGrant): void {
  const { until: at = 0, usd, calls } = grant;
  const left = leftOf(grant);
  const shown = structuredClone(grant);
  grant.ended = { at, as: "expired" };
  if (left === 0n) return;
  const lapsed = calls ? { amount: 0n, calls: -calls.left } : { amount: -(usd?.left ?? 0n) };
  addEntry(record, { kind: "expiry", ...lapsed, at, grant: grant.id });
  if (usd) usd.left = 0n;
  if (calls) calls.left = 0;
  record.untold = [...(record.untold ?? []), { type: "grant.expired", at, grant: shown }];
}

const heldParts = ({ holds }: AccountRecord): GrantPart[] => Object.values(holds).flatMap(({ grants = [] }) => grants);
export const heldGrants = (record: AccountRecord): Set<string> => new Set(heldParts(record).map(({ id }) => id));

/** Notes which of the grants that paid a call have a fifth or less left, once for each. */
export function noteLow(record: AccountRecord, parts: readonly GrantPart[], now: number): void {
  for (const { id } of parts) {
    const grant = grantOf(record, id);
    const left = grant && leftOf(grant);
    if (!grant || left === undefined || grant.low || grant.ended) continue;
    const held = heldParts(record)
      .filter((part) => part.id === id)
      .reduce((sum, { usd, isCall }) => sum + (isCall ? 1n : usd), 0n);
    if ((left + held) * LOW > totalOf(grant)) continue;
    // guard: grants: a grant that runs low is told once | gone | accounts/grants
    grant.low = true;
    record.untold = [...(record.untold ?? []), { type: "grant.low", at: now, grant: structuredClone(grant) }];
  }
}
