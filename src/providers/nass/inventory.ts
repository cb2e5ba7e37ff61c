// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/api/api_GET","objects":"\tdata! a\terror\ndata[]\tstate_name! s|domain_desc! s|freq_desc! s|short_desc! s|Value! f|reference_period_desc! s|county_name! s|domaincat_desc! s|unit_desc! s|source_desc! s|statisticcat_desc! s|commodity_desc! s|year! f\tweek_ending|country_code|location_desc|begin_code|zip_5|county_ansi|state_alpha|util_practice_desc|asd_desc|prodn_practice_desc|end_code|sector_desc|country_name|class_desc|asd_code|agg_level_desc|region_desc|watershed_desc|state_ansi|congr_district_code|state_fips_code|group_desc|watershed_code|load_time|county_code|CV (%)"},
];
