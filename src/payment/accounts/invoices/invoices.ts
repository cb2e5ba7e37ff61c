/** Invoices of what wallets bought, and credit notes of what went back: each is issued once, for its entry in the book. */
import { CapabilityError } from "../../../errors.js";
import { least } from "../../../lib/money.js";
import type { Store } from "../../../stores/store.js";
import type { InvoicesOptions, InvoiceTax } from "../../options/invoices.js";
import type { OwnAccounts } from "../../record/own-accounts.js";
import type { StoredInvoice, StoredParty, Unbilled } from "../record/invoice-record.js";
import { createSeries } from "./series.js";

export interface Billing extends Unbilled {
  account: string;
  /** The particulars that the account has now. */
  buyer?: StoredParty | undefined;
}

export interface AccountInvoices {
  /** Issues what has no number yet. A credit note of what has no invoice is none. */
  bill(billing: Billing): Promise<void>;
  /** From the oldest on, with the number to go on after. */
  list(account: string, page: { after: number; limit: number }): Promise<{ invoices: StoredInvoice[]; next?: number }>;
  /**
   * One of an account, by its number or by its payment. It takes the particulars of the buyer if it has none yet, and
   * keeps those. Rejects with NOT_FOUND.
   */
  open(account: string, of: { number: string } | { payment: string }, buyer?: StoredParty): Promise<StoredInvoice>;
  /** Those of all accounts, in the order of their numbers. */
  all(page: { after?: string | undefined; limit: number }): Promise<StoredInvoice[]>;
  /** Takes out of all invoices of an account who it was; the numbers stay. */
  forget(account: string): Promise<void>;
}

export interface InvoicesSources {
  store: Store;
  own: OwnAccounts;
  now: () => number;
  /** Absent for a host that issues none any more. */
  options: InvoicesOptions | undefined;
}

/** Of every number. */
const DIGITS = 6;

/** Without the members that are not there. */
const defined = <T extends object>(facts: T) =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Partial<T> as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };

export function createInvoices({ store, own, now, options }: InvoicesSources): AccountInvoices {
  const series = createSeries(store, own.names);
  const numbered = (n: number) => ({
    ...{ n, number: (options?.prefix ?? "") + String(n).padStart(DIGITS, "0"), issuedAt: now() },
  });

  /** The part of an invoice that a credit note corrects: no more than all of them together may. */
  async function creditOf({ name, payment, amount }: Billing) {
    const invoice = await series.find(`paid:${payment}`);
    const before = name === `back:${payment}` ? undefined : await series.find(`back:${payment}`);
    // guard: invoices: no more is credited than was invoiced | - - (before?.amount ?? 0n) | invoices/invoices
    return invoice && { invoice, worth: least(amount, invoice.amount - (before?.amount ?? 0n)) };
  }

  return {
    async bill(billing) {
      if (!options) return;
      const { account, name, kind, payment, at, buyer } = billing;
      const common = { kind, at, account, name, payment };
      if (kind === "invoice") {
        const facts = factsOf(options, buyer, billing.title);
        await series.issue(name, (n) => ({ ...numbered(n), ...common, amount: billing.amount, ...facts }));
        return;
      }
      const credit = await creditOf(billing);
      // guard: invoices: a credit note is of an invoice | - !credit || | invoices/invoices
      if (!credit || credit.worth <= 0n) return;
      const { number: of, tax, seller, title, note, buyer: whose = buyer } = credit.invoice;
      const facts = { of, tax, seller, ...defined({ title, note, buyer: whose }) };
      await series.issue(name, (n) => ({ ...numbered(n), ...common, amount: credit.worth, ...facts }));
    },
    async list(account, { after, limit }) {
      const invoices = await series.ofAccount(account, { after, limit });
      const last = invoices.length < limit ? undefined : invoices.at(-1);
      return { invoices, ...(last ? { next: last.n } : {}) };
    },
    async open(account, of, buyer) {
      const found = "number" in of ? await series.read(placeOf(of.number)) : await series.find(`paid:${of.payment}`);
      // guard: invoices: another account's invoice is not there | - found.account !== account || | invoices/invoices
      if (!found || found.account !== account || ("number" in of && found.number !== of.number)) throw unknown(of);
      if (!buyer) return found;
      const named = await series.change(found.n, (document) =>
        // guard: invoices: the particulars of an invoice are set once |
        //   document.buyer ? -> false ? | invoices/invoices
        document.buyer ? document : { ...document, buyer },
      );
      return named ?? found;
    },
    all: ({ after, limit }) => series.all({ after: after === undefined ? 0 : placeOf(after), limit }),
    forget: (account) => series.forget(account, lean),
  };
}

const factsOf = (options: InvoicesOptions, buyer: StoredParty | undefined, title: string | undefined) => ({
  tax: taxFor(options, buyer),
  seller: copyOf(options.seller),
  ...defined({ title, note: options.note, buyer }),
});

const lean = ({ account: _, name: __, payment: ___, buyer: ____, title: _____, ...kept }: StoredInvoice) => kept;

const placeOf = (number: string): number => Number(/\d{1,12}$/.exec(number)?.[0] ?? 0);

const unknown = (of: object) =>
  new CapabilityError("NOT_FOUND", `The account has no invoice of this ${Object.keys(of)[0]}.`);

const copyOf = ({ lines, ...facts }: InvoicesOptions["seller"]): StoredParty =>
  ({ ...facts, ...(lines ? { lines: [...lines] } : {}) }) as StoredParty;

const NONE: InvoiceTax = { percent: "0", category: "O", reason: "Not subject to VAT" };

/** The first that is for the buyer's country, or for everybody. */
function taxFor({ taxes = [] }: InvoicesOptions, buyer: StoredParty | undefined): StoredInvoice["tax"] {
  const isFor = ({ countries }: InvoiceTax) => !countries || (buyer !== undefined && countries.includes(buyer.country));
  const { percent, reason, category = /^0+(?:\.0+)?$/.test(percent) ? "Z" : "S" } = taxes.find(isFor) ?? NONE;
  return { percent, category, ...(reason === undefined ? {} : { reason }) };
}
