import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/api/v1/calendar/earnings",
    source: "finnhub.io/docs/api/earnings-calendar",
    objects: {
      "": "earningsCalendar",
      "earningsCalendar[]": "date epsActual epsEstimate hour quarter revenueActual revenueEstimate symbol year",
    },
    rare: ["epsActual", "epsEstimate", "hour", "quarter", "revenueActual", "revenueEstimate", "year"].map(
      (name) => `earningsCalendar[].${name}`,
    ),
  },
  {
    path: "/api/v1/calendar/ipo",
    source: "finnhub.io/docs/api/ipo-calendar",
    objects: {
      "": "ipoCalendar",
      "ipoCalendar[]": "date exchange name numberOfShares price status symbol totalSharesValue",
    },
    rare: ["exchange", "numberOfShares", "price", "symbol", "totalSharesValue"].map((name) => `ipoCalendar[].${name}`),
  },
  {
    path: "/api/v1/country",
    source: "finnhub.io/docs/api/country",
    objects: {
      "[]": "code2 code3 codeNo country countryRiskPremium currency currencyCode defaultSpread equityRiskPremium rating region subRegion",
    },
    rare: [
      ...["codeNo", "currency", "currencyCode", "countryRiskPremium", "defaultSpread", "equityRiskPremium"],
      ...["rating", "region", "subRegion"],
    ].map((name) => `[].${name}`),
  },
];
