import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { unavailableIn } from "../../capability/facts.js";
import { identifier, limit, words } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { readCompanyNumber } from "../../engines/identifiers/company-number.js";
import { invalid } from "../../errors.js";
import {
  type CompanyAddress,
  type CompanyProfile,
  companyUrl,
  type FoundCompany,
  findCompany,
  searchCompanies,
} from "../../providers/companies-house/companies.js";
import { companiesHouse } from "../../providers/companies-house/provider.js";

const label = () => z.string().nullable();
const yesNo = () => z.boolean().nullable();

const companySchema = () =>
  z.object({
    companyNumber: z.string(),
    name: z.string(),
    status: label(),
    type: label(),
    incorporatedDate: label(),
    dissolvedDate: label(),
    address: z
      .object({
        line1: label(),
        line2: label(),
        locality: label(),
        region: label(),
        postalCode: label(),
        country: label(),
      })
      .nullable(),
    addressText: label(),
    url: z.string(),
  });

const profileFields = () => ({
  statusDetail: label(),
  subtype: label(),
  jurisdiction: label(),
  sicCodes: z.array(z.string()),
  previousNames: z.array(z.object({ name: z.string(), from: label(), to: label() })),
  accounts: z
    .object({
      referenceDate: z.object({ day: z.number().nullable(), month: z.number().nullable() }).nullable(),
      lastMadeUpTo: label(),
      lastType: label(),
      nextDue: label(),
      overdue: yesNo(),
    })
    .nullable(),
  confirmationStatement: z.object({ lastMadeUpTo: label(), nextDue: label(), overdue: yesNo() }).nullable(),
  hasCharges: yesNo(),
  hasInsolvencyHistory: yesNo(),
  hasBeenLiquidated: yesNo(),
  officeInDispute: yesNo(),
  undeliverableAddress: yesNo(),
  foreignCompany: z
    .object({
      country: label(),
      registry: label(),
      registrationNumber: label(),
      legalForm: label(),
      governedBy: label(),
      businessActivity: label(),
    })
    .nullable(),
  externalRegistrationNumber: label(),
  canFile: yesNo(),
});

export const businessUkCompanies = /* @__PURE__ */ defineCapability({
  id: "business.uk-companies",
  summary: "Search the UK's company register, or get the profile of a company number: status, accounts, former names.",
  keywords: ["companies house", "united kingdom", "england", "scotland", "kyb", "company number", "insolvency"],
  price: "0.00144",
  provider: companiesHouse,
  input: () =>
    z.strictObject({
      query: words(1, 120).optional().describe("Words to search for; instead of companyNumber"),
      companyNumber: identifier(
        readCompanyNumber,
        "a company number: up to eight digits, or two letters and up to six digits, such as 00445790 or SC045551",
        [1, 12],
      )
        .optional()
        .describe("Number of one company, with its leading zeros or without; instead of query"),
      limit: limit(10, 50).describe("How many companies of a search to return"),
    }),
  output: rows(() => companySchema().extend(z.object(profileFields()).partial().shape)),
  example: { companyNumber: "00445790" },
  read({ query, companyNumber, limit }) {
    if (companyNumber !== undefined && query === undefined) return { mode: "profile", companyNumber } as const;
    if (query?.trim() && companyNumber === undefined) return { mode: "search", words: query.trim(), limit } as const;
    throw invalid("", "give either query or companyNumber");
  },
  async run(query, ctx) {
    const meta = { mode: query.mode };
    if (query.mode === "profile") {
      const items = [toProfile(await findCompany(query.companyNumber, ctx))];
      // Only some kinds of company have to file accounts.
      return { items, total: 1, meta: { ...meta, ...unavailableIn(items, { accounts: ["accounts"] }) } };
    }
    const { companies, total } = await searchCompanies(query.words, query.limit, ctx);
    return { items: companies.map(toFound), total, meta };
  },
});

const toFound = (company: FoundCompany) => ({
  companyNumber: company.company_number,
  name: company.title,
  status: company.company_status,
  type: company.company_type,
  incorporatedDate: company.date_of_creation,
  dissolvedDate: company.date_of_cessation,
  address: toAddress(company.address),
  addressText: company.address_snippet ?? textOf(company.address),
  url: companyUrl(company.company_number),
});

function toProfile(company: CompanyProfile) {
  const { accounts, confirmation_statement: statement, foreign_company_details: foreign } = company;
  return {
    companyNumber: company.company_number,
    name: company.company_name,
    status: company.company_status,
    type: company.type,
    incorporatedDate: company.date_of_creation,
    dissolvedDate: company.date_of_cessation,
    address: toAddress(company.registered_office_address),
    addressText: textOf(company.registered_office_address),
    url: companyUrl(company.company_number),
    statusDetail: company.company_status_detail,
    subtype: company.subtype,
    jurisdiction: company.jurisdiction,
    sicCodes: company.sic_codes,
    previousNames: company.previous_company_names.map((previous) => ({
      name: previous.name,
      from: previous.effective_from,
      to: previous.ceased_on,
    })),
    accounts: accounts && {
      referenceDate: accounts.accounting_reference_date,
      lastMadeUpTo: accounts.last_accounts.made_up_to,
      // Without accounts the register writes the word "null".
      lastType: accounts.last_accounts.type === "null" ? null : accounts.last_accounts.type,
      nextDue: accounts.next_due,
      overdue: accounts.overdue,
    },
    confirmationStatement: statement && {
      lastMadeUpTo: statement.last_made_up_to,
      nextDue: statement.next_due,
      overdue: statement.overdue,
    },
    hasCharges: company.has_charges,
    hasInsolvencyHistory: company.has_insolvency_history,
    hasBeenLiquidated: company.has_been_liquidated,
    officeInDispute: company.registered_office_is_in_dispute,
    undeliverableAddress: company.undeliverable_registered_office_address,
    foreignCompany: foreign && {
      country: foreign.originating_registry.country,
      registry: foreign.originating_registry.name,
      registrationNumber: foreign.registration_number,
      legalForm: foreign.legal_form,
      governedBy: foreign.governed_by,
      businessActivity: foreign.business_activity,
    },
    externalRegistrationNumber: company.external_registration_number,
    canFile: company.can_file,
  };
}

function toAddress(address: CompanyAddress) {
  if (!address) return null;
  const { premises, address_line_1: line, address_line_2: line2, locality, region, postal_code, country } = address;
  // A house number is joined to its street; the name of a house precedes it.
  const line1 = [premises, line].filter(Boolean).join(/^\d+\w?$/.test(premises ?? "") ? " " : ", ") || null;
  return { line1, line2, locality, region, postalCode: postal_code, country };
}

function textOf(address: CompanyAddress): string | null {
  const { line1, line2, locality, region, postalCode, country } = toAddress(address) ?? {};
  return [line1, line2, locality, region, postalCode, country].filter(Boolean).join(", ") || null;
}
