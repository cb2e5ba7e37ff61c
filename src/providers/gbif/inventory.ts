// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/v1/occurrence/search","objects":"\tlimit! n|count! n|results! a\toffset|endOfRecords|facets"},
  {"method":"GET","path":"/v1/species/*/vernacularNames","objects":"\tresults! a\toffset|limit|endOfRecords|count\nresults[]\tvernacularName! s|language? s\ttaxonKey|source|sourceTaxonKey|country|area|lifeStage|sex|preferred|plural|remarks"},
  {"method":"GET","path":"/v1/species/match","objects":"\tconfidence! n|note? s|matchType! s|usageKey n|scientificName s|canonicalName s|rank s|status s|kingdom s|phylum s|order s|family s|genus s|species s|class s|acceptedUsageKey? n\talternatives|synonym|kingdomKey|phylumKey|classKey|orderKey|familyKey|genusKey|speciesKey|authorship|diagnostics|nameType|superfamily|subfamily|tribe|subtribe|subgenus|section|subspecies|variety|form|superfamilyKey|subfamilyKey|tribeKey|subtribeKey|subgenusKey|sectionKey|subspeciesKey|varietyKey|formKey"},
];
