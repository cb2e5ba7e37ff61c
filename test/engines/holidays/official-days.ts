/**
 * Weekdays off as governments set them, by place and year. Great Britain's, Japan's and Korea's are copied from the lists that
 * they publish; the others are what the rules of their laws give. `source` is where the government publishes them.
 */

interface Published {
  country: string;
  region?: string;
  /** Kinds that the list is of; banks' own days are none of a state's. */
  kinds?: readonly string[];
  source: string;
  years: Record<string, string>;
}

type Part = Omit<Published, "country" | "source"> & { source?: string };

/** 5 U.S.C. 6103 and Executive Order 11582 (a work of the United States government): the Office of Personnel Management's rule. */
const UNITED_STATES: Published = {
  country: "US",
  source: "https://www.opm.gov/policy-data-oversight/pay-leave/federal-holidays/",
  years: {
    2021: "01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24 12-31",
    2022: "01-17 02-21 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26",
    2023: "01-02 01-16 02-20 05-29 06-19 07-04 09-04 10-09 11-10 11-23 12-25",
    2024: "01-01 01-15 02-19 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25",
    2025: "01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25",
    2026: "01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25",
    2027: "01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24 12-31",
  },
};

/** gov.uk bank holidays: contains public sector information licensed under the Open Government Licence v3.0. */
const GREAT_BRITAIN: readonly Part[] = [
  {
    region: "ENG",
    years: {
      2024: "01-01 03-29 04-01 05-06 05-27 08-26 12-25 12-26",
      2025: "01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26",
      2026: "01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28",
    },
  },
  {
    region: "SCT",
    years: {
      2024: "01-01 01-02 03-29 05-06 05-27 08-05 12-02 12-25 12-26",
      2025: "01-01 01-02 04-18 05-05 05-26 08-04 12-01 12-25 12-26",
    },
  },
  {
    region: "NIR",
    years: {
      2024: "01-01 03-18 03-29 04-01 05-06 05-27 07-12 08-26 12-25 12-26",
      2025: "01-01 03-17 04-18 04-21 05-05 05-26 07-14 08-25 12-25 12-26",
      2026: "01-01 03-17 04-03 04-06 05-04 05-25 07-13 08-31 12-25 12-28",
    },
  },
];

