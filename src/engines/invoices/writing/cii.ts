/** Writes UN/CEFACT Cross Industry Invoice D16B, as Factur-X, ZUGFeRD 2 and XRechnung take it. */
import type { Adjustment, Invoice, InvoiceLine, Party, Totals, Vat } from "../invoice.js";
import { EN_16931, leaf, parent, root } from "./elements.js";

const NAMESPACE = "urn:un:unece:uncefact:data:standard:";

export function writeCii(invoice: Invoice): string {
  return root(
    "rsm:CrossIndustryInvoice",
    {
      rsm: `${NAMESPACE}CrossIndustryInvoice:100`,
      ram: `${NAMESPACE}ReusableAggregateBusinessInformationEntity:100`,
      udt: `${NAMESPACE}UnqualifiedDataType:100`,
    },
    parent(
      "rsm:ExchangedDocumentContext",
      parent("ram:GuidelineSpecifiedDocumentContextParameter", leaf("ram:ID", invoice.profile ?? EN_16931)),
    ),
    parent(
      "rsm:ExchangedDocument",
      leaf("ram:ID", invoice.number),
      leaf("ram:TypeCode", invoice.typeCode),
      day("ram:IssueDateTime", invoice.issueDate),
      invoice.notes.map((note) => parent("ram:IncludedNote", leaf("ram:Content", note))),
    ),
    parent(
      "rsm:SupplyChainTradeTransaction",
      invoice.lines.map(line),
      parent(
        "ram:ApplicableHeaderTradeAgreement",
        leaf("ram:BuyerReference", invoice.buyerReference),
        party("ram:SellerTradeParty", invoice.seller),
        party("ram:BuyerTradeParty", invoice.buyer),
        parent("ram:BuyerOrderReferencedDocument", leaf("ram:IssuerAssignedID", invoice.orderReference)),
        parent("ram:ContractReferencedDocument", leaf("ram:IssuerAssignedID", invoice.contractReference)),
      ),
      // Its schema wants the element even where nothing is said of a delivery.
      parent("ram:ApplicableHeaderTradeDelivery", delivery(invoice.deliveryDate)) ??
        "<ram:ApplicableHeaderTradeDelivery/>",
      settlement(invoice),
    ),
  );
}

const day = (name: string, date: string | null) =>
  parent(name, leaf("udt:DateTimeString", date?.replaceAll("-", ""), { format: "102" }));
const delivery = (date: string | null) =>
  parent("ram:ActualDeliverySupplyChainEvent", day("ram:OccurrenceDateTime", date));
const period = (of: Invoice["period"]) =>
  of && parent("ram:BillingSpecifiedPeriod", day("ram:StartDateTime", of.from), day("ram:EndDateTime", of.to));

function settlement(invoice: Invoice): string | null {
  const { payment, currency } = invoice;
  return parent(
    "ram:ApplicableHeaderTradeSettlement",
    leaf("ram:PaymentReference", payment.reference),
    leaf("ram:InvoiceCurrencyCode", currency),
    party("ram:PayeeTradeParty", invoice.payee),
    parent(
      "ram:SpecifiedTradeSettlementPaymentMeans",
      leaf("ram:TypeCode", payment.means),
      parent(
        "ram:PayeePartyCreditorFinancialAccount",
        leaf("ram:IBANID", payment.iban),
        leaf("ram:AccountName", payment.accountName),
      ),
      parent("ram:PayeeSpecifiedCreditorFinancialInstitution", leaf("ram:BICID", payment.bic)),
    ),
    invoice.vat.map(tax),
    period(invoice.period),
    invoice.allowances.map((one) => adjustment(one, false)),
    invoice.charges.map((one) => adjustment(one, true)),
    parent(
      "ram:SpecifiedTradePaymentTerms",
      leaf("ram:Description", payment.terms),
      day("ram:DueDateDateTime", invoice.dueDate),
      leaf("ram:DirectDebitMandateID", payment.mandate),
    ),
    totals(invoice.totals, currency),
    invoice.precedingInvoices.map((id) => parent("ram:InvoiceReferencedDocument", leaf("ram:IssuerAssignedID", id))),
  );
}

const percent = (rate: string | null) => leaf("ram:RateApplicablePercent", rate);

const tax = ({ category, rate, base, amount, exemptionReason }: Vat) =>
  parent(
    "ram:ApplicableTradeTax",
    leaf("ram:CalculatedAmount", amount),
    leaf("ram:TypeCode", "VAT"),
    leaf("ram:ExemptionReason", exemptionReason),
    leaf("ram:BasisAmount", base),
    leaf("ram:CategoryCode", category),
    percent(rate),
  );

