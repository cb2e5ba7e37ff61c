/** Invoices of what wallets buy here: who sells, and which taxes are in the prices. */

/** The particulars of a seller or a buyer, as an invoice has them. */
export interface InvoiceParty {
  /** Legal name. */
  name: string;
  /** Street and what else stands before the city: one to three lines. */
  lines?: readonly string[];
  city?: string;
  postalCode?: string;
  region?: string;
  /** ISO 3166-1 alpha-2, such as `DE`. */
  country: string;
  /** With the letters of its country before it, such as `DE123456789`. */
  vatId?: string;
  /** Number at a tax office, for those without a VAT identifier. */
  taxNumber?: string;
  /** Number in a register of companies. */
  registration?: string;
  email?: string;
}

/** A tax that is a part of each price. The first whose countries have the buyer's is taken. */
export interface InvoiceTax {
  /** Decimal percent, such as `"19"`. */
  percent: string;
  /**
   * Code of EN 16931: `S` taxed, `Z` zero rate, `E` exempt, `O` not subject to VAT. Default: `S`, and `Z` for 0 percent.
   */
  category?: "S" | "Z" | "E" | "O";
  /** Why nothing is taxed; `E` and `O` need it. */
  reason?: string;
  /** Countries of buyers that it is for. Default: all, and buyers whose country is not known. */
  countries?: readonly string[];
}

/** Invoices of balances and products that wallets buy. */
export interface InvoicesOptions {
  /** The host itself; one of `vatId`, `taxNumber` and `registration` is needed. */
  seller: InvoiceParty;
  /** Stands before the number: up to 20 of `A-Za-z0-9./_-`. Default: nothing. */
  prefix?: string;
  /** Default: nothing is subject to VAT. */
  taxes?: readonly InvoiceTax[];
  /** A sentence on each invoice, of up to 500 characters. */
  note?: string;
}

/** An invoice or a credit note. Amounts are decimal USD, times in ISO 8601. */
export interface AccountInvoice {
  number: string;
  kind: "invoice" | "credit-note";
  issuedAt: string;
  /** Id of the payment that it is of. This, `account` and `buyer` are absent once they need not be kept any more. */
  payment?: string;
  account?: string;
  /** Absent until the account's owner has set its particulars. */
  buyer?: InvoiceParty;
  /** Number of the invoice that a credit note corrects. */
  of?: string;
  title: string;
  /** As it was paid or given back, exactly; the others are in cents. */
  usd: string;
  netUsd: string;
  taxUsd: string;
  totalUsd: string;
  taxPercent: string;
}
