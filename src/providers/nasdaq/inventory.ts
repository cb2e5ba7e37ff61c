// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/api/calendar/earnings","objects":"\tdata! o\tmessage|status\ndata\trows? a\tasOf|headers\ndata.rows[]\ttime? s|symbol! s|epsForecast? s\tlastYearRptDt|lastYearEPS|name|marketCap|fiscalQuarterEnding|noOfEsts|eps|surprise"},
  {"method":"GET","path":"/api/ipo/calendar","objects":"\tdata! o\tmessage|status\ndata\tpriced! o|upcoming! o|filed! o|withdrawn! o\tmonth|year|totalResults\ndata.priced\trows! z\tasOf|headers\ndata.upcoming\tupcomingTable! o\tlastUpdatedTime\ndata.upcoming.upcomingTable\trows! a\tasOf|headers\ndata.upcoming.upcomingTable.rows[]\tproposedTickerSymbol? s|companyName! s|proposedExchange? s|proposedSharePrice? fsz|sharesOffered? f|expectedPriceDate? s|dollarValueOfSharesOffered! s\tdealID|pricedDate|filedDate|withdrawDate|dealStatus|sharesOfferedInMillions\ndata.filed\trows! z\tasOf|headers\ndata.withdrawn\trows! z\tasOf|headers"},
];
