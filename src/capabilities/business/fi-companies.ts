import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { unavailableIn } from "../../capability/facts.js";
import { limit, text } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { redactStreetAddress } from "../../engines/addresses/redact-street-address.js";
import { readBusinessId } from "../../engines/identifiers/business-id.js";
import { invalid } from "../../errors.js";
import { type FinnishCompany, searchFinnishCompanies } from "../../providers/prh/companies.js";
import { prh } from "../../providers/prh/provider.js";

const [FINNISH, ENGLISH] = ["1", "3"];
const [MAIN, PARALLEL, AUXILIARY] = ["1", "2", "3"];
const [VISITING, POSTAL] = ["1", "2"];
const REGISTERS = { tradeRegister: "1", vat: "6", prepayment: "5", employer: "7" } as const;

const label = () => z.string().nullable();
const addressSchema = () => z.object({ street: label(), postalCode: label(), city: label(), country: label() });

export const businessFiCompanies = /* @__PURE__ */ defineCapability({
  id: "business.fi-companies",
  summary: "Search Finland's company register by name or business ID: form, activity, situation, registers, addresses.",
  keywords: ["finland", "ytj", "prh", "y-tunnus", "business id", "company registry", "kyb", "oy"],
  price: "0.00144",
  provider: prh,
  input: () =>
    z.strictObject({
      name: text(2, 120).describe("A part of the present or a former name, or a business ID such as 0112038-9"),
      limit: limit(10, 25).describe("How many companies to return"),
    }),
  output: rows(() =>
    z.object({
      businessId: z.string(),
      euId: label(),
      name: label(),
      previousNames: z.array(z.object({ name: z.string(), from: label(), to: label() })),
      auxiliaryNames: z.array(z.string()),
      parallelNames: z.array(z.string()),
      companyForm: z.object({ code: label(), name: label() }).nullable(),
      mainBusinessLine: z.object({ code: label(), name: label(), classification: label() }).nullable(),
      registrationDate: label(),
      endDate: label(),
      active: z.boolean(),
      tradeRegisterStatus: label(),
      situations: z
        .array(z.object({ type: label(), since: label() }))
        .describe("Bankruptcy, liquidation, restructuring"),
      website: label(),
      visitingAddress: addressSchema().nullable(),
      postalAddress: addressSchema().extend({ postOfficeBox: label() }).nullable(),
      registeredFor: z.object({
        tradeRegister: z.boolean(),
        vat: z.boolean(),
        prepayment: z.boolean(),
        employer: z.boolean(),
      }),
      lastModified: label(),
      url: z.string(),
    }),
  ),
  example: { name: "0112038-9" },
  read({ name, limit }) {
    const words = name.trim();
    if (words.length < 2) throw invalid("name", "must have at least two characters that are not blanks");
    if (!/^\d{7}-\d$/.test(words)) return { search: { name: words }, limit };
    const businessId = readBusinessId(words);
    if (!businessId) throw invalid("name", "is not a business ID: its check digit is wrong");
    return { search: { businessId }, limit };
  },
  async run({ search, limit }, ctx) {
    const { companies, total } = await searchFinnishCompanies(search, ctx);
    const items = companies.slice(0, limit).map(toItem);
    const meta = unavailableIn(items, {
      activity: ["mainBusinessLine"],
      addresses: ["visitingAddress", "postalAddress"],
    });
    return { items, total, meta };
  },
});

function toItem(company: FinnishCompany) {
  const named = (type: string) =>
    company.names.filter((name) => name.type === type && name.endDate === null).map(({ name }) => name);
  const main = company.names.filter(({ type }) => type === MAIN).sort(newestFirst);
  // A former name may lack its end: a company has one at a time, and the newest is it.
  const current = main.find(({ endDate }) => endDate === null) ?? main[0];
  const form = company.companyForms.find(({ endDate }) => endDate === null) ?? company.companyForms[0];
  const line = company.mainBusinessLine;
  return {
    businessId: company.businessId.value,
    euId: company.euId?.value ?? null,
    name: current?.name ?? null,
    previousNames: main
      .filter((name) => name !== current || name.endDate !== null)
      .map(({ name, registrationDate, endDate }) => ({ name, from: registrationDate, to: endDate })),
    auxiliaryNames: named(AUXILIARY),
    parallelNames: named(PARALLEL),
    companyForm: form ? { code: form.type, name: inEnglish(form.descriptions) } : null,
    mainBusinessLine: line && { code: line.type, name: inEnglish(line.descriptions), classification: line.typeCodeSet },
    registrationDate: company.registrationDate,
    endDate: company.endDate,
    // `status` means something else: it is "2" for active companies.
    active: company.endDate === null && company.tradeRegisterStatus === "1",
    tradeRegisterStatus: company.tradeRegisterStatus,
    situations: company.companySituations
      .filter(({ endDate }) => endDate === null)
      .map(({ type, registrationDate }) => ({ type, since: registrationDate })),
    website: company.website?.url ?? null,
    visitingAddress: toAddress(company, VISITING),
    postalAddress: toAddress(company, POSTAL),
    registeredFor: {
      tradeRegister: isRegistered(company, REGISTERS.tradeRegister),
      vat: isRegistered(company, REGISTERS.vat),
      prepayment: isRegistered(company, REGISTERS.prepayment),
      employer: isRegistered(company, REGISTERS.employer),
    },
    lastModified: company.lastModified,
    url: `https://tietopalvelu.ytj.fi/yritys/${encodeURIComponent(company.businessId.value)}`,
  };
}

type Name = FinnishCompany["names"][number];
const newestFirst = (a: Name, b: Name) => (b.registrationDate ?? "").localeCompare(a.registrationDate ?? "");

type Texts = FinnishCompany["companyForms"][number]["descriptions"];

/** English, otherwise Finnish. */
const inEnglish = (texts: Texts): string | null =>
  [ENGLISH, FINNISH]
    .map((code) => texts.find(({ languageCode }) => languageCode === code)?.description)
    .find(Boolean) ?? null;

/** A private trader, in the register's English and Finnish terms. */
const isOnePerson = ({ companyForms }: FinnishCompany): boolean =>
  companyForms.some(({ descriptions }) =>
    descriptions.some(({ description }) =>
      /private trader|sole trader|yksityinen elinkeinonharjoittaja/i.test(description ?? ""),
    ),
  );

function toAddress(company: FinnishCompany, wanted: string) {
  const address = company.addresses.find(({ type }) => type === wanted);
  if (!address) return null;
  const { street, buildingNumber, entrance, apartmentNumber, postCode, postOffices, postOfficeBox, country } = address;
  const office = postOffices.find(({ languageCode }) => languageCode === FINNISH) ?? postOffices[0];
  const whole = {
    street: [street, buildingNumber, entrance, apartmentNumber].filter(Boolean).join(" ") || null,
    postalCode: postCode,
    city: office?.city ?? null,
    country,
    postOfficeBox,
  };
  return isOnePerson(company) ? redactStreetAddress(whole) : whole;
}

/** Entries state in words whether they register or remove an entity. */
function isRegistered({ registeredEntries }: FinnishCompany, register: string): boolean {
  return registeredEntries.some(
    (entry) =>
      entry.register === register &&
      entry.endDate === null &&
      !/unregistered|removed|ceased|terminated|not registered|expired/i.test(inEnglish(entry.descriptions) ?? ""),
  );
}
