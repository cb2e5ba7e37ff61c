// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/data/*/acs/acs5","objects":"[]\tNAME! s\tstate|zip code tabulation area|GEO_ID|us|region|division|county|county subdivision|tract|block group|place|congressional district|public use microdata area|metropolitan statistical area/micropolitan statistical area|combined statistical area|urban area|american indian area/alaska native area/hawaiian home land|school district (unified)"},
];
