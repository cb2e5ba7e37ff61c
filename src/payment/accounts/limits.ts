/** Admits a call within the limits of an account and of its key. */
import { CapabilityError } from "../../errors.js";
import { fromMicros, type Micros, toMicros } from "../../lib/money.js";
import type { AccountLimits } from "../options/accounts.js";
import { PaymentRefused } from "../x402/refusal.js";
import { payersOf } from "./allowances.js";
import { expiredFor, spendableBy, takeParts } from "./grants/grants.js";
import { ACCOUNT, freePartOf, SPENDING, useFree } from "./holds.js";
import type { LimitedCall, Meter, Running } from "./metered.js";
import type { AccountRecord, Hold, Usage } from "./record/record.js";
import {
  currentFree,
  currentSpending,
  endOf,
  noteCalls,
  noUsage,
  recentCalls,
  sumOf,
  untilFree,
} from "./record/windows.js";

/** Calls of an account under way at once: each step of a call writes the holds of all. */
const MOST_HOLDS = 500;

/** The usage of a meter now. */
function usageOf(record: AccountRecord, id: string, now: number): Usage {
  const { minute, hour, day, month, free } = record.usage[id] ?? noUsage();
  return {
    minute: recentCalls(minute, now),
    hour: currentSpending(hour, "hour", now),
    day: currentSpending(day, "day", now),
    month: currentSpending(month, "month", now),
    free: currentFree(free, now),
  };
}

/**
 * Reserves what a call may use, in the record. Throws RATE_LIMITED, or PaymentRefused where a payment would buy the call
 * nevertheless; the record is then unchanged.
 */
export function admit(record: AccountRecord, meters: readonly Meter[], asked: LimitedCall): Hold {
  const { price, now, lease, order } = asked;
  // guard: accounts: calls under way have a bound | gone | accounts/crowd
  if (Object.keys(record.holds).length >= MOST_HOLDS) throw tooManyAtOnce();
  const running = meters.map((meter): Running => ({ ...meter, usage: usageOf(record, meter.id, now) }));
  for (const meter of running) assertEndpoint(meter, asked);
  for (const meter of running) assertPace(meter, asked);
  const { free, grants } = payersOf(record, running, asked);
  const amount = price - freePartOf({ free, grants });
  for (const meter of running) assertSpending(meter, amount, now);
  assertBalance(record, amount, asked);

  const windows: Hold["windows"] = [0, 0, 0];
  for (const { id, usage, limits } of running) {
    if (limits.perMinute !== undefined) noteCalls(usage.minute, callsOf(asked), { most: limits.perMinute, now });
    for (const [i, [period]] of SPENDING.entries()) {
      usage[period].spent += amount;
      windows[i] = usage[period].start;
    }
    record.usage[id] = usage;
  }
  for (const part of free) useFree(record, part, 1n);
  takeParts(record, grants);
  const meterIds = running.map(({ id }) => id);
  const { leaseUntil: until, owner } = lease;
  const byGrants = grants.length === 0 ? {} : { grants };
  return {
    amount,
    until,
    owner,
    windows,
    meters: meterIds,
    free,
    ...byGrants,
    ...(order === undefined ? {} : { order }),
  };
}

/** Each call of a batch counts. */
const callsOf = ({ parts }: LimitedCall): number => Math.max(1, parts.length);

export function assertEndpoint(
  { limits: { endpoints, groups = [] }, id }: Meter,
  { endpoint, parts }: Pick<LimitedCall, "endpoint" | "parts">,
): void {
  // guard: accounts: the parts of a batch are within the endpoints of an account | - , ...parts | kinds
  const other = [endpoint, ...parts].find((one) => !mayCall({ endpoints, groups }, one));
  if (other === undefined) return;
  const all = [...(endpoints ?? []), ...groups.map((group) => `${group}.*`)].join(", ");
  throw limited(`${ownerOf(id)} may not call ${other}. It may call: ${all}.`);
}

const mayCall = ({ endpoints, groups = [] }: Meter["limits"], endpoint: string): boolean =>
  endpoints === undefined || endpoints.includes(endpoint) || groups.some((group) => endpoint.startsWith(`${group}.`));

/** As they are stored: groups stand beside a list of endpoints, perhaps an empty one, which is a limit by itself. */
export const storedLimits = (limits: AccountLimits): AccountLimits =>
  limits.groups === undefined ? { ...limits } : { endpoints: [], ...limits };

