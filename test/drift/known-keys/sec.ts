import type { KnownKeys } from "../../support/render-inventories.js";

const ADDRESS =
  "street1 street2 city stateOrCountry zipCode stateOrCountryDescription isForeignLocation foreignStateTerritory country countryCode";

/** A person has neither an industry nor an end of year; a foreign filer neither a number of the tax office nor a state. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/submissions/*",
    source: "www.sec.gov/search-filings/edgar-application-programming-interfaces: submissions",
    objects: {
      "": "cik entityType sic sicDescription ownerOrg insiderTransactionForOwnerExists insiderTransactionForIssuerExists name tickers exchanges ein lei description website investorWebsite category fiscalYearEnd stateOfIncorporation stateOfIncorporationDescription addresses phone flags formerNames filings",
      addresses: "mailing business",
      "addresses.business": ADDRESS,
      "addresses.mailing": ADDRESS,
      "formerNames[]": "name from to",
    },
    rare: [
      ...["sic", "sicDescription", "tickers", "exchanges", "ein", "lei", "category", "fiscalYearEnd", "formerNames"],
      ...["stateOfIncorporation", "stateOfIncorporationDescription", "addresses", "entityType", "addresses.business"],
      ...["formerNames[].from", "formerNames[].to"],
      ...["addresses.business.city", "addresses.business.stateOrCountry"],
    ],
  },
  {
    path: "/files/company_tickers.json",
    source: "www.sec.gov/search-filings/edgar-application-programming-interfaces: tickers",
    objects: { "{}": "cik_str ticker title" },
  },
];
