/**
 * Money owed to payers that was not returned on chain. A wallet's credit is one balance, found by the wallet; each part
 * of it also has a bearer token, which spends that part alone. Only the tokens' hashes are stored. A call first holds
 * the amount it may use, so that two calls never spend it twice.
 */

import { createHash, createHmac } from "node:crypto";
import type { Micros } from "../../lib/money.js";
import type { LeaseOwner } from "../../stores/owner.js";
import { storeSecret } from "../../stores/secret.js";
import type { Store } from "../../stores/store.js";
import { update } from "../../stores/update.js";
import { accountId } from "../networks/accounts.js";
import type { OwnAccounts } from "../record/own-accounts.js";
import {
  add,
  availableIn,
  CREDIT_TTL_MS,
  type CreditRecord,
  captureIn,
  endDead,
  endHold,
  holdIn,
  ownersIn,
  readRecord,
  takeOut,
  writeRecord,
} from "./credit-record.js";
import { readCreditPointer, writePointer } from "./credit-token.js";

const MAX_TOKEN_LENGTH = 128;
/** Credit that was looked up longer ago is not issued any more: its name may be forgotten by then. */
const ISSUE_MS = 60_000;

export interface Credit {
  id: string;
  payer: string;
  /** Account of the host that owes it. */
  account?: string | undefined;
  /** The amount that no other call holds. */
  available: Micros;
}

interface Claim {
  amount: Micros;
  /** Epoch milliseconds. */
  until: number;
  /** Of its lease: without one it lasts until then, whatever became of its process. */
  owner?: string;
}

/** Accepts credit of every host. */
const ANYBODY: Pick<OwnAccounts, "hasId" | "names" | "on"> = { hasId: () => true, names: [], on: () => undefined };

/** For one process. */
const NOBODY: Pick<LeaseOwner, "deadOf"> = { deadOf: async () => new Set() };

export interface Credits {
  /** Creates the credit of an order and returns its token; a repetition returns the same token. */
  issue(order: string, payer: string, amount: Micros, account?: string): Promise<string>;
  /** The token of an order's credit, which is derived and never stored. */
  tokenOf(order: string): Promise<string>;
  /** Undefined for unknown credit, and for credit that another host on the same store owes. */
  find(token: string): Promise<Credit | undefined>;
  /** All that is owed to a wallet on its network; undefined for a wallet without credit. */
  ofWallet(network: string, payer: string): Promise<Credit | undefined>;
  /** Reserves an amount for an order; false if less is left. */
  hold(id: string, order: string, claim: Claim): Promise<boolean>;
  /** The same; resolves to what is left beside all holds, undefined if there is too little. */
  reserve(id: string, order: string, claim: Claim): Promise<Micros | undefined>;
  /** Whether an order was not charged yet, although its hold may have ended. */
  holds(id: string, order: string): Promise<boolean>;
  /**
   * Takes the used amount from the balance, once, and ends the hold. False if the hold had ended by itself and another
   * order has its amount; nothing is taken then.
   */
  capture(id: string, order: string, used: Micros): Promise<boolean>;
  /** Frees the amount of an order that was not charged; nothing for one that was. */
  end(id: string, order: string): Promise<void>;
  /**
   * Takes an amount out, to be paid to the wallet under a name; false if that is not there, another payment is under
   * way, or it is later than `until` (epoch milliseconds).
   */
  takeOut(id: string, out: { name: string; amount: Micros; until: number }): Promise<boolean>;
  /** Whether an amount is out under a name. */
  isOut(id: string, name: string): Promise<boolean>;
  /** Ends a payment to the wallet; one that failed is not tried again before `retryAt` (epoch milliseconds). */
  paidOut(id: string, name: string, retryAt?: number): Promise<void>;
  /** The amount that could be paid to the wallet now. */
  payable(id: string): Promise<Micros>;
}

/** Whether credit is a wallet's, and not a token's. */
export const isWalletCredit = (id: string): boolean => id.startsWith(WALLET);

const WALLET = "wallet:";
const walletId = (account: string, network: string, payer: string) =>
  `${WALLET}${account}|${accountId(network, payer)}`;
const networkOf = (account: string) => account.slice(0, account.lastIndexOf(":"));
const keyOf = (id: string) => (isWalletCredit(id) ? `wallet-credit:${id.slice(WALLET.length)}` : `credit:${id}`);

