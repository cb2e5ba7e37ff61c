// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/products/*/stats","objects":"\topen! f|high! f|low! f|volume! f|volume_30day? f\tlast|rfq_volume_24hour|rfq_volume_30day|conversions_volume_24hour|conversions_volume_30day"},
  {"method":"GET","path":"/products/*/ticker","objects":"\task? f|bid? f|volume? f|trade_id? n|price! f|time? d\tsize|rfq_volume|conversions_volume|auction_volume"},
];
