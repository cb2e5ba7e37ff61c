/** Writes UBL 2.1: an Invoice, or a CreditNote where the type code says so. The reader of UBL reads it back. */
import type { Adjustment, Invoice, InvoiceLine, InvoicePayment, Party, Totals, Vat } from "../invoice.js";
import { CREDIT_NOTE, EN_16931, leaf, parent, root } from "./elements.js";

const NAMESPACE = "urn:oasis:names:specification:ubl:schema:xsd:";
const VAT_SCHEME = parent("cac:TaxScheme", leaf("cbc:ID", "VAT"));

export function writeUbl(invoice: Invoice): string {
  const isCredit = invoice.typeCode === CREDIT_NOTE;
  const name = isCredit ? "CreditNote" : "Invoice";
  const money = moneyIn(invoice.currency);
  const adjustments = [
    ...invoice.allowances.map((one) => adjustment(one, false, money)),
    ...invoice.charges.map((one) => adjustment(one, true, money)),
  ];
  return root(
    name,
    {
      "": `${NAMESPACE}${name}-2`,
      cac: `${NAMESPACE}CommonAggregateComponents-2`,
      cbc: `${NAMESPACE}CommonBasicComponents-2`,
    },
    leaf("cbc:CustomizationID", invoice.profile ?? EN_16931),
    leaf("cbc:ID", invoice.number),
    leaf("cbc:IssueDate", invoice.issueDate),
    isCredit ? null : leaf("cbc:DueDate", invoice.dueDate),
    leaf(`cbc:${name}TypeCode`, invoice.typeCode),
    invoice.notes.map((note) => leaf("cbc:Note", note)),
    leaf("cbc:DocumentCurrencyCode", invoice.currency),
    leaf("cbc:BuyerReference", invoice.buyerReference),
    period(invoice.period),
    parent("cac:OrderReference", leaf("cbc:ID", invoice.orderReference)),
    invoice.precedingInvoices.map((id) =>
      parent("cac:BillingReference", parent("cac:InvoiceDocumentReference", leaf("cbc:ID", id))),
    ),
    parent("cac:ContractDocumentReference", leaf("cbc:ID", invoice.contractReference)),
    parent("cac:AccountingSupplierParty", party("cac:Party", invoice.seller)),
    parent("cac:AccountingCustomerParty", party("cac:Party", invoice.buyer)),
    party("cac:PayeeParty", invoice.payee),
    parent("cac:Delivery", leaf("cbc:ActualDeliveryDate", invoice.deliveryDate)),
    paymentMeans(invoice.payment, isCredit ? invoice.dueDate : null),
    parent("cac:PaymentTerms", leaf("cbc:Note", invoice.payment.terms)),
    adjustments,
    parent(
      "cac:TaxTotal",
      money("cbc:TaxAmount", invoice.totals.tax),
      invoice.vat.map((one) => subtotal(one, money)),
    ),
    totals(invoice.totals, money),
    invoice.lines.map((one) => line(one, isCredit, money)),
  );
}

type Money = (name: string, amount: string | null) => string | null;
const moneyIn =
  (currencyID: string | null): Money =>
  (name, amount) =>
    leaf(name, amount, { currencyID });

const period = (of: Invoice["period"]) =>
  of && parent("cac:InvoicePeriod", leaf("cbc:StartDate", of.from), leaf("cbc:EndDate", of.to));

const category = (name: string, id: string | null, percent: string | null, reason: string | null = null) =>
  parent(name, leaf("cbc:ID", id), leaf("cbc:Percent", percent), leaf("cbc:TaxExemptionReason", reason), VAT_SCHEME);

const subtotal = ({ category: id, rate, base, amount, exemptionReason }: Vat, money: Money) =>
  parent(
    "cac:TaxSubtotal",
    money("cbc:TaxableAmount", base),
    money("cbc:TaxAmount", amount),
    category("cac:TaxCategory", id, rate, exemptionReason),
  );

const adjustment = (of: Adjustment, isCharge: boolean, money: Money) =>
  parent(
    "cac:AllowanceCharge",
    leaf("cbc:ChargeIndicator", String(isCharge)),
    leaf("cbc:AllowanceChargeReasonCode", of.reasonCode),
    leaf("cbc:AllowanceChargeReason", of.reason),
    leaf("cbc:MultiplierFactorNumeric", of.percent),
    money("cbc:Amount", of.amount),
    money("cbc:BaseAmount", of.base),
    of.vatCategory === null ? null : category("cac:TaxCategory", of.vatCategory, of.vatRate),
  );

