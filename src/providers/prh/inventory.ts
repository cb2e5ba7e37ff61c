// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/opendata-ytj-api/v3/companies","objects":"\ttotalResults! n|companies! a\t\ncompanies[]\tbusinessId! o|names! a|companyForms! a|addresses! a|mainBusinessLine? o|tradeRegisterStatus! f|registrationDate! d|lastModified! d\teuId|website|companySituations|registeredEntries|status|endDate\ncompanies[].businessId\tvalue! s\tregistrationDate|source\ncompanies[].names[]\tname! s|type! f|registrationDate! d|endDate d\tversion|source\ncompanies[].companyForms[]\ttype! f|descriptions! a|registrationDate! d\tversion|source|endDate\ncompanies[].companyForms[].descriptions[]\tlanguageCode! f|description! s\t\ncompanies[].addresses[]\ttype! n|street? s|postCode? f|postOffices! a|buildingNumber? f\tregistrationDate|source|postOfficeBox|entrance|apartmentNumber|apartmentIdSuffix|co|country|freeAddressLine\ncompanies[].addresses[].postOffices[]\tcity! s|languageCode! f\tmunicipalityCode\ncompanies[].mainBusinessLine\ttype! f|descriptions! a|typeCodeSet! s\tregistrationDate|source\ncompanies[].mainBusinessLine.descriptions[]\tlanguageCode! f|description! s\t"},
];
