/** Gives the price of a call back to the account that it was charged to. */
import { CapabilityError } from "../../errors.js";
import { fromMicros, least, type Micros } from "../../lib/money.js";
import type { Store } from "../../stores/store.js";
import type { DurableEvents } from "../events/durable-events.js";
import type { Emit, RefundedEvent } from "../events/events.js";
import { walletOfAccount } from "../options/accounts.js";
import { endGrants, giveBackPart } from "./grants/ends.js";
import { type NotedCall, notedCallOf } from "./notes.js";
import type { GrantPart } from "./record/grant-record.js";
import { type AccountRecord, addEntry, type BalanceEntry } from "./record/record.js";
import type { AccountRecords } from "./records.js";

const STEP = 200;

interface RefundDeps {
  store: Store;
  records: AccountRecords;
  emit: Emit;
  /** Absent if the host has no webhooks. */
  durable?: Pick<DurableEvents, "planEvent"> | undefined;
  now: () => number;
}

export async function refundCall(
  { store, records, emit, durable, now }: RefundDeps,
  requestId: string,
  usd: Micros | undefined,
): Promise<{ account: string; entry: BalanceEntry }> {
  const call = await notedCallOf(store, requestId);
  const sale = call && (await findEntry(records, call, { kind: "sale", requestId }));
  if (!call || !sale) throw new CapabilityError("NOT_FOUND", `No account was charged for the call ${requestId} here.`);
  const amount = usd ?? -sale.amount;
  const parts = usd === undefined ? (sale.grants ?? []) : partsOf(sale, usd);
  const isCall = parts.some((part) => part.isCall);
  if (!isCall && (amount <= 0n || amount > -sale.amount))
    throw new CapabilityError(
      "INVALID_INPUT",
      `The call was charged ${fromMicros(-sale.amount)} USD; a refund is more than 0 and not more than that.`,
    );
  const { endpoint, key } = sale;
  const reference = `refund:${requestId}`;
  const facts = { endpoint, requestId, reference, ...(key === undefined ? {} : { key }) };
  const eventPlan = durable?.planEvent({ kind: "account-refund", requestId });
  await eventPlan?.stored;
  let added: BalanceEntry | undefined;
  const entry = await records.addOnce(call.account, reference, (record: AccountRecord) => {
    endGrants(record, now());
    added = addEntry(record, {
      kind: "refund",
      amount,
      at: now(),
      ...facts,
      ...(parts.length > 0 ? { grants: parts } : {}),
    });
    for (const part of parts) giveBackPart(record, part, now());
    return added;
  });
  if (entry === added) {
    emit(toldOf(call.account, sale, entry));
    eventPlan?.confirm();
  } else eventPlan?.cancel();
  if (usd === undefined || entry.amount === amount) return { account: call.account, entry };
  throw new CapabilityError(
    "INVALID_INPUT",
    `${fromMicros(entry.amount)} USD of this call were given back before; nothing was booked.`,
  );
}

/** Of a part of a price first what the balance paid goes back, then that of the grant that was used last. */
function partsOf({ grants = [], amount }: BalanceEntry, usd: Micros): GrantPart[] {
  const money = grants.filter(({ isCall }) => !isCall);
  let left = usd - (-amount - money.reduce((sum, part) => sum + part.usd, 0n));
  const parts: GrantPart[] = [];
  for (const part of money.toReversed()) {
    const back = least(left > 0n ? left : 0n, part.usd);
    left -= back;
    if (back > 0n) parts.push({ ...part, usd: back });
  }
  return parts;
}

const toldOf = (
  account: string,
  { at, requestId = "", endpoint = "" }: BalanceEntry,
  refund: BalanceEntry,
): RefundedEvent => ({
  ...{ kind: "refund", outcome: "refunded", id: endpoint, requestId, payer: walletOfAccount(account), account },
  refundedUsd: fromMicros(refund.amount),
  durationMs: refund.at - at,
});

/** Entries of a call are not before the one that was the next when the call began. */
export async function findEntry(
  records: AccountRecords,
  { account, from }: NotedCall,
  { kind, requestId }: Pick<BalanceEntry, "kind" | "requestId">,
): Promise<BalanceEntry | undefined> {
  for (let seq = from; ; seq += STEP) {
    const entries = await records.entriesFrom(account, seq, STEP);
    const found = entries.find((entry) => entry.kind === kind && entry.requestId === requestId);
    if (found || entries.length < STEP) return found;
  }
}
