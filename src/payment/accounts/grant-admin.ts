/** The host's side of grants: gives them, and lists what is left. */

import { fromMicros, toMicros } from "../../lib/money.js";
import { type Check, listOf } from "../../lib/options/check.js";
import { count, text } from "../../lib/options/kinds.js";
import { DAY_MS } from "../../lib/time.js";
import type { AccountGrant } from "../options/accounts.js";
import { assertAccount, assertText, exactUsdOf, momentOf } from "./admin-checks.js";
import type { AccountBook } from "./book.js";
import { livingGrants } from "./grants/grants.js";
import type { NewGrant } from "./grants/new-grant.js";
import { shownGrant } from "./grants/shown.js";
import { ACCOUNT } from "./holds.js";
import type { AccountRecord } from "./record/record.js";
import { currentFree, endOf, noUsage } from "./record/windows.js";

/** Money or calls, of which it has one. */
export interface GivenGrant {
  /** Decimal USD as text, such as "5.00". */
  usd?: string;
  calls?: number;
  /** Ids of the endpoints that it pays for; a batch counts with all of its calls. Default: all. */
  endpoints?: readonly string[];
  /**
   * The first moment, and the first one after its end: a Date, a time in ISO 8601 with its zone, or a day of UTC, of which
   * `until` has all. Default: now, and without an end.
   */
  from?: string | Date;
  until?: string | Date;
  note?: string;
  /** Names it: the same grant given again under the same reference is one. */
  reference?: string;
}

const ENDPOINTS: Check = listOf(text('the id of an endpoint, such as "convert.unit"'), { least: 1, most: 500 });
const MEMBERS = ["usd", "calls", "endpoints", "from", "until", "note", "reference"];

interface GrantAdminOptions {
  book: Pick<AccountBook, "records" | "give">;
  now: () => number;
  isMounted(endpoint: string): boolean;
}

export interface GrantAdmin {
  grant(account: string, given: GivenGrant): Promise<AccountGrant>;
  grants(account: string): Promise<AccountGrant[]>;
}

export function createGrantAdmin({ book, now, isMounted }: GrantAdminOptions): GrantAdmin {
  return {
    async grant(account, given) {
      assertAccount(account);
      return shownGrant(await book.give(account, checkedGrant(given, now(), isMounted), given.reference));
    },
    async grants(account) {
      assertAccount(account);
      await book.records.tend(account);
      const shown = (record: AccountRecord) => [
        ...monthly(record, now()),
        ...livingGrants(record, now())
          .filter(({ usd, calls }) => usd?.left !== 0n && calls?.left !== 0)
          .map(shownGrant),
      ];
      return book.records.change(account, shown, { writes: () => false });
    },
  };
}

function checkedGrant(given: unknown, at: number, isMounted: (id: string) => boolean): NewGrant {
  if (typeof given !== "object" || given === null) throw new TypeError("grant needs usd or calls.");
  const other = Object.keys(given).find((name) => !MEMBERS.includes(name));
  if (other !== undefined) throw new TypeError(`grant has no member "${other}"; it has ${MEMBERS.join(", ")}.`);
  const { endpoints, note, reference } = given as GivenGrant;
  if (note !== undefined) assertText("note", note, 500);
  if (reference !== undefined) assertText("reference", reference, 255);
  if (endpoints !== undefined) ENDPOINTS("endpoints", endpoints);
  const unknown = endpoints?.find((id) => !isMounted(id));
  if (unknown !== undefined) throw new TypeError(`endpoints: no endpoint "${unknown}" is mounted here.`);
  return {
    ...worthOf(given),
    ...(endpoints === undefined ? {} : { endpoints: [...new Set(endpoints)] }),
    ...timeOf(given, at),
    ...(note === undefined ? {} : { note }),
  };
}

function worthOf({ usd, calls }: GivenGrant): Pick<NewGrant, "usd" | "calls"> {
  if ((usd === undefined) === (calls === undefined)) throw new TypeError("grant needs either usd or calls.");
  if (usd === undefined) {
    count(1, 1_000_000_000)("calls", calls);
    return { calls: calls as number };
  }
  const amount = exactUsdOf(usd);
  if (amount <= 0n) throw new TypeError(`usd must be above 0, not "${usd}".`);
  return { usd: amount };
}

function timeOf({ from, until }: GivenGrant, at: number): Pick<NewGrant, "from" | "until"> {
  const begins = from === undefined ? at : zonedMoment("from", from);
  if (until === undefined) return { from: begins };
  const ends = zonedMoment("until", until) + (isDay(until) ? DAY_MS : 0);
  if (ends <= Math.max(begins, at)) throw new TypeError("until must be in the future, and after from.");
  return { from: begins, until: ends };
}

const isDay = (value: unknown): boolean => typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value);

/** A time without a zone would be the server's own, which differs from machine to machine. */
function zonedMoment(name: string, value: unknown): number {
  if (typeof value === "string" && !isDay(value) && !/(?:Z|[+-]\d\d:?\d\d)$/i.test(value))
    throw new TypeError(`${name} needs its zone, as in "2030-01-31T00:00:00+01:00", or a day alone.`);
  return momentOf(name, value);
}

/** The allowance of the account's own limits in this month. Those of keys are the keys' own. */
function monthly({ limits: { freePerMonth }, usage }: AccountRecord, at: number): AccountGrant[] {
  const { start, usd, calls } = currentFree((usage[ACCOUNT] ?? noUsage()).free, at);
  const time = { from: new Date(start).toISOString(), until: new Date(endOf.month(start)).toISOString() };
  const left = freePerMonth?.usd === undefined ? 0n : toMicros(freePerMonth.usd) - usd;
  const mostUsed = Math.max(0, ...Object.values(calls));
  return [
    ...(freePerMonth?.calls === undefined
      ? []
      : [
          {
            ...{ id: "monthly_calls", kind: "monthly" as const, calls: freePerMonth.calls },
            ...{ leftCalls: Math.max(0, freePerMonth.calls - mostUsed), ...time },
            note: "Calls of each endpoint; leftCalls is of the one that was called most.",
          },
        ]),
    ...(freePerMonth?.usd === undefined
      ? []
      : [
          {
            ...{ id: "monthly_usd", kind: "monthly" as const, usd: freePerMonth.usd },
            ...{ leftUsd: fromMicros(left > 0n ? left : 0n), ...time },
          },
        ]),
  ];
}