function assertPace({ limits: { perMinute }, usage, id }: Running, asked: LimitedCall): void {
  if (perMinute === undefined) return;
  const calls = callsOf(asked);
  const over = sumOf(usage.minute) + calls - perMinute;
  if (over <= 0) return;
  const retryAfter = Math.max(1, Math.ceil(untilFree(usage.minute, over, asked.now) / 1000));
  const wait = calls > perMinute ? "which a batch of so many never fits into" : `next in ${retryAfter} seconds`;
  throw new CapabilityError("RATE_LIMITED", `${ownerOf(id)} may make ${perMinute} calls a minute; ${wait}.`, {
    retryAfter,
  });
}

function assertSpending({ limits, usage, id }: Running, amount: Micros, now: number): void {
  for (const [period, name] of SPENDING) {
    const cap = limits[name];
    if (cap === undefined || amount === 0n) continue;
    const { spent, start } = usage[period];
    if (spent + amount <= toMicros(cap)) continue;
    const left = toMicros(cap) > spent ? toMicros(cap) - spent : 0n;
    const text = `${ownerOf(id)} may spend ${cap} USD ${period === "day" ? "a day" : period === "hour" ? "an hour" : "a month"}; ${fromMicros(left)} USD are left, and this call costs ${fromMicros(amount)} USD.`;
    // A call that costs more than the limit will not fit later either.
    const waits = amount <= toMicros(cap);
    throw limited(text, waits ? Math.max(1, Math.ceil((endOf[period](start) - now) / 1000)) : undefined);
  }
}

function assertBalance(record: AccountRecord, amount: Micros, asked: LimitedCall): void {
  // guard: accounts: what other calls hold is not available | = record.balance | book --accounts
  const available = spendableBy(record, asked);
  if (amount === 0n || amount <= available) return;
  const { topUpUrl } = asked;
  const missing = amount - available;
  const has = available > 0n ? fromMicros(available) : "0";
  const expired = expiredFor(record, asked);
  const told = expired && { code: "GRANT_EXPIRED" as const, grant: expired.id, expiredAt: isoOf(expired.ended?.at) };
  throw new PaymentRefused(
    told?.code ?? "BALANCE_TOO_SMALL",
    `${told ? `The grant ${told.grant} expired at ${told.expiredAt}. ` : ""}The account has ${has} USD available, and this call costs ${fromMicros(amount)} USD: ${fromMicros(missing)} USD are missing. Top it up${topUpUrl ? ` at ${topUpUrl}` : ""}, or pay for the call.`,
    {
      problem: {
        ...{ availableUsd: has, missingUsd: fromMicros(missing) },
        ...(told ? { grant: told.grant, expiredAt: told.expiredAt } : {}),
        ...(topUpUrl ? { topUpUrl } : {}),
      },
    },
  );
}

const isoOf = (at = 0): string => new Date(at).toISOString();

/** Headers of draft-ietf-httpapi-ratelimit-headers about the pace of a caller. */
export function paceHeaders(record: AccountRecord, meters: readonly Meter[], now: number): Record<string, string> {
  const paced = meters.flatMap(({ id, limits }) =>
    limits.perMinute === undefined ? [] : [{ name: id === ACCOUNT ? "account" : "key", most: limits.perMinute, id }],
  );
  if (paced.length === 0) return {};
  const policies = paced.map(({ name, most }) => `"${name}";q=${most};w=60`);
  const states = paced.map(({ name, most, id }) => {
    const minute = recentCalls(record.usage[id]?.minute ?? [], now);
    const left = Math.max(0, most - sumOf(minute));
    const seconds = minute.length === 0 ? 60 : Math.max(1, Math.ceil(untilFree(minute, 1, now) / 1000));
    return `"${name}";r=${left};t=${seconds}`;
  });
  return { "ratelimit-policy": policies.join(", "), ratelimit: states.join(", ") };
}

const tooManyAtOnce = () =>
  new CapabilityError(
    "RATE_LIMITED",
    `The account has ${MOST_HOLDS} calls under way, the maximum: wait until one ends. Nothing was charged.`,
    { retryAfter: 1 },
  );

const ownerOf = (meter: string): string => (meter === ACCOUNT ? "The account" : "The key");

const limited = (text: string, retryAfter?: number): PaymentRefused =>
  new PaymentRefused("ACCOUNT_LIMIT", text, { problem: {}, ...(retryAfter === undefined ? {} : { retryAfter }) });
