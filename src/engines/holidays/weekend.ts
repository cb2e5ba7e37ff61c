/**
 * Weekends by place: Saturday and Sunday, except for these. Sources: cabinet decisions as reported by the press, and
 * the python-holidays project's table (MIT), with which a test compares this one.
 */
import { toDay, type Weekday } from "./days.js";
import { levelsOf } from "./place.js";

type Weekend = readonly Weekday[];

const FRIDAY: Weekend = ["fri"];
const SATURDAY: Weekend = ["sat"];
const SATURDAY_SUNDAY: Weekend = ["sat", "sun"];
const FRIDAY_SATURDAY: Weekend = ["fri", "sat"];
const THURSDAY_FRIDAY: Weekend = ["thu", "fri"];

const MALAYSIAN_EAST = ["MY-02", "MY-03", "MY-11"];

const WEEKENDS: Readonly<Record<string, Weekend>> = {
  ...Object.fromEntries(
    ["AF BD BH DJ DZ EG IL IQ JO KW LY MV OM PS QA SA SD SY YE".split(" "), MALAYSIAN_EAST]
      .flat()
      .map((place) => [place, FRIDAY_SATURDAY]),
  ),
  BN: ["fri", "sun"],
  IR: FRIDAY,
  NP: SATURDAY,
};

/** Former weekends until the day on which the next one began, the oldest first. */
const FORMER: Readonly<Record<string, readonly { until: string; weekend: Weekend }[]>> = {
  AE: [
    { until: "2006-09-01", weekend: THURSDAY_FRIDAY },
    { until: "2022-01-01", weekend: FRIDAY_SATURDAY },
  ],
  BH: [{ until: "2006-09-01", weekend: THURSDAY_FRIDAY }],
  DZ: [
    { until: "1976-08-27", weekend: SATURDAY_SUNDAY },
    { until: "2009-08-14", weekend: THURSDAY_FRIDAY },
  ],
  JO: [{ until: "2000-01-06", weekend: THURSDAY_FRIDAY }],
  KW: [{ until: "2007-09-01", weekend: THURSDAY_FRIDAY }],
  MR: [{ until: "2014-10-01", weekend: FRIDAY_SATURDAY }],
  "MY-01": [
    { until: "1995-01-01", weekend: FRIDAY_SATURDAY },
    { until: "2014-01-01", weekend: SATURDAY_SUNDAY },
    { until: "2025-01-01", weekend: FRIDAY_SATURDAY },
  ],
  // A two-day weekend was tried for a month, because of a fuel shortage: cabinet decisions of April 26 and June 6,
  // 2022, the second effective on the first of Asar. No later change was found in press reports.
  NP: [
    { until: "2022-05-15", weekend: SATURDAY },
    { until: "2022-06-15", weekend: SATURDAY_SUNDAY },
  ],
  OM: [{ until: "2013-05-01", weekend: THURSDAY_FRIDAY }],
  QA: [{ until: "2003-08-01", weekend: THURSDAY_FRIDAY }],
  // Royal decree of June 23, 2013.
  SA: [{ until: "2013-06-28", weekend: THURSDAY_FRIDAY }],
  SD: [{ until: "2008-01-26", weekend: FRIDAY }],
  YE: [{ until: "2013-08-15", weekend: THURSDAY_FRIDAY }],
};

/** A place's weekend on a day: the region's own if it has one, otherwise the country's. */
export function weekendOf(place: Parameters<typeof levelsOf>[0], day: number): Weekend {
  for (const level of levelsOf(place).reverse()) {
    const former = FORMER[level]?.find(({ until }) => day < toDay(until));
    const weekend = former?.weekend ?? WEEKENDS[level];
    if (weekend) return weekend;
  }
  return SATURDAY_SUNDAY;
}
