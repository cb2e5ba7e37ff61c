/** An invoice of an account in the terms of EN 16931. */
import type { Invoice, Party } from "../../engines/invoices/invoice.js";
import { invoiceSums, titleOf } from "../../payment/accounts/invoices/shown.js";
import type { StoredInvoice, StoredParty } from "../../payment/accounts/record/invoice-record.js";

const day = (at: number) => new Date(at).toISOString().slice(0, 10);

const CODES = { invoice: "380", "credit-note": "381" };
/** Of UNTDID 4461: an online payment service. */
const PAID_ONLINE = "68";

export function documentOf(stored: StoredInvoice): Invoice {
  const { number, kind, issuedAt, at, tax, of, payment, note, seller, buyer } = stored;
  const { netUsd, taxUsd, totalUsd } = invoiceSums(stored);
  const isOutside = tax.category === "O";
  const rate = isOutside ? null : tax.percent;
  const none = { vatCategory: tax.category, vatRate: rate };
  return {
    ...{ syntax: "ubl", profile: null, number, typeCode: CODES[kind], issueDate: day(issuedAt), dueDate: null },
    ...{ currency: "USD", buyerReference: null, orderReference: null, contractReference: null, period: null },
    precedingInvoices: of === undefined ? [] : [of],
    deliveryDate: day(at),
    notes: note === undefined ? [] : [note],
    seller: partyOf(seller, isOutside),
    buyer: buyer ? partyOf(buyer, isOutside) : null,
    payee: null,
    payment: {
      ...{ means: PAID_ONLINE, iban: null, bic: null, accountName: null, terms: null, mandate: null },
      reference: payment ?? null,
    },
    ...{ allowances: [], charges: [], attachments: [] },
    vat: [{ category: tax.category, rate, base: netUsd, amount: taxUsd, exemptionReason: tax.reason ?? null }],
    totals: {
      ...{ lineNet: netUsd, allowances: null, charges: null, taxExclusive: netUsd, tax: taxUsd, rounding: null },
      ...{ taxInclusive: totalUsd, prepaid: totalUsd, payable: "0.00" },
    },
    lines: [
      {
        ...{ id: "1", name: titleOf(stored), description: null, quantity: "1", unit: "C62", price: netUsd },
        ...{ priceQuantity: "1", net: netUsd, ...none, period: null, allowances: [], charges: [] },
      },
    ],
  };
}

/** A sale that is not subject to VAT names nobody by a VAT identifier, so that stands among the others. */
function partyOf(of: StoredParty, isOutside: boolean): Party {
  const { vatId = null, taxNumber = null, registration = null } = of;
  const known = isOutside ? [vatId] : [];
  const identifiers = [...known, ...(registration === null && (isOutside || vatId === null) ? [taxNumber] : [])];
  return {
    ...{ name: of.name, tradingName: null, registration, electronicAddress: null },
    vatId: isOutside ? null : vatId,
    taxNumber: isOutside ? null : taxNumber,
    identifiers: identifiers.filter((id) => id !== null),
    address: {
      lines: of.lines ?? [],
      ...{ city: of.city ?? null, postalCode: of.postalCode ?? null, region: of.region ?? null, country: of.country },
    },
    contact: of.email === undefined ? null : { name: null, phone: null, email: of.email },
  };
}
