// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/service/data/EXR/*","objects":"[]\tCURRENCY! s|TIME_PERIOD! d|OBS_VALUE! f\tFREQ|KEY|CURRENCY_DENOM|EXR_TYPE|EXR_SUFFIX|OBS_STATUS|OBS_CONF|OBS_PRE_BREAK|OBS_COM|TIME_FORMAT|BREAKS|COLLECTION|COMPILING_ORG|DISS_ORG|DOM_SER_IDS|PUBL_ECB|PUBL_MU|PUBL_PUBLIC|UNIT_INDEX_BASE|COMPILATION|COVERAGE|DECIMALS|NAT_TITLE|SOURCE_AGENCY|SOURCE_PUB|TITLE|TITLE_COMPL|UNIT|UNIT_MULT"},
];
