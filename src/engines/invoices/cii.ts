/** UN/CEFACT Cross Industry Invoice D16B, and the older form of ZUGFeRD 1, whose elements have other names. */

import type { XmlElement } from "../../lib/xml/parse.js";
import { all, allAt, at, attribute, elementText, textAt } from "../../lib/xml/paths.js";
import { readTradeParty } from "./cii-party.js";
import type { Adjustment, Invoice, InvoiceLine, InvoicePayment, Totals, Vat } from "./invoice.js";
import {
  attachment,
  type Find,
  finder,
  isoDate,
  money,
  noted,
  period,
  plainNumber,
  price,
  sumOrZero,
} from "./values.js";

const DOCUMENT = "ExchangedDocument|HeaderExchangedDocument";
const TRADE = "SupplyChainTradeTransaction|SpecifiedSupplyChainTradeTransaction";
const AGREEMENT = "ApplicableHeaderTradeAgreement|ApplicableSupplyChainTradeAgreement";
const DELIVERY = "ApplicableHeaderTradeDelivery|ApplicableSupplyChainTradeDelivery";
const SETTLEMENT = "ApplicableHeaderTradeSettlement|ApplicableSupplyChainTradeSettlement";
const CONTEXT = "ExchangedDocumentContext|SpecifiedExchangedDocumentContext";
const SUMMATION = "SpecifiedTradeSettlementHeaderMonetarySummation|SpecifiedTradeSettlementMonetarySummation";
const PERCENT = "RateApplicablePercent|ApplicablePercent";
const ORDER_ID = "IssuerAssignedID|ID";

export function readCii(root: XmlElement, syntax: "cii" | "zugferd-1"): Invoice {
  const document = finder(at(root, DOCUMENT));
  const trade = at(root, TRADE);
  const part = (name: string) => trade && at(trade, name);
  const [agreement, delivery, settlement] = [part(AGREEMENT), part(DELIVERY), part(SETTLEMENT)];
  const [agreed, settled] = [finder(agreement), finder(settlement)];
  const currency = settled("InvoiceCurrencyCode");
  const adjustments = settlement ? all(settlement, "SpecifiedTradeAllowanceCharge") : [];
  return {
    syntax,
    profile: textAt(root, `${CONTEXT}/GuidelineSpecifiedDocumentContextParameter/ID`),
    number: document("ID"),
    typeCode: document("TypeCode"),
    issueDate: isoDate(document("IssueDateTime/DateTimeString")),
    dueDate: isoDate(settled("SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString")),
    currency,
    buyerReference: agreed("BuyerReference"),
    orderReference: agreed(`BuyerOrderReferencedDocument/${ORDER_ID}`),
    contractReference: agreed(`ContractReferencedDocument/${ORDER_ID}`),
    precedingInvoices: settlement ? allAt(settlement, `InvoiceReferencedDocument/${ORDER_ID}`).map(elementText) : [],
    deliveryDate: isoDate(finder(delivery)("ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString")),
    period: periodOf(settled),
    notes: allAt(root, `${DOCUMENT}/IncludedNote`).flatMap((note) =>
      noted(textAt(note, "SubjectCode"), textAt(note, "Content")),
    ),
    seller: readTradeParty(agreement && at(agreement, "SellerTradeParty")),
    buyer: readTradeParty(agreement && at(agreement, "BuyerTradeParty")),
    payee: readTradeParty(settlement && at(settlement, "PayeeTradeParty")),
    payment: readPayment(settled),
    allowances: adjustments.filter((one) => !isCharge(one)).map((one) => readAdjustment(one, currency)),
    charges: [
      ...adjustments.filter(isCharge).map((one) => readAdjustment(one, currency)),
      ...(settlement ? all(settlement, "SpecifiedLogisticsServiceCharge") : []).map((one) =>
        readLogistics(one, currency),
      ),
    ],
    vat: settlement ? all(settlement, "ApplicableTradeTax").map((one) => readVat(one, currency)) : [],
    totals: readTotals(settlement, currency),
    lines: (trade ? all(trade, "IncludedSupplyChainTradeLineItem") : []).map((line) => readLine(line, currency)),
    attachments: (agreement ? all(agreement, "AdditionalReferencedDocument") : []).flatMap((reference) =>
      all(reference, "AttachmentBinaryObject").map((one) => attachment(one, textAt(reference, ORDER_ID))),
    ),
  };
}

const periodOf = (text: Find) =>
  period(
    text("BillingSpecifiedPeriod/StartDateTime/DateTimeString"),
    text("BillingSpecifiedPeriod/EndDateTime/DateTimeString"),
  );

const isCharge = (element: XmlElement) => textAt(element, "ChargeIndicator/Indicator") === "true";

