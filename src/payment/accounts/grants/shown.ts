/** Grants as hosts and callers see them, in lists and in events. */
import { createHash } from "node:crypto";
import { fromMicros } from "../../../lib/money.js";
import type { DurableEvents } from "../../events/durable-events.js";
import type { AccountGrant } from "../../options/accounts.js";
import type { StoredGrant, UntoldEvent } from "../record/grant-record.js";

const iso = (at: number): string => new Date(at).toISOString();

export function shownGrant({ id, paid, usd, calls, endpoints, from, until, ...facts }: StoredGrant): AccountGrant {
  const { note, product, title } = facts;
  return {
    id,
    kind: paid ? "paid" : "promotional",
    ...(usd ? { usd: fromMicros(usd.total), leftUsd: fromMicros(usd.left) } : {}),
    ...(calls ? { calls: calls.total, leftCalls: calls.left } : {}),
    ...(endpoints ? { endpoints } : {}),
    from: iso(from),
    ...(until === undefined ? {} : { until: iso(until) }),
    ...(note === undefined ? {} : { note }),
    ...(product === undefined ? {} : { product }),
    ...(title === undefined ? {} : { title }),
  };
}

/** An event of an account or its grant; the same id and time whoever tells it, and however often. */
export function accountEventOf(account: string, event: UntoldEvent): Parameters<DurableEvents["tell"]> {
  // Names of accounts may differ in signs that an event's id has none of.
  const name = createHash("sha256").update(account).digest("hex").slice(0, 16);
  const { type, at } = event;
  if ("closed" in event) return [type, { account, ...event.closed }, { id: `${type}_${name}_${at}`, at }];
  const { grant } = event;
  return [type, { account, grant: shownGrant(grant) }, { id: `${type}_${name}_${grant.id}`, at }];
}