/** A sum that is zero and may be left out is not written. */
const sum = (name: string, amount: string | null, money: Money) =>
  amount !== null && /^-?0*(?:\.0*)?$/.test(amount) ? null : money(name, amount);

const totals = (of: Totals, money: Money) =>
  parent(
    "cac:LegalMonetaryTotal",
    money("cbc:LineExtensionAmount", of.lineNet),
    money("cbc:TaxExclusiveAmount", of.taxExclusive),
    money("cbc:TaxInclusiveAmount", of.taxInclusive),
    sum("cbc:AllowanceTotalAmount", of.allowances, money),
    sum("cbc:ChargeTotalAmount", of.charges, money),
    sum("cbc:PrepaidAmount", of.prepaid, money),
    sum("cbc:PayableRoundingAmount", of.rounding, money),
    money("cbc:PayableAmount", of.payable),
  );

function paymentMeans({ means, iban, bic, accountName, reference, mandate }: InvoicePayment, due: string | null) {
  if (means === null) return null;
  return parent(
    "cac:PaymentMeans",
    leaf("cbc:PaymentMeansCode", means),
    leaf("cbc:PaymentDueDate", due),
    leaf("cbc:PaymentID", reference),
    parent(
      "cac:PayeeFinancialAccount",
      leaf("cbc:ID", iban),
      leaf("cbc:Name", accountName),
      parent("cac:FinancialInstitutionBranch", leaf("cbc:ID", bic)),
    ),
    parent("cac:PaymentMandate", leaf("cbc:ID", mandate)),
  );
}

function party(name: string, of: Party | null): string | null {
  if (!of) return null;
  const { electronicAddress, address, contact } = of;
  const tax = (id: string | null, scheme: string) =>
    id && parent("cac:PartyTaxScheme", leaf("cbc:CompanyID", id), parent("cac:TaxScheme", leaf("cbc:ID", scheme)));
  const [street, more, rest] = address?.lines ?? [];
  return parent(
    name,
    electronicAddress && leaf("cbc:EndpointID", electronicAddress.id, { schemeID: electronicAddress.scheme }),
    of.identifiers.map((id) => parent("cac:PartyIdentification", leaf("cbc:ID", id))),
    parent("cac:PartyName", leaf("cbc:Name", of.tradingName)),
    address &&
      parent(
        "cac:PostalAddress",
        leaf("cbc:StreetName", street),
        leaf("cbc:AdditionalStreetName", more),
        leaf("cbc:CityName", address.city),
        leaf("cbc:PostalZone", address.postalCode),
        leaf("cbc:CountrySubentity", address.region),
        parent("cac:AddressLine", leaf("cbc:Line", rest)),
        parent("cac:Country", leaf("cbc:IdentificationCode", address.country)),
      ),
    tax(of.vatId, "VAT"),
    tax(of.taxNumber, "FC"),
    parent("cac:PartyLegalEntity", leaf("cbc:RegistrationName", of.name), leaf("cbc:CompanyID", of.registration)),
    contact &&
      parent(
        "cac:Contact",
        leaf("cbc:Name", contact.name),
        leaf("cbc:Telephone", contact.phone),
        leaf("cbc:ElectronicMail", contact.email),
      ),
  );
}

const line = (of: InvoiceLine, isCredit: boolean, money: Money) =>
  parent(
    isCredit ? "cac:CreditNoteLine" : "cac:InvoiceLine",
    leaf("cbc:ID", of.id),
    leaf(isCredit ? "cbc:CreditedQuantity" : "cbc:InvoicedQuantity", of.quantity, { unitCode: of.unit }),
    money("cbc:LineExtensionAmount", of.net),
    period(of.period),
    of.allowances.map((one) => adjustment({ ...one, vatCategory: null }, false, money)),
    of.charges.map((one) => adjustment({ ...one, vatCategory: null }, true, money)),
    parent(
      "cac:Item",
      leaf("cbc:Description", of.description),
      leaf("cbc:Name", of.name),
      of.vatCategory && category("cac:ClassifiedTaxCategory", of.vatCategory, of.vatRate),
    ),
    parent(
      "cac:Price",
      money("cbc:PriceAmount", of.price),
      of.priceQuantity === "1" ? null : leaf("cbc:BaseQuantity", of.priceQuantity, { unitCode: of.unit }),
    ),
  );
