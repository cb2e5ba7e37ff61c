/** Gives the price of a call back to the account that it was charged to. */
import { z } from "zod";
import { CapabilityError } from "../../errors.js";
import { once } from "../../lib/lazy.js";
import { fromMicros, type Micros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import type { DurableEvents } from "../durable-events.js";
import type { Emit, RefundedEvent } from "../events.js";
import { walletOfAccount } from "./options.js";
import { type AccountRecord, addEntry, type Entry } from "./record.js";
import type { AccountRecords } from "./records.js";

/** How long a call may be given back by its id. */
const CALL_MS = 400 * DAY_MS;
const STEP = 200;

const callKey = (requestId: string) => `account-call:${requestId}`;

/** The account that a request buys from, and the number of the next entry when it began. */
const notedCall = once(() => z.object({ account: z.string(), from: z.number() }));
export type NotedCall = z.infer<ReturnType<typeof notedCall>>;

/** Notes a call while it runs, so that it is found by its id if it is given back. Resolves to the note's version. */
export const noteCall = (store: Store, requestId: string, call: NotedCall): Promise<number | undefined> =>
  store.put(callKey(requestId), JSON.stringify(call), { ifVersion: 0, ttlMs: CALL_MS });

/** Nothing is charged for a call that failed, so nothing of it stays. */
export async function forgetCall(store: Store, requestId: string, version: number): Promise<void> {
  await store.remove(callKey(requestId), version);
}

interface RefundDeps {
  store: Store;
  records: AccountRecords;
  emit: Emit;
  /** Absent if the host has no webhooks. */
  durable?: Pick<DurableEvents, "foretell"> | undefined;
  now: () => number;
}

export async function notedCallOf(store: Store, requestId: string): Promise<NotedCall | undefined> {
  const found = await store.get(callKey(requestId));
  return found && notedCall().parse(JSON.parse(found.value));
}

export async function refundCall(
  { store, records, emit, durable, now }: RefundDeps,
  requestId: string,
  usd: Micros | undefined,
): Promise<{ account: string; entry: Entry }> {
  const call = await notedCallOf(store, requestId);
  const sale = call && (await findEntry(records, call, { kind: "sale", requestId }));
  if (!call || !sale) throw new CapabilityError("NOT_FOUND", `No account was charged for the call ${requestId} here.`);
  const amount = usd ?? -sale.amount;
  if (amount <= 0n || amount > -sale.amount)
    throw new CapabilityError(
      "INVALID_INPUT",
      `The call was charged ${fromMicros(-sale.amount)} USD; a refund is more than 0 and not more than that.`,
    );
  const { endpoint, key } = sale;
  const reference = `refund:${requestId}`;
  const facts = { endpoint, requestId, reference, ...(key === undefined ? {} : { key }) };
  const told = durable?.foretell({ kind: "account-refund", requestId });
  await told?.stored;
  let added: Entry | undefined;
  const entry = await records.addOnce(call.account, reference, (record: AccountRecord) => {
    added = addEntry(record, { kind: "refund", amount, at: now(), ...facts });
    return added;
  });
  if (entry === added) {
    emit(toldOf(call.account, sale, entry));
    told?.happened();
  } else told?.dropped();
  if (usd === undefined || entry.amount === amount) return { account: call.account, entry };
  throw new CapabilityError(
    "INVALID_INPUT",
    `${fromMicros(entry.amount)} USD of this call were given back before; nothing was booked.`,
  );
}

const toldOf = (account: string, { at, requestId = "", endpoint = "" }: Entry, refund: Entry): RefundedEvent => ({
  ...{ kind: "refund", outcome: "refunded", id: endpoint, requestId, payer: walletOfAccount(account), account },
  refundedUsd: fromMicros(refund.amount),
  durationMs: refund.at - at,
});

/** Entries of a call are not before the one that was the next when the call began. */
export async function findEntry(
  records: AccountRecords,
  { account, from }: NotedCall,
  { kind, requestId }: Pick<Entry, "kind" | "requestId">,
): Promise<Entry | undefined> {
  for (let seq = from; ; seq += STEP) {
    const entries = await records.entriesFrom(account, seq, STEP);
    const found = entries.find((entry) => entry.kind === kind && entry.requestId === requestId);
    if (found || entries.length < STEP) return found;
  }
}
