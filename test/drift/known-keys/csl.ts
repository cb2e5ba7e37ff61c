import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/downloadable_consolidated_screening_list/v1/consolidated.csv",
    source: "www.trade.gov/consolidated-screening-list, header of the file",
    objects: {
      "[]": "_id source entity_number type programs name title addresses federal_register_notice start_date end_date standard_order license_requirement license_policy call_sign vessel_type gross_tonnage gross_registered_tonnage vessel_flag vessel_owner remarks source_list_url alt_names citizenships dates_of_birth nationalities places_of_birth source_information_url ids country",
    },
  },
];
