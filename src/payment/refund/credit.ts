/**
 * Money owed to a payer that was not returned on chain: a balance behind a bearer token, which the next call presents.
 * Only the token's hash is stored. A call first holds the amount it may use, so that two calls never spend it twice.
 */

import { createHash, createHmac } from "node:crypto";
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import { least, type Micros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import { storeSecret } from "../../stores/secret.js";
import type { Store } from "../../stores/store.js";
import { update } from "../../stores/update.js";
import type { OwnAccounts } from "../own-accounts.js";

const TTL_MS = 180 * DAY_MS;
const MAX_TOKEN_LENGTH = 128;
/** An ended hold is kept longer than the note of a charge, to show that its order was not charged. */
const ENDED_MS = DAY_MS;

const creditRecord = once(() =>
  z.object({
    payer: z.string(),
    /** Account of the host that owes it; older releases stored none. */
    account: z.string().optional(),
    balance: z.string().transform(BigInt),
    /** By order: the amount that a call may use, and the end of its hold. */
    holds: z.record(
      z.string(),
      z.object({ amount: z.string().transform(BigInt), until: z.number(), ended: z.literal(true).optional() }),
    ),
  }),
);
type CreditRecord = z.infer<ReturnType<typeof creditRecord>>;

export interface Credit {
  id: string;
  payer: string;
  /** Account of the host that owes it. */
  account?: string | undefined;
  /** The amount that no other call holds. */
  available: Micros;
}

/** Accepts credit of every host. */
const ANYBODY: Pick<OwnAccounts, "hasId"> = { hasId: () => true };

export interface Credits {
  /** Creates the credit of an order and returns its token; a repetition returns the same token. */
  issue(order: string, payer: string, amount: Micros, account?: string): Promise<string>;
  /** The token of an order's credit, which is derived and never stored. */
  tokenOf(order: string): Promise<string>;
  /** Undefined for unknown credit, and for credit that another host on the same store owes. */
  find(token: string): Promise<Credit | undefined>;
  /** Reserves an amount for an order; false if less is left. */
  hold(id: string, order: string, claim: { amount: Micros; until: number }): Promise<boolean>;
  /** Whether an order was not charged yet, although its hold may have ended. */
  holds(id: string, order: string): Promise<boolean>;
  /**
   * Takes the used amount from the balance, once, and ends the hold. False if the hold had ended by itself and another
   * order has its amount; nothing is taken then.
   */
  capture(id: string, order: string, used: Micros): Promise<boolean>;
  /** Frees the amount of an order that was not charged; nothing for one that was. */
  end(id: string, order: string): Promise<void>;
}

export function createCredits(store: Store, now: () => number, own = ANYBODY): Credits {
  const change = <T>(id: string, edit: (record: CreditRecord) => T | undefined): Promise<T | undefined> =>
    update(store, { key: `credit:${id}`, ttlMs: TTL_MS }, (found) => {
      if (found === undefined) return { value: undefined, result: undefined };
      const record = creditRecord().parse(JSON.parse(found));
      endExpired(record, now());
      const result = edit(record);
      return { value: result === undefined ? undefined : write(record), result };
    });

  const tokenOf = async (order: string) =>
    createHmac("sha256", await storeSecret(store))
      .update(`credit ${order}`)
      .digest("base64url");

  return {
    tokenOf,
    async issue(order, payer, amount, account) {
      const token = await tokenOf(order);
      const record = write({ payer, ...(account ? { account } : {}), balance: amount, holds: {} });
      await store.put(`credit:${hash(token)}`, record, { ifVersion: 0, ttlMs: TTL_MS });
      return token;
    },
    async find(token) {
      if (token.length > MAX_TOKEN_LENGTH) return undefined;
      const id = hash(token);
      const found = await store.get(`credit:${id}`);
      if (!found) return undefined;
      const record = creditRecord().parse(JSON.parse(found.value));
      const { payer, account } = record;
      return own.hasId(account) ? { id, payer, account, available: available(record, now()) } : undefined;
    },
    async hold(id, order, { amount, until }) {
      const held = await change(id, (record) => {
        delete record.holds[order];
        if (available(record, now()) < amount) return undefined;
        record.holds[order] = { amount, until };
        return true;
      });
      return held ?? false;
    },
    async holds(id, order) {
      const found = await store.get(`credit:${id}`);
      if (!found) return false;
      return Object.hasOwn(creditRecord().parse(JSON.parse(found.value)).holds, order);
    },
    async capture(id, order, used) {
      const captured = await change(id, (record) => {
        const hold = record.holds[order];
        if (!hold) return undefined;
        const amount = least(used, hold.amount);
        if (hold.ended && amount > available(record, now())) return false;
        delete record.holds[order];
        record.balance -= amount;
        return true;
      });
      return captured ?? true;
    },
    async end(id, order) {
      await change(id, (record) => {
        const hold = record.holds[order];
        if (hold) record.holds[order] = { amount: hold.amount, until: now(), ended: true };
        return hold && true;
      });
    },
  };
}

function endExpired({ holds }: CreditRecord, now: number): void {
  for (const [order, hold] of Object.entries(holds)) {
    if (hold.until <= now - ENDED_MS) delete holds[order];
    else if (hold.until <= now) hold.ended = true;
  }
}

function available({ balance, holds }: CreditRecord, now: number): Micros {
  const live = Object.values(holds).filter(({ until, ended }) => !ended && until > now);
  return live.reduce((left, { amount }) => left - amount, balance);
}

const write = (record: CreditRecord): string =>
  JSON.stringify(record, (_, value) => (typeof value === "bigint" ? value.toString() : value));

const hash = (token: string) => createHash("sha256").update(token).digest("hex");
