import { describe, expect, it } from "vitest";
import { toDay, toIso } from "../../../src/engines/holidays/days.js";
import { weekendOf } from "../../../src/engines/holidays/weekend.js";

/**
 * Weekends from 1970 to 2030 as python-holidays computes them (MIT, vacanza/holidays at c382fde): each weekend with the day it
 * began on; places that it lets rest on Saturday and Sunday throughout are left out.
 */
const REFERENCE: Record<string, [from: string, weekend: string][]> = {
  AE: [
    ["1970-01-01", "fri sat"],
    ["2022-01-01", "sat sun"],
  ],
  AF: [["1970-01-01", "fri sat"]],
  AI: [["1970-01-01", "sun"]],
  BD: [["1970-01-01", "fri sat"]],
  BH: [["1970-01-01", "fri sat"]],
  BN: [["1970-01-01", "fri sun"]],
  CD: [["1970-01-01", "sun"]],
  DJ: [["1970-01-01", "fri sat"]],
  DZ: [
    ["1970-01-01", "sat sun"],
    ["1976-01-01", "thu fri"],
    ["2009-01-01", "fri sat"],
  ],
  EG: [["1970-01-01", "fri sat"]],
  HK: [["1970-01-01", "sun"]],
  IL: [["1970-01-01", "fri sat"]],
  IQ: [["1970-01-01", "fri sat"]],
  IR: [["1970-01-01", "fri"]],
  JO: [
    ["1970-01-01", "thu fri"],
    ["2000-01-06", "fri sat"],
  ],
  KN: [["1970-01-01", "sun"]],
  KW: [
    ["1970-01-01", "thu fri"],
    ["2007-09-01", "fri sat"],
  ],
  MR: [["1970-01-01", "fri sat"]],
  MV: [["1970-01-01", "fri sat"]],
  "MY-01": [
    ["1970-01-01", "fri sat"],
    ["1995-01-01", "sat sun"],
    ["2014-01-01", "fri sat"],
    ["2025-01-01", "sat sun"],
  ],
  "MY-02": [["1970-01-01", "fri sat"]],
  "MY-03": [["1970-01-01", "fri sat"]],
  "MY-11": [["1970-01-01", "fri sat"]],
  NE: [["1970-01-01", "sun"]],
  OM: [
    ["1970-01-01", "thu fri"],
    ["2013-05-01", "fri sat"],
  ],
  PY: [["1970-01-01", "sun"]],
  QA: [
    ["1970-01-01", "thu fri"],
    ["2003-08-01", "fri sat"],
  ],
  SA: [
    ["1970-01-01", "thu fri"],
    ["2013-06-28", "fri sat"],
  ],
  SD: [
    ["1970-01-01", "fri"],
    ["2008-01-26", "fri sat"],
  ],
  SY: [["1970-01-01", "fri sat"]],
  TK: [["1970-01-01", "sun"]],
  TW: [
    ["1970-01-01", "sun"],
    ["2001-01-01", "sat sun"],
  ],
  VE: [["1970-01-01", "sun"]],
  YE: [
    ["1970-01-01", "thu fri"],
    ["2013-08-15", "fri sat"],
  ],
};

/** Where we keep our own, from the first to the last day on which the two differ. */
const DECIDED: Record<string, { from: string; to: string; because: string }> = {
  ...Object.fromEntries(
    ["AI", "CD", "HK", "KN", "NE", "PY", "TK", "VE"].map((place) => [
      place,
      {
        from: "1970-01-01",
        to: "2030-12-31",
        because: "offices and banks rest on Saturday, too; the law names Sunday alone",
      },
    ]),
  ),
  AE: { from: "1970-01-01", to: "2006-08-31", because: "Thursday and Friday until September 2006" },
  BH: { from: "1970-01-01", to: "2006-08-31", because: "Thursday and Friday until September 2006" },
  DZ: {
    from: "1976-01-01",
    to: "2009-08-13",
    because: "the decrees took effect within the year, on 27 August and 14 August",
  },
  MR: { from: "2014-10-01", to: "2030-12-31", because: "Saturday and Sunday since October 2014" },
  TW: { from: "1970-01-01", to: "2000-12-31", because: "every second Saturday was worked until 2001: not modelled" },
};

describe("weekends by place and time", () => {
  const dayAfter = toDay("2031-01-01");
  it.each(Object.entries(REFERENCE))("of %s are the reference's, but where it is said why not", (place, spans) => {
    const [country = "", state] = place.split("-");
    const differing: string[] = [];
    for (let day = toDay("1970-01-01"); day < dayAfter; day++) {
      const theirs = spans.findLast(([from]) => day >= toDay(from))?.[1];
      const ours = weekendOf(state ? { country, state } : { country }, day).join(" ");
      if (ours !== theirs) differing.push(toIso(day));
    }
    const { from, to } = DECIDED[place] ?? {};
    expect([differing[0], differing.at(-1)]).toEqual([from, to]);
  });

  it.each([
    ["2022-05-14", "sat"],
    ["2022-05-15", "sat sun"],
    ["2022-06-14", "sat sun"],
    ["2022-06-15", "sat"],
    ["2024-03-03", "sat"],
  ])("of Nepal on %s are %s, with Sundays for a month of 2022", (date, weekend) => {
    expect(weekendOf({ country: "NP" }, toDay(date)).join(" ")).toBe(weekend);
  });

  it("of other states of Malaysia are the country's", () => {
    expect(weekendOf({ country: "MY", state: "14" }, toDay("2020-01-01"))).toEqual(["sat", "sun"]);
    expect(weekendOf({ country: "MY" }, toDay("2020-01-01"))).toEqual(["sat", "sun"]);
  });
});
