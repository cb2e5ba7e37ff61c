/** Companies of the UK's register: a search by words, and the profile of one number. Unknown fields are omitted. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import {
  day,
  flag,
  identifiedRows,
  label,
  list,
  maybe,
  number,
  part,
  whole,
  wholeOrNone,
} from "../../upstream/fields.js";
import { companiesHouse } from "./provider.js";

const address = () =>
  maybe(
    z.object({
      premises: label(),
      address_line_1: label(),
      address_line_2: label(),
      locality: label(),
      region: label(),
      postal_code: label(),
      country: label(),
    }),
  );
export type CompanyAddress = z.output<ReturnType<typeof address>>;

const searchItem = lazySchema(() =>
  whole(
    { title: z.string(), company_number: z.string(), company_type: label() },
    {
      company_status: label(),
      date_of_creation: day(),
      date_of_cessation: day(),
      address: address(),
      address_snippet: label(),
    },
  ),
);
export type FoundCompany = z.output<ReturnType<typeof searchItem>>;

const profile = lazySchema(() =>
  whole(
    {
      company_name: z.string(),
      company_number: z.string(),
      company_status: label(),
      type: label(),
      jurisdiction: label(),
      date_of_creation: day(),
      registered_office_address: address(),
      can_file: flag(),
    },
    {
      company_status_detail: label(),
      subtype: label(),
      date_of_cessation: day(),
      sic_codes: list(z.string()),
      previous_company_names: list(whole({ name: label(), effective_from: day(), ceased_on: day() })).transform(
        (names) => names.flatMap(({ name, ...days }) => (name === null ? [] : { name, ...days })),
      ),
      accounts: maybe(
        whole(
          { accounting_reference_date: maybe(whole({ day: number(), month: number() })) },
          { last_accounts: wholeOrNone({ type: label() }, { made_up_to: day() }), next_due: day(), overdue: flag() },
          ["next_due", "overdue"],
        ),
      ),
      confirmation_statement: maybe(whole({ next_due: day(), overdue: flag() }, { last_made_up_to: day() })),
      has_charges: flag(),
      has_insolvency_history: flag(),
      has_been_liquidated: flag(),
      registered_office_is_in_dispute: flag(),
      undeliverable_registered_office_address: flag(),
      foreign_company_details: maybe(
        z.object({
          originating_registry: part({ country: label(), name: label() }),
          registration_number: label(),
          legal_form: label(),
          governed_by: label(),
          business_activity: label(),
        }),
      ),
      external_registration_number: label(),
    },
    ["has_charges", "has_insolvency_history"],
    ["registered_office_is_in_dispute", "undeliverable_registered_office_address"],
  ),
);
export type CompanyProfile = z.output<ReturnType<typeof profile>>;

/** Up to `limit` (at most 100) companies, best match first, and how many match; at most 10,000 are counted. */
export async function searchCompanies(query: string, limit: number, ctx: Context) {
  const { items, total_results } = await upstream(ctx, companiesHouse).get("/search/companies", {
    query: { q: query, items_per_page: limit },
    schema: z.object({
      items: identifiedRows(searchItem(), ["company_number", "title"], ["company_status", "address"], 1),
      total_results: number(),
    }),
    ttlMs: 6 * HOUR_MS,
    staleMs: 7 * DAY_MS,
  });
  return { companies: items.slice(0, limit), total: total_results };
}

/** The company with this number, in the form of `readCompanyNumber`. Rejects with NOT_FOUND if there is none. */
export async function findCompany(companyNumber: string, ctx: Context): Promise<CompanyProfile> {
  const found = await upstream(ctx, companiesHouse).get(segments("company", companyNumber), {
    schema: profile().refine(({ company_number }) => company_number === companyNumber),
    absent: [404],
    ttlMs: 12 * HOUR_MS,
    staleMs: 7 * DAY_MS,
  });
  if (!found) throw new CapabilityError("NOT_FOUND", "Companies House has no company of this number.");
  return found;
}

/** Page of a company, for people. */
export const companyUrl = (companyNumber: string): string =>
  `https://find-and-update.company-information.service.gov.uk/company/${encodeURIComponent(companyNumber)}`;
