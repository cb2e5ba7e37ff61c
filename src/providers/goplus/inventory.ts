// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/api/v1/address_security/*","objects":"\tcode! n|result! o\tmessage\nresult\tcybercrime! f|money_laundering! f|gas_abuse? f|financial_crime! f|darkweb_transactions! f|reinit? f|phishing_activities! f|contract_address? f|fake_kyc! f|blacklist_doubt! f|fake_standard_interface? f|data_source? s|stealing_attack! f|blackmail_activities! f|sanctioned! f|malicious_mining_activities! f|mixer! f|fake_token? f|honeypot_related_address! f\tnumber_of_malicious_contracts_created|fake_kyc_activities|address_tag|is_blacklisted|contract_creator"},
];