const adjustment = (of: Adjustment, isCharge: boolean) =>
  parent(
    "ram:SpecifiedTradeAllowanceCharge",
    parent("ram:ChargeIndicator", leaf("udt:Indicator", String(isCharge))),
    leaf("ram:CalculationPercent", of.percent),
    leaf("ram:BasisAmount", of.base),
    leaf("ram:ActualAmount", of.amount),
    leaf("ram:ReasonCode", of.reasonCode),
    leaf("ram:Reason", of.reason),
    of.vatCategory === null
      ? null
      : parent(
          "ram:CategoryTradeTax",
          leaf("ram:TypeCode", "VAT"),
          leaf("ram:CategoryCode", of.vatCategory),
          percent(of.vatRate),
        ),
  );

/** A sum that is zero and may be left out is not written. */
const sum = (name: string, amount: string | null) =>
  amount !== null && /^-?0*(?:\.0*)?$/.test(amount) ? null : leaf(name, amount);

const totals = (of: Totals, currencyID: string | null) =>
  parent(
    "ram:SpecifiedTradeSettlementHeaderMonetarySummation",
    leaf("ram:LineTotalAmount", of.lineNet),
    sum("ram:ChargeTotalAmount", of.charges),
    sum("ram:AllowanceTotalAmount", of.allowances),
    leaf("ram:TaxBasisTotalAmount", of.taxExclusive),
    leaf("ram:TaxTotalAmount", of.tax, { currencyID }),
    sum("ram:RoundingAmount", of.rounding),
    leaf("ram:GrandTotalAmount", of.taxInclusive),
    sum("ram:TotalPrepaidAmount", of.prepaid),
    leaf("ram:DuePayableAmount", of.payable),
  );

function party(name: string, of: Party | null): string | null {
  if (!of) return null;
  const { address, contact, electronicAddress: electronic } = of;
  const registered = (id: string | null, schemeID: string) =>
    parent("ram:SpecifiedTaxRegistration", leaf("ram:ID", id, { schemeID }));
  const [first, second, third] = address?.lines ?? [];
  return parent(
    name,
    of.identifiers.map((id) => leaf("ram:ID", id)),
    leaf("ram:Name", of.name),
    parent(
      "ram:SpecifiedLegalOrganization",
      leaf("ram:ID", of.registration),
      leaf("ram:TradingBusinessName", of.tradingName),
    ),
    contact &&
      parent(
        "ram:DefinedTradeContact",
        leaf("ram:PersonName", contact.name),
        parent("ram:TelephoneUniversalCommunication", leaf("ram:CompleteNumber", contact.phone)),
        parent("ram:EmailURIUniversalCommunication", leaf("ram:URIID", contact.email)),
      ),
    address &&
      parent(
        "ram:PostalTradeAddress",
        leaf("ram:PostcodeCode", address.postalCode),
        leaf("ram:LineOne", first),
        leaf("ram:LineTwo", second),
        leaf("ram:LineThree", third),
        leaf("ram:CityName", address.city),
        leaf("ram:CountryID", address.country),
        leaf("ram:CountrySubDivisionName", address.region),
      ),
    electronic &&
      parent("ram:URIUniversalCommunication", leaf("ram:URIID", electronic.id, { schemeID: electronic.scheme })),
    registered(of.vatId, "VA"),
    registered(of.taxNumber, "FC"),
  );
}

const line = (of: InvoiceLine) =>
  parent(
    "ram:IncludedSupplyChainTradeLineItem",
    parent("ram:AssociatedDocumentLineDocument", leaf("ram:LineID", of.id)),
    parent("ram:SpecifiedTradeProduct", leaf("ram:Name", of.name), leaf("ram:Description", of.description)),
    parent(
      "ram:SpecifiedLineTradeAgreement",
      parent(
        "ram:NetPriceProductTradePrice",
        leaf("ram:ChargeAmount", of.price),
        of.priceQuantity === "1" ? null : leaf("ram:BasisQuantity", of.priceQuantity, { unitCode: of.unit }),
      ),
    ),
    parent("ram:SpecifiedLineTradeDelivery", leaf("ram:BilledQuantity", of.quantity, { unitCode: of.unit })),
    parent(
      "ram:SpecifiedLineTradeSettlement",
      parent(
        "ram:ApplicableTradeTax",
        of.vatCategory && leaf("ram:TypeCode", "VAT"),
        leaf("ram:CategoryCode", of.vatCategory),
        percent(of.vatRate),
      ),
      period(of.period),
      of.allowances.map((one) => adjustment({ ...one, vatCategory: null }, false)),
      of.charges.map((one) => adjustment({ ...one, vatCategory: null }, true)),
      parent("ram:SpecifiedTradeSettlementLineMonetarySummation", leaf("ram:LineTotalAmount", of.net)),
    ),
  );