function readAdjustment(element: XmlElement, currency: string | null): Adjustment {
  const text = finder(element);
  return {
    amount: money(text("ActualAmount"), currency),
    base: money(text("BasisAmount"), currency),
    percent: plainNumber(text("CalculationPercent")),
    reason: text("Reason"),
    reasonCode: text("ReasonCode"),
    vatCategory: text("CategoryTradeTax/CategoryCode"),
    vatRate: plainNumber(text(`CategoryTradeTax/${PERCENT}`)),
  };
}

/** A charge for transport, of the extended profiles. */
function readLogistics(element: XmlElement, currency: string | null): Adjustment {
  const text = finder(element);
  return {
    amount: money(text("AppliedAmount"), currency),
    ...{ base: null, percent: null, reasonCode: null, reason: text("Description") },
    vatCategory: text("AppliedTradeTax/CategoryCode"),
    vatRate: plainNumber(text(`AppliedTradeTax/${PERCENT}`)),
  };
}

function readVat(element: XmlElement, currency: string | null): Vat {
  const text = finder(element);
  return {
    category: text("CategoryCode"),
    rate: plainNumber(text(PERCENT)),
    base: money(text("BasisAmount"), currency),
    amount: money(text("CalculatedAmount"), currency),
    exemptionReason: text("ExemptionReason"),
  };
}

/** The tax may be told in a second currency, for the accounts. */
function readTotals(settlement: XmlElement | undefined, currency: string | null): Totals {
  const summation = settlement && at(settlement, SUMMATION);
  const total = finder(summation);
  const taxes = summation ? all(summation, "TaxTotalAmount") : [];
  const tax = taxes.find((one) => [currency, null].includes(attribute(one, "currencyID")));
  const amount = (name: string) => money(total(name), currency);
  const optional = (name: string) => sumOrZero(total(name), currency);
  return {
    lineNet: amount("LineTotalAmount"),
    allowances: optional("AllowanceTotalAmount"),
    charges: optional("ChargeTotalAmount"),
    taxExclusive: amount("TaxBasisTotalAmount"),
    tax: money(tax ? elementText(tax) : null, currency),
    taxInclusive: amount("GrandTotalAmount"),
    prepaid: optional("TotalPrepaidAmount"),
    rounding: optional("RoundingAmount"),
    payable: amount("DuePayableAmount"),
  };
}

function readPayment(text: Find): InvoicePayment {
  const means = (path: string) => text(`SpecifiedTradeSettlementPaymentMeans/${path}`);
  const iban =
    means("PayeePartyCreditorFinancialAccount/IBANID") ?? means("PayeePartyCreditorFinancialAccount/ProprietaryID");
  return {
    means: means("TypeCode"),
    iban: (iban ?? means("PayerPartyDebtorFinancialAccount/IBANID"))?.replace(/\s/g, "") ?? null,
    bic: means("PayeeSpecifiedCreditorFinancialInstitution/BICID"),
    accountName: means("PayeePartyCreditorFinancialAccount/AccountName"),
    reference: text("PaymentReference"),
    terms: text("SpecifiedTradePaymentTerms/Description"),
    mandate: text("SpecifiedTradePaymentTerms/DirectDebitMandateID"),
  };
}

const LINE_AGREEMENT = "SpecifiedLineTradeAgreement|SpecifiedSupplyChainTradeAgreement";
const LINE_DELIVERY = "SpecifiedLineTradeDelivery|SpecifiedSupplyChainTradeDelivery";
const LINE_SETTLEMENT = "SpecifiedLineTradeSettlement|SpecifiedSupplyChainTradeSettlement";
const LINE_TOTAL = "SpecifiedTradeSettlementLineMonetarySummation|SpecifiedTradeSettlementMonetarySummation";

function readLine(line: XmlElement, currency: string | null): InvoiceLine {
  const text = finder(line);
  const agreed = finder(at(line, `${LINE_AGREEMENT}/NetPriceProductTradePrice`));
  const quantity = at(line, `${LINE_DELIVERY}/BilledQuantity`);
  const settlement = at(line, LINE_SETTLEMENT);
  const settled = finder(settlement);
  const adjustments = settlement ? all(settlement, "SpecifiedTradeAllowanceCharge") : [];
  return {
    id: text("AssociatedDocumentLineDocument/LineID"),
    name: text("SpecifiedTradeProduct/Name"),
    description: text("SpecifiedTradeProduct/Description"),
    quantity: plainNumber(quantity ? elementText(quantity) : null),
    unit: attribute(quantity, "unitCode"),
    price: price(agreed("ChargeAmount"), currency),
    priceQuantity: plainNumber(agreed("BasisQuantity") ?? "1"),
    net: money(settled(`${LINE_TOTAL}/LineTotalAmount`), currency),
    vatCategory: settled("ApplicableTradeTax/CategoryCode"),
    vatRate: plainNumber(settled(`ApplicableTradeTax/${PERCENT}`)),
    period: periodOf(settled),
    allowances: adjustments.filter((one) => !isCharge(one)).map((one) => readAdjustment(one, currency)),
    charges: adjustments.filter(isCharge).map((one) => readAdjustment(one, currency)),
  };
}
