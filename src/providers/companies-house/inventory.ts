// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/company/*","objects":"\taccounts o|can_file b|company_name s|company_number f|company_status s|confirmation_statement o|date_of_creation d|has_been_liquidated b|has_charges b|has_insolvency_history b|jurisdiction s|previous_company_names a|registered_office_address o|registered_office_is_in_dispute b|sic_codes a|type s|undeliverable_registered_office_address b\tetag|last_full_members_list_date|links|has_super_secure_pscs\naccounts\taccounting_reference_date o|last_accounts o|next_due d|overdue b\tnext_accounts|next_made_up_to\naccounts.accounting_reference_date\tday f|month f\t\naccounts.last_accounts\tmade_up_to d|type s\tperiod_end_on|period_start_on\nconfirmation_statement\tlast_made_up_to d|next_due d|overdue b\tnext_made_up_to\nprevious_company_names[]\tceased_on d|effective_from d|name s\t\nregistered_office_address\taddress_line_1 s|address_line_2 s|country s|locality s|postal_code s\t"},
  {"method":"GET","path":"/search/companies","objects":"\titems a|total_results n\tkind|page_number|items_per_page|start_index\nitems[]\tcompany_status s|date_of_creation d|company_type s|company_number fs|address o|title s|date_of_cessation d\tkind|description_identifier|external_registration_number|address_snippet|description|links|snippet|matches\nitems[].address\taddress_line_1 s|country? s|locality s|premises? s|region s|postal_code s|address_line_2 s\t"},
];
