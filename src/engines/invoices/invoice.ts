/** An invoice in the terms of EN 16931, whatever its syntax. Amounts are decimal text, days are YYYY-MM-DD. */

export interface Address {
  lines: string[];
  city: string | null;
  postalCode: string | null;
  region: string | null;
  country: string | null;
}

export interface Party {
  name: string | null;
  tradingName: string | null;
  vatId: string | null;
  taxNumber: string | null;
  /** Number in a register of companies. */
  registration: string | null;
  identifiers: string[];
  electronicAddress: { scheme: string | null; id: string } | null;
  address: Address | null;
  contact: { name: string | null; phone: string | null; email: string | null } | null;
}

export interface InvoicePayment {
  /** Code of UNTDID 4461, such as 58. */
  means: string | null;
  iban: string | null;
  bic: string | null;
  accountName: string | null;
  reference: string | null;
  terms: string | null;
  mandate: string | null;
}

/** An allowance or a charge of the document or of a line. */
export interface Adjustment {
  amount: string | null;
  base: string | null;
  percent: string | null;
  reason: string | null;
  reasonCode: string | null;
  vatCategory: string | null;
  vatRate: string | null;
}

export interface InvoicePeriod {
  from: string | null;
  to: string | null;
}

export interface Vat {
  category: string | null;
  rate: string | null;
  base: string | null;
  amount: string | null;
  exemptionReason: string | null;
}

export interface Totals {
  lineNet: string | null;
  allowances: string | null;
  charges: string | null;
  taxExclusive: string | null;
  tax: string | null;
  taxInclusive: string | null;
  prepaid: string | null;
  rounding: string | null;
  payable: string | null;
}

export interface InvoiceLine {
  id: string | null;
  name: string | null;
  description: string | null;
  quantity: string | null;
  /** Code of UN/ECE Recommendation 20, such as C62. */
  unit: string | null;
  /** Net price of `priceQuantity` units. */
  price: string | null;
  priceQuantity: string | null;
  net: string | null;
  vatCategory: string | null;
  vatRate: string | null;
  period: InvoicePeriod | null;
  allowances: Adjustment[];
  charges: Adjustment[];
}

export interface Attachment {
  name: string | null;
  mimeType: string | null;
  /** Length; the content itself is never returned. */
  bytes: number;
}

export interface Invoice {
  syntax: "ubl" | "cii" | "zugferd-1";
  /** Identifier of the specification, BT-24. */
  profile: string | null;
  number: string | null;
  typeCode: string | null;
  issueDate: string | null;
  dueDate: string | null;
  currency: string | null;
  buyerReference: string | null;
  orderReference: string | null;
  contractReference: string | null;
  precedingInvoices: string[];
  deliveryDate: string | null;
  period: InvoicePeriod | null;
  notes: string[];
  seller: Party | null;
  buyer: Party | null;
  payee: Party | null;
  payment: InvoicePayment;
  allowances: Adjustment[];
  charges: Adjustment[];
  vat: Vat[];
  totals: Totals;
  lines: InvoiceLine[];
  attachments: Attachment[];
}
