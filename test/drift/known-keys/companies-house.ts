import type { KnownKeys } from "../../support/render-inventories.js";

const ADDRESS = "address_line_1 address_line_2 care_of country locality po_box postal_code premises region";
const rareAddress = (place: string) => ADDRESS.split(" ").map((name) => `${place}.${name}`);

/** An overseas company has no accounts here, an old one no accounting reference date, a dissolved one no statements. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/company/*",
    source: "developer-specs.company-information.service.gov.uk, companyProfile",
    objects: {
      "": "accounts annual_return branch_company_details can_file company_name company_number company_status company_status_detail confirmation_statement corporate_annotation date_of_cessation date_of_creation dissolution_date etag external_registration_number foreign_company_details has_been_liquidated has_charges has_insolvency_history has_super_secure_pscs is_community_interest_company jurisdiction last_full_members_list_date links partial_data_available previous_company_names registered_office_address registered_office_is_in_dispute service_address sic_codes subtype super_secure_managing_officer_count type undeliverable_registered_office_address",
      accounts: "accounting_reference_date last_accounts next_accounts next_due next_made_up_to overdue",
      "accounts.accounting_reference_date": "day month",
      "accounts.last_accounts": "made_up_to period_end_on period_start_on type",
      confirmation_statement: "last_made_up_to next_due next_made_up_to overdue",
      "previous_company_names[]": "ceased_on effective_from name",
      registered_office_address: ADDRESS,
    },
    rare: [
      ...["accounts", "confirmation_statement", "previous_company_names", "sic_codes", "registered_office_address"],
      ...["has_been_liquidated", "has_charges", "has_insolvency_history", "registered_office_is_in_dispute"],
      ...["undeliverable_registered_office_address", "jurisdiction", "date_of_creation", "company_status"],
      ...["accounts.accounting_reference_date", "accounts.last_accounts", "accounts.next_due", "accounts.overdue"],
      ...["accounts.last_accounts.type", "accounts.last_accounts.made_up_to"],
      ...["confirmation_statement.last_made_up_to", "confirmation_statement.overdue"],
      ...rareAddress("registered_office_address"),
    ],
  },
  {
    path: "/search/companies",
    source: "developer-specs.company-information.service.gov.uk, companySearch",
    objects: {
      "": "etag items items_per_page kind start_index total_results page_number",
      "items[]":
        "address address_snippet company_number company_status company_type date_of_cessation date_of_creation description description_identifier external_registration_number kind links matches snippet title",
      "items[].address": ADDRESS,
    },
    rare: [
      ...["items[].date_of_cessation", "items[].date_of_creation", "items[].company_status", "items[].address"],
      ...rareAddress("items[].address"),
    ],
  },
];
