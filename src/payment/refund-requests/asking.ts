/** Who may ask for the price of which call, and how often. */
import { createHash } from "node:crypto";
import { CapabilityError } from "../../errors.js";
import { fromMicros, toMicros } from "../../lib/money.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import { notedCallOf } from "../accounts/notes.js";
import type { AccountRecords } from "../accounts/records.js";
import { findEntry } from "../accounts/refund.js";
import { accountId } from "../networks/accounts.js";
import type { RefundPolicy } from "../options/refund-policy.js";
import { paidCall, paidCallKey, type StoredRequest } from "./record.js";

/** Of one buyer in a day, unknown calls included. */
const MOST_ASKED = 20;
const AT_ONCE_PER_DAY = 3;

/** Who asks: an account by its key or login, a wallet by its sign-in. */
export interface Asking {
  /** Of a wallet its CAIP-10 name. */
  name: string;
  isWallet: boolean;
  /** Whether an account of this name is its. */
  hasAccount: boolean;
}

type Sale = Pick<StoredRequest, "endpoint" | "usd" | "payer" | "network" | "account" | "soldAt">;

const unknown = () => new CapabilityError("NOT_FOUND", "No call of yours has this request id.");
export const refused = (reasonCode: string, why: string) =>
  new CapabilityError("REFUND_NOT_ALLOWED", `${why} Nothing was given back.`, { reasonCode });

export interface AskingDeps {
  store: Store;
  /** Names the host: others may use the same store. */
  host: string;
  policy: RefundPolicy;
  /** The accounts of the host, if it has some. */
  accounts(): Promise<AccountRecords | undefined>;
}

export function createAsking({ store, host, policy, accounts }: AskingDeps) {
  const atOnce = policy.atOnce === true ? {} : policy.atOnce || undefined;

  const counter = (what: string, name: string) =>
    `refund-asked:${createHash("sha256").update(`${host} ${what} ${name}`).digest("hex")}`;

  return {
    /** Both are looked for whosever they are, so that a foreign call takes as long as an unknown one. */
    async saleOf({ name, isWallet, hasAccount }: Asking, requestId: string): Promise<Sale> {
      const [paid, ofAccount] = await Promise.all([
        store.get(paidCallKey(host, requestId)),
        notedCallOf(store, requestId),
      ]);
      const call = paid && paidCall().parse(JSON.parse(paid.value));
      // guard: refund requests: a call is refunded to who paid for it | - && accountId(call.network, call.payer) === name |
      //   accounts/refund-requests
      if (isWallet && call && accountId(call.network, call.payer) === name) {
        const { at, ...facts } = call;
        return { ...facts, soldAt: at };
      }
      const records = hasAccount && ofAccount?.account === name ? await accounts() : undefined;
      const sale = records && ofAccount && (await findEntry(records, ofAccount, { kind: "sale", requestId }));
      if (!sale) throw unknown();
      const isFree = sale.amount === 0n && !sale.grants?.some(({ isCall }) => isCall);
      if (isFree) throw refused("NOTHING_CHARGED", "Nothing was charged for this call.");
      return { endpoint: sale.endpoint ?? "", usd: fromMicros(-sale.amount), account: name, soldAt: sale.at };
    },
    /** Rejects with RATE_LIMITED. */
    async assertAsksSeldom({ name }: Asking): Promise<void> {
      const max = MOST_ASKED;
      if ((await store.increment(counter("asked", name), 1, { ttlMs: DAY_MS, max })) !== undefined) return;
      const retryAfter = HOUR_MS / 1000;
      throw new CapabilityError("RATE_LIMITED", `A buyer asks ${MOST_ASKED} times a day at most.`, { retryAfter });
    },
    /** Whether the policy gives it back without the host. */
    async mayBeAtOnce({ name }: Asking, { usd }: Sale): Promise<boolean> {
      if (!atOnce || (atOnce.maxUsd !== undefined && toMicros(usd) > toMicros(atOnce.maxUsd))) return false;
      const max = atOnce.perDay ?? AT_ONCE_PER_DAY;
      return (await store.increment(counter("at once", name), 1, { ttlMs: DAY_MS, max })) !== undefined;
    },
  };
}
