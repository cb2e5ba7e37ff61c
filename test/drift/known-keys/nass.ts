import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/api/api_GET",
    source: "quickstats.nass.usda.gov/api, Quick Stats columns",
    objects: {
      "": "data error",
      "data[]":
        "source_desc|sector_desc|group_desc|commodity_desc|class_desc|prodn_practice_desc|util_practice_desc|statisticcat_desc|unit_desc|short_desc|domain_desc|domaincat_desc|agg_level_desc|country_code|country_name|state_ansi|state_fips_code|state_alpha|state_name|asd_code|asd_desc|county_ansi|county_code|county_name|region_desc|zip_5|watershed_code|watershed_desc|congr_district_code|location_desc|year|freq_desc|begin_code|end_code|reference_period_desc|week_ending|load_time|Value|CV (%)",
    },
  },
];