/** The acts of the provinces, with days that are off by law alone. */
const CANADA: readonly Part[] = [
  {
    region: "ON",
    source: "https://www.ontario.ca/document/your-guide-employment-standards-act-0/public-holidays",
    years: {
      2024: "01-01 02-19 03-29 05-20 07-01 09-02 10-14 12-25 12-26",
      2025: "01-01 02-17 04-18 05-19 07-01 09-01 10-13 12-25 12-26",
    },
  },
  {
    region: "QC",
    source: "https://www.cnesst.gouv.qc.ca/fr/conditions-travail/conges/jours-feries/liste-jours-feries",
    years: {
      2024: "01-01 03-29 05-20 06-24 07-01 09-02 10-14 12-25",
      2025: "01-01 04-18 05-19 06-24 07-01 09-01 10-13 12-25",
      2026: "01-01 04-03 05-18 06-24 07-01 09-07 10-12 12-25",
    },
  },
  {
    region: "BC",
    source: "https://www2.gov.bc.ca/gov/content/employment-business/employment-standards-advice/employment-standards",
    years: {
      2024: "01-01 02-19 03-29 05-20 07-01 08-05 09-02 09-30 10-14 11-11 12-25",
      2025: "01-01 02-17 04-18 05-19 07-01 08-04 09-01 09-30 10-13 11-11 12-25",
      2026: "01-01 02-16 04-03 05-18 07-01 08-03 09-07 09-30 10-12 11-11 12-25",
    },
  },
  {
    region: "AB",
    source: "https://www.alberta.ca/alberta-general-holidays",
    years: {
      2024: "01-01 02-19 03-29 05-20 07-01 09-02 10-14 11-11 12-25",
      2025: "01-01 02-17 04-18 05-19 07-01 09-01 10-13 11-11 12-25",
      2026: "01-01 02-16 04-03 05-18 07-01 09-07 10-12 11-11 12-25",
    },
  },
  {
    region: "SK",
    source: "https://www.saskatchewan.ca/business/employment-standards/public-statutory-holidays",
    years: {
      2024: "01-01 02-19 03-29 05-20 07-01 08-05 09-02 10-14 11-11 12-25",
      2025: "01-01 02-17 04-18 05-19 07-01 08-04 09-01 10-13 11-11 12-25",
      2026: "01-01 02-16 04-03 05-18 07-01 08-03 09-07 10-12 11-11 12-25",
    },
  },
  {
    region: "MB",
    source: "https://www.gov.mb.ca/labour/standards/doc,gen-holidays-after-april-30-07,factsheet.html",
    years: {
      2024: "01-01 02-19 03-29 05-20 07-01 09-02 09-30 10-14 12-25",
      2025: "01-01 02-17 04-18 05-19 07-01 09-01 09-30 10-13 12-25",
      2026: "01-01 02-16 04-03 05-18 07-01 09-07 09-30 10-12 12-25",
    },
  },
  {
    region: "NB",
    source:
      "https://www2.gnb.ca/content/gnb/en/departments/post-secondary_education_training_and_labour/People/content/EmploymentStandards.html",
    years: {
      2024: "01-01 02-19 03-29 07-01 08-05 09-02 11-11 12-25",
      2025: "01-01 02-17 04-18 07-01 08-04 09-01 11-11 12-25",
      2026: "01-01 02-16 04-03 07-01 08-03 09-07 11-11 12-25",
    },
  },
  {
    region: "NS",
    source: "https://novascotia.ca/lae/employmentrights/holidaychart.asp",
    years: {
      2024: "01-01 02-19 03-29 07-01 09-02 11-11 12-25",
      2025: "01-01 02-17 04-18 07-01 09-01 11-11 12-25",
      2026: "01-01 02-16 04-03 07-01 09-07 11-11 12-25",
    },
  },
  {
    region: "PE",
    source: "https://www.princeedwardisland.ca/en/information/workforce-advanced-learning-and-population/paid-holidays",
    years: {
      2024: "01-01 02-19 03-29 07-01 09-02 09-30 11-11 12-25",
      2025: "01-01 02-17 04-18 07-01 09-01 09-30 11-11 12-25",
      2026: "01-01 02-16 04-03 07-01 09-07 09-30 11-11 12-25",
    },
  },
  {
    region: "NL",
    source: "https://www.gov.nl.ca/exec/tbs/working-with-us/holidays/",
    years: {
      2024: "01-01 03-29 07-01 09-02 11-11 12-25",
      2025: "01-01 04-18 07-01 09-01 11-11 12-25",
      2026: "01-01 04-03 07-01 09-07 11-11 12-25",
    },
  },
  {
    region: "YT",
    source: "https://yukon.ca/en/statutory-holidays",
    years: {
      2024: "01-01 03-29 05-20 06-21 07-01 08-19 09-02 09-30 10-14 11-11 12-25",
      2025: "01-01 04-18 05-19 06-21 07-01 08-18 09-01 09-30 10-13 11-11 12-25",
      2026: "01-01 04-03 05-18 07-01 08-17 09-07 09-30 10-12 11-11 12-25",
    },
  },
  {
    region: "NT",
    source: "https://www.ece.gov.nt.ca/en/services/employment-standards/statutory-holidays",
    years: {
      2024: "01-01 03-29 05-20 06-21 07-01 08-05 09-02 09-30 10-14 11-11 12-25",
      2025: "01-01 04-18 05-19 07-01 08-04 09-01 09-30 10-13 11-11 12-25",
      2026: "01-01 04-03 05-18 07-01 08-03 09-07 09-30 10-12 11-11 12-25",
    },
  },
  {
    region: "NU",
    source: "https://nu-lsco.ca/en/faqs",
    years: {
      2024: "01-01 03-29 05-20 07-01 07-09 08-05 09-02 09-30 10-14 11-11 12-25",
      2025: "01-01 04-18 05-19 07-01 07-09 08-04 09-01 09-30 10-13 11-11 12-25",
      2026: "01-01 04-03 05-18 07-01 07-09 08-03 09-07 09-30 10-12 11-11 12-25",
    },
  },
];

