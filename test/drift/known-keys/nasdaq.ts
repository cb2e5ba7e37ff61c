import type { KnownKeys } from "../../support/render-inventories.js";

const IPO =
  "dealID proposedTickerSymbol companyName proposedExchange proposedSharePrice sharesOffered expectedPriceDate pricedDate filedDate withdrawDate dollarValueOfSharesOffered dealStatus sharesOfferedInMillions";

/** Past reports have a figure and its surprise; a shell company that files first names neither symbol nor market. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/api/calendar/earnings",
    source: "www.nasdaq.com/market-activity/earnings, what its page reads",
    objects: {
      "": "data message status",
      data: "asOf headers rows",
      "data.rows[]":
        "lastYearRptDt lastYearEPS time symbol name marketCap fiscalQuarterEnding epsForecast noOfEsts eps surprise",
    },
    rare: ["data.rows", "data.rows[].epsForecast", "data.rows[].time"],
  },
  {
    path: "/api/ipo/calendar",
    source: "www.nasdaq.com/market-activity/ipos, what its page reads",
    objects: {
      "": "data message status",
      data: "priced upcoming filed withdrawn month year totalResults",
      "data.priced": "asOf headers rows",
      "data.priced.rows[]": IPO,
      "data.upcoming": "lastUpdatedTime upcomingTable",
      "data.upcoming.upcomingTable": "asOf headers rows",
      "data.upcoming.upcomingTable.rows[]": IPO,
      "data.filed": "asOf headers rows",
      "data.filed.rows[]": IPO,
      "data.withdrawn": "asOf headers rows",
      "data.withdrawn.rows[]": IPO,
    },
    rare: ["proposedTickerSymbol", "proposedExchange", "proposedSharePrice", "sharesOffered", "expectedPriceDate"].map(
      (name) => `data.upcoming.upcomingTable.rows[].${name}`,
    ),
  },
];
