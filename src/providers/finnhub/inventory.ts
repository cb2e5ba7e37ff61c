// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/api/v1/calendar/earnings","objects":"\tearningsCalendar! a\t\nearningsCalendar[]\tdate! d|epsActual? n|epsEstimate? n|hour? s|quarter? n|revenueActual? n|revenueEstimate? n|symbol! s|year? n\t"},
  {"method":"GET","path":"/api/v1/calendar/ipo","objects":"\tipoCalendar! a\t\nipoCalendar[]\tdate! d|exchange? sz|name! s|numberOfShares? nz|price? fz|status! s|symbol? sz|totalSharesValue? nz\t"},
  {"method":"GET","path":"/api/v1/country","objects":"[]\tcode2! s|code3! s|codeNo? f|country! s|currency? s|currencyCode? s|countryRiskPremium? z|defaultSpread? z|equityRiskPremium? z|rating? z|region? s|subRegion? s\t"},
];