/** The states' acts. What all of them have is off in the country, too. */
const AUSTRALIA: readonly Part[] = [
  {
    years: {
      2024: "01-01 01-26 03-29 04-01 04-25 12-25 12-26",
      2025: "01-01 01-27 04-18 04-21 04-25 12-25 12-26",
      2026: "01-01 01-26 04-03 04-06 12-25 12-28",
    },
  },
  {
    region: "NSW",
    years: {
      2024: "01-01 01-26 03-29 04-01 04-25 06-10 10-07 12-25 12-26",
      2025: "01-01 01-27 04-18 04-21 04-25 06-09 10-06 12-25 12-26",
      2026: "01-01 01-26 04-03 04-06 04-27 06-08 10-05 12-25 12-28",
    },
  },
  {
    region: "VIC",
    years: {
      2024: "01-01 01-26 03-11 03-29 04-01 04-25 06-10 09-27 11-05 12-25 12-26",
      2025: "01-01 01-27 03-10 04-18 04-21 04-25 06-09 09-26 11-04 12-25 12-26",
      2026: "01-01 01-26 03-09 04-03 04-06 06-08 09-25 11-03 12-25 12-28",
    },
  },
  {
    region: "QLD",
    // The schedule of the Holidays Act 1983, and the day of the Royal Queensland Show, which is one in Brisbane.
    source: "https://www.qld.gov.au/recreation/travel/holidays/public",
    years: {
      2024: "01-01 01-26 03-29 04-01 04-25 05-06 08-14 10-07 12-25 12-26",
      2025: "01-01 01-27 04-18 04-21 04-25 05-05 08-13 10-06 12-25 12-26",
      2026: "01-01 01-26 04-03 04-06 05-04 08-12 10-05 12-25 12-28",
    },
  },
  {
    region: "SA",
    years: {
      2024: "01-01 01-26 03-11 03-29 04-01 04-25 06-10 10-07 12-25 12-26",
      2025: "01-01 01-27 03-10 04-18 04-21 04-25 06-09 10-06 12-25 12-26",
      2026: "01-01 01-26 03-09 04-03 04-06 06-08 10-05 12-25 12-28",
    },
  },
  {
    region: "WA",
    years: {
      2024: "01-01 01-26 03-04 03-29 04-01 04-25 06-03 09-23 12-25 12-26",
      2025: "01-01 01-27 03-03 04-18 04-21 04-25 06-02 09-29 12-25 12-26",
      2026: "01-01 01-26 03-02 04-03 04-06 04-27 06-01 09-28 12-25 12-28",
    },
  },
  {
    region: "TAS",
    years: {
      2024: "01-01 01-26 03-11 03-29 04-01 04-25 06-10 12-25 12-26",
      2025: "01-01 01-27 03-10 04-18 04-21 04-25 06-09 12-25 12-26",
      2026: "01-01 01-26 03-09 04-03 04-06 06-08 12-25 12-28",
    },
  },
  {
    region: "ACT",
    years: {
      2024: "01-01 01-26 03-11 03-29 04-01 04-25 05-27 06-10 10-07 12-25 12-26",
      2025: "01-01 01-27 03-10 04-18 04-21 04-25 06-02 06-09 10-06 12-25 12-26",
      2026: "01-01 01-26 03-09 04-03 04-06 04-27 06-01 06-08 10-05 12-25 12-28",
    },
  },
  {
    region: "NT",
    years: {
      2024: "01-01 01-26 03-29 04-01 04-25 05-06 06-10 08-05 12-25 12-26",
      2025: "01-01 01-27 04-18 04-21 04-25 05-05 06-09 08-04 12-25 12-26",
      2026: "01-01 01-26 04-03 04-06 05-04 06-08 08-03 12-25 12-28",
    },
  },
];

/** The Holidays Act 2003, with its days that move to Monday, and the schedule of the Matariki act of 2022. */
const NEW_ZEALAND: Published = {
  country: "NZ",
  source: "https://www.employment.govt.nz/leave-and-holidays/public-holidays",
  years: {
    2024: "01-01 01-02 02-06 03-29 04-01 04-25 06-03 06-28 10-28 12-25 12-26",
    2025: "01-01 01-02 02-06 04-18 04-21 04-25 06-02 06-20 10-27 12-25 12-26",
    2026: "01-01 01-02 02-06 04-03 04-06 04-27 06-01 07-10 10-26 12-25 12-28",
    2027: "01-01 01-04 02-08 03-26 03-29 04-26 06-07 06-25 10-25 12-27 12-28",
  },
};

