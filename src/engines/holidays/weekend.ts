/** The days of the week on which a country rests: Saturday and Sunday but for these. */
import { toDay, type Weekday } from "../../lib/days.js";

const FRIDAY_SATURDAY: readonly Weekday[] = ["fri", "sat"];
const SATURDAY_SUNDAY: readonly Weekday[] = ["sat", "sun"];

const WEEKENDS: Readonly<Record<string, readonly Weekday[]>> = {
  ...Object.fromEntries(
    "AF BD BH DJ DZ EG IL IQ JO KW LY MV OM PS QA SA SD SY YE".split(" ").map((code) => [code, FRIDAY_SATURDAY]),
  ),
  BN: ["fri", "sun"],
  IR: ["fri"],
};

/** Weekends until they were moved. */
const FORMER: Readonly<Record<string, { until: string; weekend: readonly Weekday[] }>> = {
  // Cabinet decision of December 2021: from Friday and Saturday.
  AE: { until: "2022-01-01", weekend: FRIDAY_SATURDAY },
  // Royal decree of June 23, 2013: from Thursday and Friday.
  SA: { until: "2013-06-29", weekend: ["thu", "fri"] },
};

/** A country's weekend as it was, or is, on a day. */
export function weekendOf(country: string, day: number): readonly Weekday[] {
  const former = FORMER[country];
  if (former && day < toDay(former.until)) return former.weekend;
  return WEEKENDS[country] ?? SATURDAY_SUNDAY;
}
