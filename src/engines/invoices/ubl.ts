/** UBL 2.1, Invoice and CreditNote. */

import type { XmlElement } from "../../lib/xml/parse.js";
import { all, allAt, at, attribute, elementText, textAt } from "../../lib/xml/paths.js";
import type { Adjustment, Invoice, InvoiceLine, InvoicePayment, Party, Totals, Vat } from "./invoice.js";
import {
  address,
  attachment,
  type Find,
  finder,
  isoDate,
  money,
  orNull,
  party,
  period,
  plainNumber,
  present,
  price,
  sumOrZero,
} from "./values.js";

export function readUbl(root: XmlElement): Invoice {
  const text = finder(root);
  const currency = text("DocumentCurrencyCode");
  const adjustments = allAt(root, "AllowanceCharge");
  const preceding = allAt(root, "BillingReference/InvoiceDocumentReference/ID").map(elementText);
  return {
    syntax: "ubl",
    profile: text("CustomizationID"),
    number: text("ID"),
    typeCode: text("InvoiceTypeCode|CreditNoteTypeCode"),
    issueDate: isoDate(text("IssueDate")),
    dueDate: isoDate(text("DueDate") ?? text("PaymentMeans/PaymentDueDate")),
    currency,
    buyerReference: text("BuyerReference"),
    orderReference: orderReference(text),
    contractReference: text("ContractDocumentReference/ID"),
    precedingInvoices: preceding,
    deliveryDate: isoDate(text("Delivery/ActualDeliveryDate")),
    period: period(text("InvoicePeriod/StartDate"), text("InvoicePeriod/EndDate")),
    notes: all(root, "Note").map(elementText).filter(Boolean),
    seller: readParty(at(root, "AccountingSupplierParty/Party")),
    buyer: readParty(at(root, "AccountingCustomerParty/Party")),
    payee: readParty(at(root, "PayeeParty")),
    payment: readPayment(root),
    allowances: adjustments.filter((one) => !isCharge(one)).map((one) => readAdjustment(one, currency)),
    charges: adjustments.filter(isCharge).map((one) => readAdjustment(one, currency)),
    vat: allAt(root, "TaxTotal/TaxSubtotal").map((one) => readVat(one, currency)),
    totals: readTotals(root, currency),
    lines: all(root, "InvoiceLine|CreditNoteLine").map((line) => readLine(line, currency)),
    attachments: allAt(root, "AdditionalDocumentReference").flatMap((reference) =>
      allAt(reference, "Attachment/EmbeddedDocumentBinaryObject").map((one) =>
        attachment(one, textAt(reference, "ID")),
      ),
    ),
  };
}

/** UBL asks for the buyer's order beside the seller's: who has none writes a word of this kind. */
function orderReference(text: Find): string | null {
  const order = text("OrderReference/ID");
  const isDummy = text("OrderReference/SalesOrderID") !== null && /^(?:n\/?a|dummywert)$/i.test(order ?? "");
  return isDummy ? null : order;
}

const isCharge = (element: XmlElement) => textAt(element, "ChargeIndicator") === "true";

function readAdjustment(element: XmlElement, currency: string | null): Adjustment {
  const text = finder(element);
  return {
    amount: money(text("Amount"), currency),
    base: money(text("BaseAmount"), currency),
    percent: plainNumber(text("MultiplierFactorNumeric")),
    reason: text("AllowanceChargeReason"),
    reasonCode: text("AllowanceChargeReasonCode"),
    vatCategory: text("TaxCategory/ID"),
    vatRate: plainNumber(text("TaxCategory/Percent")),
  };
}

function readVat(element: XmlElement, currency: string | null): Vat {
  const text = finder(element);
  return {
    category: text("TaxCategory/ID"),
    rate: plainNumber(text("TaxCategory/Percent")),
    base: money(text("TaxableAmount"), currency),
    amount: money(text("TaxAmount"), currency),
    exemptionReason: text("TaxCategory/TaxExemptionReason"),
  };
}

