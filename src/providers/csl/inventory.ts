// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/downloadable_consolidated_screening_list/v1/consolidated.csv","objects":"[]\tsource! s|type! sz|programs! sz|name! s|remarks! sz|alt_names! sz\t_id|entity_number|title|addresses|federal_register_notice|start_date|end_date|standard_order|license_requirement|license_policy|call_sign|vessel_type|gross_tonnage|gross_registered_tonnage|vessel_flag|vessel_owner|source_list_url|citizenships|dates_of_birth|nationalities|places_of_birth|source_information_url|ids|country"},
];
