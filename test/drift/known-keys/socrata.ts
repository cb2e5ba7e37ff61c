import type { KnownKeys } from "../../support/render-inventories.js";

const SOURCE = "dev.socrata.com and the columns of";

/** A count of rows has the same address as the rows. */
const COUNT = "total count count_1";

const NEW_YORK =
  "dos_id current_entity_name initial_dos_filing_date county jurisdiction entity_type dos_process_name dos_process_address_1 dos_process_address_2 dos_process_city dos_process_state dos_process_zip chairman_name chairman_address_1 chairman_address_2 chairman_city chairman_state chairman_zip registered_agent_name registered_agent_address_1 registered_agent_address_2 registered_agent_city registered_agent_state registered_agent_zip location_name location_address_1 location_address_2 location_city location_state location_zip";
const COLORADO =
  "entityid entityname principaladdress1 principaladdress2 principalcity principalstate principalzipcode principalcountry mailingaddress1 mailingaddress2 mailingcity mailingstate mailingzipcode mailingcountry entitystatus jurisdictonofformation entitytype agentfirstname agentmiddlename agentlastname agentsuffix agentorganizationname agentprincipaladdress1 agentprincipaladdress2 agentprincipalcity agentprincipalstate agentprincipalzipcode agentprincipalcountry agentmailingaddress1 agentmailingaddress2 agentmailingcity agentmailingstate agentmailingzipcode agentmailingcountry entityformdate";
const CONNECTICUT =
  "id name status sub_status accountnumber business_type citizenship date_registration formation_place country_formation state_or_territory_formation began_transacting_in_ct dissolution_date annual_report_due_date naics_code naics_sub_code billingstreet billing_unit billingcity billingstate billingpostalcode billingcountry mailing_address mailing_jurisdiction mailing_jurisdiction_address mailing_jurisdiction_business mailing_jurisdiction_city mailing_jurisdiction_country mailing_jurisdiction_postal mailing_jurisdiction_state mailing_jurisdiction_street mailing_jurisdiction_unit mailing_jurisdiction_1 mailing_jurisdiction_2 mailing_jurisdiction_3 mailing_jurisdiction_4 office_jurisdiction_address office_jurisdiction_business office_in_jurisdiction_country office_jurisdiction_1 office_jurisdiction_2 office_jurisdiction_3 office_jurisdiction_4 office_jurisdiction records_address_street records_address_unit records_address_city records_address_state records_address_zip_code records_address_country business_email_address category_survey_email_address woman_owned_organization veteran_owned_organization minority_owned_organization organization_is_lgbtqi_owned person_with_disablility_owned_organization person_with_disability_owned_organization reason_for_administrative total_authorized_shares create_dt geo_location";
/** Principals, agents and filings have one address with the entities. */
const CONNECTICUT_OTHERS =
  "business_id business_key business_name business_address designation name__c firstname middlename lastname suffix email_address phone_number business_street_address_1 business_street_address_2 business_street_address_3 business_city business_state business_zip_code business_country residence_address residence_street_address_1 residence_street_address_2 residence_street_address_3 residence_city residence_state residence_zip_code residence_country mailing_street_address_1 mailing_street_address_2 mailing_city mailing_state mailing_zip_code mailing_country agent_name agent_type type account filing_number filing_id filing_type filing_date filing_status filing_name effective_date filed_date volume_type volume_number start_page page_number pages document_type";

/** Rows leave out what is empty: an entity without a known agent has none of the agent's columns. */
export const knownKeys: readonly KnownKeys[] = [
  {
    host: "data.ny.gov",
    path: "/resource/*",
    source: `${SOURCE} data.ny.gov/d/n9v6-gdp6`,
    objects: { "[]": `${COUNT} ${NEW_YORK}` },
    rare: NEW_YORK.split(" ").map((name) => `[].${name}`),
  },
  {
    host: "data.colorado.gov",
    path: "/resource/*",
    source: `${SOURCE} data.colorado.gov/d/4ykn-tg5h`,
    objects: { "[]": `${COUNT} ${COLORADO}` },
    rare: COLORADO.split(" ").map((name) => `[].${name}`),
  },
  {
    host: "data.ct.gov",
    path: "/resource/*",
    source: `${SOURCE} data.ct.gov/d/n7gp-d28j, ka36-64k6, qh2m-n44y and ah3s-bes7`,
    objects: { "[]": `${COUNT} ${CONNECTICUT} ${CONNECTICUT_OTHERS}` },
    rare: CONNECTICUT.split(" ").map((name) => `[].${name}`),
  },
];
