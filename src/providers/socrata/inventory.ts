// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","host":"data.ny.gov","path":"/resource/*","objects":"[]\tdos_id! f|current_entity_name! s|initial_dos_filing_date! d|county! s|jurisdiction! s|entity_type! s|dos_process_name! s|dos_process_address_1! s|dos_process_address_2! s|dos_process_city! s|dos_process_state! s|dos_process_zip! f|chairman_name! s|chairman_city! s|chairman_state! s|chairman_zip! f|registered_agent_name! s\tchairman_address_1|registered_agent_state|total|count"},
  {"method":"GET","host":"data.colorado.gov","path":"/resource/*","objects":"[]\tentityid! f|entityname! s|principaladdress1! s|principalcity! s|principalstate! s|principalzipcode! f|principalcountry! s|entitystatus! s|jurisdictonofformation! s|entitytype! s|agentorganizationname s|agentprincipaladdress1! s|agentprincipalcity! s|agentprincipalstate! s|agentprincipalzipcode! f|agentprincipalcountry! s|entityformdate! d\tagentfirstname|agentmiddlename|agentlastname|total|count"},
  {"method":"GET","host":"data.ct.gov","path":"/resource/*","objects":"[]\tid! s|name! s|business_type! s|status! s|accountnumber! f|billingstreet! s|billing_unit! f|billingcity! s|billingcountry! s|billingpostalcode! s|billingstate! s|citizenship! s|date_registration! d|formation_place! s\tsub_status|annual_report_due_date|began_transacting_in_ct|country_formation|state_or_territory_formation|naics_code|create_dt|geo_location|total|count"},
];
