/**
 * Requests of buyers for their money. A request is one record, so copies and instances agree on what became of it; the
 * refund itself is the host's own, which is made once, whoever asks for it.
 */
import { createHash } from "node:crypto";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { update } from "../../stores/update.js";
import type { DurableEvents } from "../events/durable-events.js";
import { type Asking, type AskingDeps, createAsking, refused } from "./asking.js";
import {
  type PaidCall,
  paidCallKey,
  type RequestedRefund,
  request,
  requestPrefix,
  type StoredRequest,
  shownRequest,
} from "./record.js";

const KEPT_MS = 400 * DAY_MS;
const LIST = 100;

/** A refund that was made, or is on its way. */
export interface MadeRefund {
  state: "returned" | "credited" | "owed";
  usd: string;
  transaction?: string;
  /** Of credit: its token, which is the buyer's. */
  creditToken?: string;
}

export interface RequestsQuery {
  /** Default: all. */
  state?: RequestedRefund["state"];
  /** Id of the request to begin after. */
  after?: string;
}

export interface RefundRequests {
  /** Remembers a call that a wallet paid for, for as long as it may ask. */
  note(requestId: string, call: PaidCall): Promise<void>;
  /**
   * The buyer's request, whatever became of it. Rejects with NOT_FOUND for a call of others as for an unknown one, with
   * REFUND_NOT_ALLOWED, or RATE_LIMITED.
   */
  ask(by: Asking, asked: { requestId: string; reason?: string | undefined }): Promise<RequestedRefund & MadeToken>;
  /** Up to 100 requests, in the order of their ids. */
  list(query?: RequestsQuery): Promise<RequestedRefund[]>;
  /** Rejects with NOT_FOUND, or with REFUND_NOT_ALLOWED for a request that was declined. */
  approve(requestId: string, by: string, usd?: string): Promise<RequestedRefund & MadeToken>;
  decline(requestId: string, by: string, note: string): Promise<RequestedRefund>;
}

type MadeToken = Pick<MadeRefund, "creditToken">;

interface RequestsOptions extends AskingDeps {
  now: () => number;
  /** Gives the price back, or a part of it, once; `by` is noted. */
  refund(requestId: string, by: string, usd: string | undefined): Promise<MadeRefund>;
  tell: DurableEvents["tell"] | undefined;
}

/** Whose money may be on its way, or whose token is not told yet: asking again goes on with it. */
const isOpen = ({ state }: StoredRequest): boolean => state === "approved" || state === "owed" || state === "credited";