/** The tax may be told in a second currency, for the accounts. */
function readTotals(root: XmlElement, currency: string | null): Totals {
  const total = finder(at(root, "LegalMonetaryTotal"));
  const taxes = allAt(root, "TaxTotal/TaxAmount");
  const tax = taxes.find((one) => [currency, null].includes(attribute(one, "currencyID")));
  const amount = (name: string) => money(total(name), currency);
  const optional = (name: string) => sumOrZero(total(name), currency);
  return {
    lineNet: amount("LineExtensionAmount"),
    allowances: optional("AllowanceTotalAmount"),
    charges: optional("ChargeTotalAmount"),
    taxExclusive: amount("TaxExclusiveAmount"),
    tax: money(tax ? elementText(tax) : null, currency),
    taxInclusive: amount("TaxInclusiveAmount"),
    prepaid: optional("PrepaidAmount"),
    rounding: optional("PayableRoundingAmount"),
    payable: amount("PayableAmount"),
  };
}

function readPayment(root: XmlElement): InvoicePayment {
  const text = finder(at(root, "PaymentMeans"));
  const direct = "PaymentMandate/PayerFinancialAccount/ID";
  return {
    means: text("PaymentMeansCode"),
    iban: (text("PayeeFinancialAccount/ID") ?? text(direct))?.replace(/\s/g, "") ?? null,
    bic: text("PayeeFinancialAccount/FinancialInstitutionBranch/ID"),
    accountName: text("PayeeFinancialAccount/Name"),
    reference: text("PaymentID"),
    terms: textAt(root, "PaymentTerms/Note"),
    mandate: text("PaymentMandate/ID"),
  };
}

function readParty(element: XmlElement | undefined): Party | null {
  const text = finder(element);
  const taxes = element ? all(element, "PartyTaxScheme") : [];
  const isVat = (one: XmlElement) => textAt(one, "TaxScheme/ID")?.toUpperCase() === "VAT";
  const legal = text("PartyLegalEntity/RegistrationName");
  const trading = text("PartyName/Name");
  const endpoint = element && at(element, "EndpointID");
  const lines = ["StreetName", "AdditionalStreetName", "AddressLine/Line"].map((name) => text(`PostalAddress/${name}`));
  const companyOf = (tax: XmlElement | undefined) => (tax ? textAt(tax, "CompanyID") : null);
  return party({
    name: legal ?? trading,
    tradingName: legal === null || legal === trading ? null : trading,
    vatId: companyOf(taxes.find(isVat)),
    taxNumber: companyOf(taxes.find((one) => !isVat(one))),
    registration: text("PartyLegalEntity/CompanyID"),
    identifiers: element ? allAt(element, "PartyIdentification/ID").flatMap(identifier) : [],
    electronicAddress: endpoint ? { scheme: attribute(endpoint, "schemeID"), id: elementText(endpoint) } : null,
    address: address({
      lines,
      city: text("PostalAddress/CityName"),
      postalCode: text("PostalAddress/PostalZone"),
      region: text("PostalAddress/CountrySubentity"),
      country: text("PostalAddress/Country/IdentificationCode"),
    }),
    contact: orNull({
      name: text("Contact/Name"),
      phone: text("Contact/Telephone"),
      email: text("Contact/ElectronicMail"),
    }),
  });
}

/** The creditor's number of direct debits is one of the payment, not of the party. */
const identifier = (element: XmlElement) =>
  attribute(element, "schemeID") === "SEPA" ? [] : present([elementText(element)]);

function readLine(line: XmlElement, currency: string | null): InvoiceLine {
  const text = finder(line);
  const quantity = at(line, "InvoicedQuantity|CreditedQuantity");
  const adjustments = all(line, "AllowanceCharge");
  return {
    id: text("ID"),
    name: text("Item/Name"),
    description: text("Item/Description"),
    quantity: plainNumber(quantity ? elementText(quantity) : null),
    unit: attribute(quantity, "unitCode"),
    price: price(text("Price/PriceAmount"), currency),
    priceQuantity: plainNumber(text("Price/BaseQuantity") ?? "1"),
    net: money(text("LineExtensionAmount"), currency),
    vatCategory: text("Item/ClassifiedTaxCategory/ID"),
    vatRate: plainNumber(text("Item/ClassifiedTaxCategory/Percent")),
    period: period(text("InvoicePeriod/StartDate"), text("InvoicePeriod/EndDate")),
    allowances: adjustments.filter((one) => !isCharge(one)).map((one) => readAdjustment(one, currency)),
    charges: adjustments.filter(isCharge).map((one) => readAdjustment(one, currency)),
  };
}
