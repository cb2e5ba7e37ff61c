/** A small invoice that keeps all rules of EN 16931. */
const party = (role: string, name: string, vat: string) =>
  `<cac:Accounting${role}Party><cac:Party>${vat && '<cbc:EndpointID schemeID="EM">mail@example.com</cbc:EndpointID>'}<cac:PostalAddress>` +
  `<cbc:CityName>Berlin</cbc:CityName><cbc:PostalZone>10115</cbc:PostalZone><cac:Country><cbc:IdentificationCode>DE</cbc:IdentificationCode></cac:Country></cac:PostalAddress>` +
  `${vat && `<cac:PartyTaxScheme><cbc:CompanyID>${vat}</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>`}` +
  `<cac:PartyLegalEntity><cbc:RegistrationName>${name}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:Accounting${role}Party>`;
const eur = (name: string, amount: string) => `<cbc:${name} currencyID="EUR">${amount}</cbc:${name}>`;
const category = (name: string) =>
  `<cac:${name}><cbc:ID>S</cbc:ID><cbc:Percent>19</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:${name}>`;

export const invoiceExample = [
  '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">',
  "<cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID><cbc:ID>R-100</cbc:ID><cbc:IssueDate>2026-02-01</cbc:IssueDate>",
  "<cbc:DueDate>2026-03-01</cbc:DueDate><cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>",
  party("Supplier", "Tea Trade GmbH", "DE123456789"),
  party("Customer", "Coffee Shop AG", ""),
  "<cac:PaymentMeans><cbc:PaymentMeansCode>58</cbc:PaymentMeansCode><cbc:PaymentID>R-100</cbc:PaymentID>",
  "<cac:PayeeFinancialAccount><cbc:ID>DE89370400440532013000</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>",
  `<cac:TaxTotal>${eur("TaxAmount", "19.00")}<cac:TaxSubtotal>${eur("TaxableAmount", "100.00")}${eur("TaxAmount", "19.00")}${category("TaxCategory")}</cac:TaxSubtotal></cac:TaxTotal>`,
  `<cac:LegalMonetaryTotal>${eur("LineExtensionAmount", "100.00")}${eur("TaxExclusiveAmount", "100.00")}${eur("TaxInclusiveAmount", "119.00")}${eur("PayableAmount", "119.00")}</cac:LegalMonetaryTotal>`,
  `<cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity unitCode="KGM">8</cbc:InvoicedQuantity>${eur("LineExtensionAmount", "100.00")}`,
  `<cac:Item><cbc:Name>Green tea</cbc:Name>${category("ClassifiedTaxCategory")}</cac:Item><cac:Price>${eur("PriceAmount", "12.50")}</cac:Price></cac:InvoiceLine></Invoice>`,
].join("\n");