export function createRefundRequests(options: RequestsOptions): RefundRequests {
  const { store, host, now, policy, tell } = options;
  const keyOf = (requestId: string) => requestPrefix(host) + requestId;
  const { saleOf, assertAsksSeldom, mayBeAtOnce } = createAsking(options);

  async function find(requestId: string): Promise<StoredRequest | undefined> {
    const found = await store.get(keyOf(requestId));
    return found && request().parse(JSON.parse(found.value));
  }

  /** Changes a request that is in one of these states; undefined if it is in another one. */
  async function change(
    requestId: string,
    from: readonly StoredRequest["state"][],
    facts: Partial<StoredRequest>,
  ): Promise<StoredRequest | undefined> {
    return update<StoredRequest | undefined>(store, { key: keyOf(requestId), ttlMs: KEPT_MS }, (text) => {
      const there = text === undefined ? undefined : request().parse(JSON.parse(text));
      if (!there) throw new CapabilityError("NOT_FOUND", `No refund was asked for the call ${requestId}.`);
      if (!from.includes(there.state)) return { value: undefined, result: undefined };
      const next = { ...there, ...facts };
      return { value: JSON.stringify(next), result: next };
    });
  }

  /** Tells the host; the same event, however often it is repeated. */
  async function tellHost(queued: StoredRequest): Promise<void> {
    const { requestId, askedAt } = queued;
    const id = `refund.requested_${createHash("sha256").update(requestId).digest("hex").slice(0, 32)}`;
    await tell?.("refund.requested", shownRequest(queued), { id, at: askedAt });
  }

  /** Makes the refund of a request that is approved; it can be repeated after a crash. */
  async function settle(approved: StoredRequest, by: string): Promise<RequestedRefund & MadeToken> {
    const { requestId, part } = approved;
    const made = await options.refund(requestId, by, part).catch((error: unknown) => wait(approved, error));
    if ("requestId" in made) return made;
    const { creditToken, usd, ...facts } = made;
    const done = await change(requestId, ["approved", "owed", "credited"], { ...facts, part: usd });
    const told = shownRequest(done ?? { ...approved, ...facts, part: usd });
    return creditToken === undefined ? told : { ...told, creditToken };
  }

  /** A sale that the ledger has not yet, or that is given back or used up by now, waits for the host. */
  async function wait(approved: StoredRequest, error: unknown): Promise<RequestedRefund> {
    if (!CapabilityError.is(error) || !["NOT_FOUND", "INVALID_INPUT"].includes(error.code)) throw error;
    const note = error.message.slice(0, 500);
    const queued = await change(approved.requestId, ["approved"], { state: "queued", note });
    if (queued) await tellHost(queued);
    // guard: refund requests: a part that is given back already is not given back again | never |
    //   accounts/refund-requests
    if (error.code === "INVALID_INPUT") throw refused("NOT_LEFT", note.replace(/\.?$/, "."));
    return shownRequest(queued ?? approved);
  }

  /** Goes on with a request that is there. */
  async function goOn(there: StoredRequest, by: string): Promise<RequestedRefund & MadeToken> {
    if (isOpen(there)) return settle(there, by);
    if (there.state === "queued") await tellHost(there);
    return shownRequest(there);
  }

  async function* all(after: string | undefined): AsyncGenerator<StoredRequest, void> {
    const prefix = requestPrefix(host);
    for (let last = after === undefined ? undefined : prefix + after; ; ) {
      const page = await store.list(prefix, { limit: LIST, ...(last === undefined ? {} : { after: last }) });
      for (const { value } of page) yield request().parse(JSON.parse(value));
      last = page.at(-1)?.key;
      if (page.length < LIST) return;
    }
  }

  return {
    async note(requestId, call) {
      const ttlMs = (policy.withinDays + 1) * DAY_MS;
      await store.put(paidCallKey(host, requestId), JSON.stringify(call), { ifVersion: 0, ttlMs });
    },
    async ask(by, { requestId, reason }) {
      // guard: refund requests: a buyer asks so often in a day | gone | accounts/refund-requests
      await assertAsksSeldom(by);
      const sale = await saleOf(by, requestId);
      const there = await find(requestId);
      if (there) return goOn(there, by.name);
      // guard: refund requests: they are in time | never | accounts/refund-requests
      if (now() - sale.soldAt > policy.withinDays * DAY_MS)
        throw refused("TOO_LATE", `Refunds are asked for within ${policy.withinDays} days.`);
      const decided = (await mayBeAtOnce(by, sale))
        ? { state: "approved" as const, by: "policy", decidedAt: now() }
        : { state: "queued" as const };
      const asked: StoredRequest = { requestId, ...sale, askedAt: now(), ...(reason ? { reason } : {}), ...decided };
      const isFirst = await store.put(keyOf(requestId), JSON.stringify(asked), { ifVersion: 0, ttlMs: KEPT_MS });
      return goOn(isFirst === undefined ? ((await find(requestId)) ?? asked) : asked, by.name);
    },
    async list({ state, after } = {}) {
      const found: RequestedRefund[] = [];
      for await (const one of all(after)) {
        if (state === undefined || one.state === state) found.push(shownRequest(one));
        if (found.length === LIST) break;
      }
      return found;
    },
    async approve(requestId, by, usd) {
      const facts = { state: "approved" as const, by, decidedAt: now(), ...(usd === undefined ? {} : { part: usd }) };
      const approved = await change(requestId, ["queued"], facts);
      if (approved) return settle(approved, by);
      const there = await find(requestId);
      if (there && isOpen(there)) return settle(there, by);
      if (!there || there.state === "declined")
        throw new CapabilityError("REFUND_NOT_ALLOWED", `The request for ${requestId} was declined.`);
      return shownRequest(there);
    },
    async decline(requestId, by, note) {
      // guard: refund requests: money that is on its way is not declined | ["queued"] -> ["queued", "approved"] |
      //   accounts/refund-requests
      const declined = await change(requestId, ["queued"], { state: "declined", by, note, decidedAt: now() });
      if (declined) return shownRequest(declined);
      throw new CapabilityError("REFUND_NOT_ALLOWED", `The request for ${requestId} is decided already.`);
    },
  };
}
