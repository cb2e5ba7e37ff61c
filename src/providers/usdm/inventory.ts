// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/api/CountyStatistics/GetDroughtSeverityStatisticsByAreaPercent","objects":"[]\tMapDate! d|None! f|D0! f|D1! f|D2! f|D3! f|D4! f\tFIPS|County|State|ValidStart|ValidEnd|StatisticFormatID|mapDate|none|NONE|d0|d1|d2|d3|d4|validStart|validEnd|statisticFormatID|Missing|missing|AreaOfInterest|areaOfInterest|fips|county|state"},
  {"method":"GET","path":"/api/StateStatistics/GetDroughtSeverityStatisticsByAreaPercent","objects":"[]\tMapDate! d|None! f|D0! f|D1! f|D2! f|D3! f|D4! f\tStateAbbreviation|ValidStart|ValidEnd|StatisticFormatID|mapDate|none|NONE|d0|d1|d2|d3|d4|validStart|validEnd|statisticFormatID|Missing|missing|AreaOfInterest|areaOfInterest|stateAbbreviation|Name|name"},
];
