/** The accounts of a host. Nothing of them is loaded, and no store is read, before an account is asked for. */
import { lazy } from "../../lib/lazy.js";
import type { Micros } from "../../lib/money.js";
import type { LedgerEntry } from "../ledger/ledger.js";
import { type AccountsOptions, BUY, type Product, TOP_UP } from "../options/accounts.js";
import type { BoughtProduct } from "../record/facts.js";
import type { PaymentRecord } from "../record/record.js";
import { usdOf } from "../x402/usd.js";
import { accountOfKey } from "./account-key.js";
import type { AccountBook, BookOptions } from "./book.js";
import type { BalanceSales } from "./bought.js";
import type { CloseOptions } from "./closing.js";
import type { AccountInvoices, Billing } from "./invoices/invoices.js";
import type { KeptAnswers } from "./kept-answers.js";
import type { Keys } from "./keys.js";
import type { ClosedFacts } from "./record/grant-record.js";

/** A host's accounts, and the products that are sold for them. */
export interface AccountSales extends AccountsOptions {
  products?: readonly Product[] | undefined;
}

export interface PaymentAccounts extends AccountSales {
  book(): Promise<AccountBook>;
  keyring(): Promise<Keys>;
  /** The answers that are kept for repeated calls. */
  answers(): Promise<KeptAnswers>;
  /** Whether a record that is due is an account's. */
  owns(key: string): boolean;
  /** Ends what is over in an account, and tells it. Resolves to whether the account is this host's. */
  finish(key: string): Promise<boolean>;
  /** Whether an endpoint sells balances: it is paid by a wallet's own payment alone. */
  sells(endpoint: string): boolean;
  /** True if wallets have balances here at all, which they spend by signing in. */
  readonly sellsAny: boolean;
  /** The product that an input names; undefined for a balance. */
  productOf(input: unknown): BoughtProduct | undefined;
  bought(): Promise<BalanceSales>;
  /** Refuses, before money moves, an account of another host on the same store, or one with too many grants. */
  assertTakes(account: string): Promise<void>;
  /** Books the balance that a settled payment bought, once; false if it bought none. */
  bookPaid(record: PaymentRecord): Promise<boolean>;
  /** Takes it back, as far as it is not spent, because the settlement is lost. */
  takeLost(record: PaymentRecord): Promise<void>;
  /** Takes it back for a refund. Rejects with INVALID_INPUT if too little of it is left. */
  takeRefunded(sale: { payment: string; endpoint: string }, amount: Micros): Promise<void>;
  /** Closes an account, and goes on where a closing broke off. Rejects with NOT_FOUND, NOT_ALLOWED or RATE_LIMITED. */
  close(account: string, options?: CloseOptions): Promise<ClosedFacts>;
  /** Those of what was bought here. */
  billing(): Promise<AccountInvoices>;
  /** Sales that are not in the ledger yet, because they are among an account's newest entries. */
  unbooked(): Promise<LedgerEntry[]>;
}

export interface AccountsSources extends BookOptions {
  /** Gives a payment back, once. */
  refundPayment(of: { payment: string; at: number }, usd: string): Promise<unknown>;
  /** Erases the state of a wallet; absent if the host keeps none. */
  eraseState?: ((wallet: string) => Promise<unknown>) | undefined;
  /** How keys begin. */
  slug: string;
}

const isSale = (endpoint: string): boolean => endpoint === TOP_UP || endpoint === BUY;

export function createAccounts(options: AccountSales, sources: AccountsSources): PaymentAccounts {
  const billing = lazy(async () => {
    const { createInvoices } = await import("./invoices/invoices.js");
    return createInvoices({ ...sources, options: options.invoices });
  });
  const bill = options.invoices && (async (of: Billing) => (await billing()).bill(of));
  const book = lazy(async () => (await import("./book.js")).createBook({ ...sources, bill }));
  const keyring = lazy(async () => {
    const [{ records }, { createKeys }] = await Promise.all([book(), import("./keys.js")]);
    return createKeys({ ...sources, records });
  });
  const bought = lazy(async () => {
    const [{ records }, { createBought }] = await Promise.all([book(), import("./bought.js")]);
    return createBought({ ...sources, records, billed: bill !== undefined });
  });
  const closing = lazy(async () => {
    const [{ createClosing }, own, sales] = await Promise.all([import("./closing.js"), book(), bought()]);
    return createClosing({ ...sources, book: own, bought: sales, rule: options.closing });
  });
  const { topUp, products = [] } = options;
  const sells = (endpoint: string) =>
    (endpoint === TOP_UP && topUp !== undefined) || (endpoint === BUY && products.length > 0);
  return {
    ...options,
    book,
    keyring,
    bought,
    assertTakes: async (account) => (await bought()).assertTakes(account),
    sells,
    sellsAny: topUp !== undefined || products.length > 0,
    productOf(input) {
      const { product: asked } = input as { product?: string };
      const product = products.find(({ id }) => id === asked);
      if (!product) return undefined;
      const { id, title, grant } = product;
      return { id, title, ...grant, ...(grant.endpoints ? { endpoints: [...grant.endpoints] } : {}) } as BoughtProduct;
    },
    async bookPaid({ id, endpoint, account, product, payment: { requirements } }) {
      // A host that has ended its sales still books what was paid before.
      if (!isSale(endpoint) || account === undefined) return false;
      await (await bought()).add({ payment: id, account, amount: usdOf(requirements), product });
      return true;
    },
    async takeLost({ id, endpoint }) {
      if (isSale(endpoint)) await (await bought()).takeLost(id);
    },
    async takeRefunded({ payment, endpoint }, amount) {
      if (isSale(endpoint)) await (await bought()).takeBack(payment, amount);
    },
    billing,
    owns: (key) => accountOfKey(key) !== undefined,
    close: async (account, asked) => (await closing()).close(account, asked),
    async finish(key) {
      const { records } = await book();
      const id = accountOfKey(key) ?? "";
      const isOwn = await records.tend(id);
      const { closing: begun, closed } = (isOwn && (await records.read(id))) || {};
      if (begun) await (await closing()).close(id);
      if (!closed) return isOwn;
      if (closed.keptUntil <= sources.now()) await (await billing()).forget(id);
      await records.erase(id);
      return isOwn;
    },
    answers: lazy(async () => (await import("./kept-answers.js")).createKeptAnswers(sources)),
    async unbooked() {
      const [{ records }, { salesOf }] = await Promise.all([book(), import("./ledger-entries.js")]);
      const sales: LedgerEntry[] = [];
      for await (const { id, record } of records.all()) sales.push(...salesOf(id, record.recent, sources.own));
      return sales;
    },
  };
}
