/** Checks of the options of invoices, by what EN 16931 wants of each of them. */
import { isCountryCode } from "../../lib/facts/country-codes.js";
import { being, type Check, listOf, needed, shape } from "../../lib/options/check.js";
import { oneOf, text } from "../../lib/options/kinds.js";
import type { InvoiceParty, InvoicesOptions, InvoiceTax } from "../options/invoices.js";

const line = (most: number): Check =>
  text(`1 to ${most} characters`, new RegExp(`^(?=.*\\S)[^\\p{Cc}]{1,${most}}$`, "u"));
const country = being(
  "the two letters of a country, such as DE",
  (value) => typeof value === "string" && isCountryCode(value),
);

const PARTY = {
  name: needed(line(200), "its legal name."),
  lines: listOf(line(100), { least: 1, most: 3 }),
  city: line(100),
  postalCode: line(20),
  region: line(100),
  country: needed(country, "the two letters of its country."),
  vatId: text("a VAT identifier with its country before it, such as DE123456789", /^[A-Z]{2}[A-Z0-9]{2,18}$/),
  taxNumber: line(50),
  registration: line(50),
  email: text("an e-mail address", /^[^\s@]{1,100}@[^\s@]{1,100}$/),
};

const TAX = {
  percent: needed(text('a decimal percent below 100, such as "19"', /^\d{1,2}(?:\.\d{1,4})?$/), "a decimal percent."),
  category: oneOf("S", "Z", "E", "O"),
  reason: line(200),
  countries: listOf(country, { least: 1, most: 300 }),
};

const INVOICES = {
  seller: needed(shape<InvoiceParty>(PARTY), "the particulars of the host."),
  // A digit before the number could not be told from it.
  prefix: text("up to 20 of A-Za-z0-9./_- that do not end in a digit", /^(?:[A-Za-z0-9./_-]{0,19}[A-Za-z./_-])?$/),
  taxes: listOf(shape<InvoiceTax>(TAX), { least: 1, most: 100 }),
  note: line(500),
};
const invoices = shape<InvoicesOptions>(INVOICES);

const isNothing = ({ percent }: InvoiceTax) => Number(percent) === 0;

/** Throws a TypeError for a tax that no invoice may have. */
function assertTax(name: string, tax: InvoiceTax, { vatId, taxNumber }: InvoiceParty): void {
  const { category = isNothing(tax) ? "Z" : "S", reason } = tax;
  if (isNothing(tax) === (category === "S"))
    throw new TypeError(`${name}.percent must be ${category === "S" ? "above 0" : "0"} for the category ${category}.`);
  const isExempt = category === "E" || category === "O";
  if (isExempt !== (reason !== undefined))
    throw new TypeError(`${name}.reason ${isExempt ? "is needed" : "must be left out"} for the category ${category}.`);
  if (category !== "O" && vatId === undefined && taxNumber === undefined)
    throw new TypeError(`${name} needs accounts.invoices.seller.vatId or taxNumber.`);
}

export const invoicesOptions: Check = Object.assign(
  (name: string, value: unknown) => {
    invoices(name, value);
    const { seller, taxes = [] } = value as InvoicesOptions;
    const { vatId, taxNumber, registration } = seller;
    if (vatId === undefined && taxNumber === undefined && registration === undefined)
      throw new TypeError(`${name}.seller needs vatId, taxNumber or registration, by which it is known.`);
    for (const [i, tax] of taxes.entries()) assertTax(`${name}.taxes[${i}]`, tax, seller);
  },
  { members: INVOICES },
);
