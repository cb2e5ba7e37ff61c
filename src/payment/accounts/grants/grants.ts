/**
 * Grants of an account. Money of a grant is a part of the balance that is kept for it; its calls stand beside the
 * balance. All changes are made in the account's record, within the step of the call that they belong to.
 */
import { least, type Micros } from "../../../lib/money.js";
import { MINUTE_MS } from "../../../lib/time.js";
import type { GrantPart, StoredGrant } from "../record/grant-record.js";
import { type AccountRecord, heldIn } from "../record/record.js";

export interface GrantedCall {
  endpoint: string;
  parts: readonly string[];
  now: number;
}

export const hasEnded = ({ ended, until = Number.POSITIVE_INFINITY }: StoredGrant, now: number): boolean =>
  ended !== undefined || until <= now;

// guard: grants: one pays for its endpoints alone, and for batches of these |
//   endpoints === undefined -> true | accounts/grants --accounts
const covers = ({ endpoints }: StoredGrant, { endpoint, parts }: GrantedCall): boolean =>
  endpoints === undefined || [endpoint, ...parts].every((one) => endpoints.includes(one));

export const livingGrants = ({ grants = [] }: AccountRecord, now: number): StoredGrant[] =>
  grants
    .filter((grant) => !hasEnded(grant, now))
    // Given before bought, then by their ends. A sort keeps the older one of two first.
    .sort((a, b) => Number(a.paid ?? false) - Number(b.paid ?? false) || compare(a.until, b.until));

const compare = (a = Number.POSITIVE_INFINITY, b = Number.POSITIVE_INFINITY): number => (a === b ? 0 : a - b);

/** Grants that pay for a call now, in the order of their use. */
const openGrants = (record: AccountRecord, asked: GrantedCall): StoredGrant[] =>
  livingGrants(record, asked.now).filter((grant) => grant.from <= asked.now && covers(grant, asked));

/** The part of the balance that no grant and no running call keeps. Below zero for an account in debt. */
export const plainOf = (record: AccountRecord): Micros =>
  record.balance - heldIn(record) - (record.grants ?? []).reduce((sum, { usd }) => sum + (usd?.left ?? 0n), 0n);

/** The part of the balance that some calls cannot spend now: it is kept for other endpoints, or for later. */
export const restrictedOf = (record: AccountRecord, now: number): Micros =>
  livingGrants(record, now)
    .filter(({ endpoints, from }) => endpoints !== undefined || from > now)
    .reduce((sum, { usd }) => sum + (usd?.left ?? 0n), 0n);

/** The money that a call may spend: of the balance, and of the grants that are open to it. */
export const spendableBy = (record: AccountRecord, asked: GrantedCall): Micros =>
  openGrants(record, asked).reduce((sum, { usd }) => sum + (usd?.left ?? 0n), plainOf(record));

const partOf = ({ id, paid, until }: StoredGrant, usd: Micros): GrantPart => ({
  ...{ id, usd },
  ...(paid ? { paid } : {}),
  ...(until === undefined ? {} : { until }),
});

/**
 * The parts of a price that grants pay, in the order of their use. A call of a grant pays the whole price, so it is used
 * where the money before it is too little. Nothing is taken yet.
 */
export function partsFor(record: AccountRecord, price: Micros, asked: GrantedCall): GrantPart[] {
  const parts: GrantPart[] = [];
  let due = price;
  for (const grant of openGrants(record, asked)) {
    if (due === 0n) break;
    // guard: grants: a grant has only so many calls | - && grant.calls?.left !== 0 | accounts/grants --accounts
    const hasCall = grant.usd === undefined && grant.calls?.left !== 0;
    if (hasCall) return [{ ...partOf(grant, price), isCall: true }];
    const usd = least(due, grant.usd?.left ?? 0n);
    if (usd > 0n) parts.push(partOf(grant, usd));
    due -= usd;
  }
  return parts;
}

export const grantOf = ({ grants = [] }: AccountRecord, id: string): StoredGrant | undefined =>
  grants.find((grant) => grant.id === id);

/** Takes parts out of their grants. */
export function takeParts(record: AccountRecord, parts: readonly GrantPart[]): void {
  for (const { id, usd, isCall } of parts) {
    const grant = grantOf(record, id);
    if (isCall && grant?.calls) grant.calls.left -= 1;
    if (!isCall && grant?.usd) grant.usd.left -= usd;
  }
}

/** The grant whose end is why a call is not paid; undefined if there is none. */
export const expiredFor = ({ grants = [] }: AccountRecord, asked: GrantedCall): StoredGrant | undefined =>
  grants.findLast((grant) => grant.ended?.as === "expired" && covers(grant, asked));

/** A closing has so long before the background goes on with it. */
const CLOSING_MS = MINUTE_MS;

/**
 * When the background should look at an account: at once for an event that nobody has told and a purchase without an
 * invoice, as a grant ends, and where its closing or its keeping is over.
 */
export function dueAtOf(record: AccountRecord): number | undefined {
  const { grants = [], untold = [], unbilled = [], closing, closed } = record;
  const ends = grants.flatMap(({ ended, until }) => (ended || until === undefined ? [] : until));
  const ending = [...(closing ? [closing.at + CLOSING_MS] : []), ...(closed ? [closed.keptUntil] : [])];
  const times = [...ends, ...[...untold, ...unbilled].map(({ at }) => at), ...ending];
  return times.length === 0 ? undefined : Math.min(...times);
}
