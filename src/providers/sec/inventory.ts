// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/files/company_tickers.json","objects":"{}\tcik_str! n|ticker! s|title! s\t"},
  {"method":"GET","path":"/submissions/*","objects":"\tcik! f|entityType? s|sic? f|sicDescription? s|name! s|tickers? a|exchanges? a|ein? f|category? s|fiscalYearEnd? f|stateOfIncorporation? s|stateOfIncorporationDescription? s|addresses? o|formerNames? a\townerOrg|insiderTransactionForOwnerExists|insiderTransactionForIssuerExists|lei|description|website|investorWebsite|phone|flags|filings"},
];