/** The Cabinet Office's list (open data of the government of Japan), copied by holiday_jp (MIT License). */
const JAPAN: Published = {
  country: "JP",
  kinds: ["public"],
  source: "https://www8.cao.go.jp/chosei/shukujitsu/gaiyou.html",
  years: {
    2024: "01-01 01-08 02-12 02-23 03-20 04-29 05-03 05-06 07-15 08-12 09-16 09-23 10-14 11-04",
    2025: "01-01 01-13 02-11 02-24 03-20 04-29 05-05 05-06 07-21 08-11 09-15 09-23 10-13 11-03 11-24",
    2026: "01-01 01-12 02-11 02-23 03-20 04-29 05-04 05-05 05-06 07-20 08-11 09-21 09-22 09-23 10-12 11-03 11-23",
  },
};

/** The list of the Korea Astronomy and Space Science Institute, copied by holidays-kr (MIT License). */
const KOREA: Published = {
  country: "KR",
  kinds: ["public"],
  source: "https://astro.kasi.re.kr/life/pageView/10",
  years: {
    2024: "01-01 02-09 02-12 03-01 04-10 05-06 05-15 06-06 08-15 09-16 09-17 09-18 10-01 10-03 10-09 12-25",
    2025: "01-01 01-27 01-28 01-29 01-30 03-03 05-05 05-06 06-03 06-06 08-15 10-03 10-06 10-07 10-08 10-09 12-25",
    2026: "01-01 02-16 02-17 02-18 03-02 05-01 05-05 05-25 06-03 07-17 08-17 09-24 09-25 10-05 10-09 12-25",
  },
};

/** Days of Germany's unity treaty and of every state's act: fixed ones, and ones by their distance from Easter Sunday. */
const EASTER: Record<string, string> = {
  2024: "2024-03-31",
  2025: "2025-04-20",
  2026: "2026-04-05",
  2027: "2027-03-28",
};
const EVERYWHERE = ["01-01", "05-01", "10-03", "12-25", "12-26", -2, 1, 39, 50];
const CORPUS_CHRISTI = 60;
const OF_STATES: Record<string, readonly (string | number)[]> = {
  BW: ["01-06", CORPUS_CHRISTI, "11-01"],
  BY: ["01-06", CORPUS_CHRISTI, "11-01"],
  BE: ["03-08"],
  BB: ["10-31"],
  HB: ["10-31"],
  HH: ["10-31"],
  HE: [CORPUS_CHRISTI],
  MV: ["03-08", "10-31"],
  NI: ["10-31"],
  NW: [CORPUS_CHRISTI, "11-01"],
  RP: [CORPUS_CHRISTI, "11-01"],
  SL: [CORPUS_CHRISTI, "08-15", "11-01"],
  // The Wednesday before the 23rd of November is Saxony's alone.
  SN: ["10-31", "repentance"],
  ST: ["01-06", "10-31"],
  SH: ["10-31"],
  TH: ["09-20", "10-31"],
};
const REPENTANCE: Record<string, string> = { 2024: "11-20", 2025: "11-19", 2026: "11-18", 2027: "11-17" };
/** Eighty years after the end of the war, by Berlin's act of 2023. */
const ONCE: Record<string, string> = { "BE 2025": "05-08" };

const after = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(5, 10);

const GERMANY: Published[] = Object.entries(OF_STATES).map(([region, own]) => ({
  country: "DE",
  region,
  source: "https://www.gesetze-im-internet.de/einigvtr/art_2.html",
  years: Object.fromEntries(
    Object.entries(EASTER).map(([year, easter]) => {
      const days = [...EVERYWHERE, ...own].map((rule) => {
        if (typeof rule === "number") return after(easter, rule);
        return rule === "repentance" ? (REPENTANCE[year] ?? "") : rule;
      });
      const once = ONCE[`${region} ${year}`];
      return [year, [...days, ...(once ? [once] : [])].join(" ")];
    }),
  ),
}));

const of = (country: string, source: string, parts: readonly Part[]): Published[] =>
  parts.map((part) => ({ country, source, ...part }));

export const OFFICIAL: readonly Published[] = [
  UNITED_STATES,
  ...of("GB", "https://www.gov.uk/bank-holidays.json", GREAT_BRITAIN),
  ...of("CA", "https://www.canada.ca", CANADA),
  ...GERMANY,
  ...of("AU", "https://www.fairwork.gov.au/employment-conditions/public-holidays", AUSTRALIA),
  NEW_ZEALAND,
  JAPAN,
  KOREA,
];