export function createCredits(store: Store, now: () => number, own = ANYBODY, owner = NOBODY): Credits {
  /** The wallet's record, and the part of it that a token spends; credit of older releases has a record of its own. */
  async function placeOf(id: string): Promise<{ key: string; lot?: string }> {
    if (isWalletCredit(id)) return { key: keyOf(id) };
    const pointer = readCreditPointer((await store.get(keyOf(id)))?.value);
    return pointer ? { key: keyOf(pointer.wallet), lot: pointer.lot } : { key: keyOf(id) };
  }

  async function change<T>(
    id: string,
    edit: (record: CreditRecord, lot: string | undefined) => T | undefined,
  ): Promise<T | undefined> {
    const { key, lot } = await placeOf(id);
    return update(store, { key, ttlMs: CREDIT_TTL_MS }, (found) => {
      if (found === undefined) return { value: undefined, result: undefined };
      const record = readRecord(found, now());
      const result = edit(record, lot);
      return { value: result === undefined ? undefined : writeRecord(record), result };
    });
  }

  const tokenOf = async (order: string) =>
    createHmac("sha256", await storeSecret(store))
      .update(`credit ${order}`)
      .digest("base64url");

  async function read(id: string): Promise<Credit | undefined> {
    const { key, lot } = await placeOf(id);
    const found = await store.get(key);
    if (!found) return undefined;
    const record = readRecord(found.value, now());
    const { payer, account } = record;
    // guard: credit counts where it is owed | always | neighbours
    return own.hasId(account) ? { id, payer, account, available: availableIn(record, now(), lot) } : undefined;
  }

  /** The owners of what calls hold. */
  async function ownersOf(id: string): Promise<string[]> {
    const found = await store.get((await placeOf(id)).key);
    return found ? ownersIn(readRecord(found.value, now())) : [];
  }

  async function reserve(id: string, order: string, claim: Claim): Promise<Micros | undefined> {
    const hold = (dead: ReadonlySet<string>) =>
      change(id, (record, lot) => {
        endDead(record, dead);
        return holdIn(record, order, { ...claim, lot, now: now() });
      });
    const left = await hold(new Set());
    if (left !== undefined) return left;
    const dead = await owner.deadOf(await ownersOf(id));
    return dead.size > 0 ? hold(dead) : undefined;
  }

  return {
    tokenOf,
    async issue(order, payer, amount, account = own.on(undefined)) {
      const token = await tokenOf(order);
      const key = keyOf(hash(token));
      const begunAt = performance.now();
      const found = await store.get(key);
      const pointer = readCreditPointer(found?.value);
      if (found && pointer?.issued !== false) return token;
      if (account === undefined) {
        // Nobody knows on which network its wallet is, so the token alone finds it.
        const record = { payer, lots: {}, holds: {} };
        add(record, "", { amount, now: now() });
        await store.put(key, writeRecord(record), { ifVersion: 0, ttlMs: CREDIT_TTL_MS });
        return token;
      }
      const wallet = pointer?.wallet ?? walletId(account, networkOf(account), payer);
      const options = { ttlMs: CREDIT_TTL_MS };
      const text = (issued: boolean) => writePointer({ payer, account, wallet, lot: order, issued });
      const version = found?.version ?? (await store.put(key, text(false), { ...options, ifVersion: 0 }));
      await update(store, { ...options, key: keyOf(wallet) }, (before) => {
        // Another process may have issued it, and its wallet may have spent it since.
        if (performance.now() - begunAt > ISSUE_MS) throw new Error("the credit was issued too slowly");
        const record = before === undefined ? { payer, account, lots: {}, holds: {} } : readRecord(before, now());
        const isNew = add(record, order, { amount, now: now() });
        return { value: isNew ? writeRecord(record) : undefined, result: undefined };
      });
      if (version !== undefined) await store.put(key, text(true), { ...options, ifVersion: version });
      return token;
    },
    find: async (token) => (token.length > MAX_TOKEN_LENGTH ? undefined : read(hash(token))),
    async ofWallet(network, payer) {
      const accounts = own.names.filter((name) => networkOf(name) === network);
      const found = await Promise.all(accounts.map((account) => read(walletId(account, network, payer))));
      return found.reduce((best, one) => (one && one.available > (best?.available ?? 0n) ? one : best), undefined);
    },
    reserve,
    hold: async (id, order, claim) => (await reserve(id, order, claim)) !== undefined,
    async holds(id, order) {
      const found = await store.get((await placeOf(id)).key);
      return found !== undefined && Object.hasOwn(readRecord(found.value, now()).holds, order);
    },
    async capture(id, order, used) {
      return (await change(id, (record) => captureIn(record, order, { used, now: now() }))) ?? true;
    },
    async end(id, order) {
      await change(id, (record) => endHold(record, order, now()));
    },
    async takeOut(id, { name, amount, until }) {
      const take = (record: CreditRecord) => now() < until && takeOut(record, { name, amount, now: now() });
      return (await change(id, take)) ?? false;
    },
    async isOut(id, name) {
      const found = await store.get(keyOf(id));
      return found !== undefined && readRecord(found.value, now()).out?.name === name;
    },
    async paidOut(id, name, retryAt) {
      await change(id, (record) => {
        if (record.out?.name !== name) return undefined;
        delete record.out;
        if (retryAt !== undefined) record.keepUntil = retryAt;
        return true;
      });
    },
    async payable(id) {
      const found = await store.get(keyOf(id));
      if (!found) return 0n;
      const record = readRecord(found.value, now());
      return record.out || (record.keepUntil ?? 0) > now() ? 0n : availableIn(record, now());
    },
  };
}

const hash = (token: string) => createHash("sha256").update(token).digest("hex");
