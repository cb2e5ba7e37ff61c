// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"POST","path":"/publicAPI/v2/timeseries/data","objects":"\tResults! o\tstatus|responseTime|message\nResults\tseries! a\t\nResults.series[]\tseriesID! s|data! a\tcatalog\nResults.series[].data[]\tyear! f|period! s|periodName? s|value! f|footnotes? a|latest? s\tcalculations|aspects\nResults.series[].data[].footnotes[]\tcode? s|text? s\t"},
];
