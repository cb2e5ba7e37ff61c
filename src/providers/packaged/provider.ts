/** Data sets that come in packages: no upstream is asked, and their licences are terms like any other. */
import type { Source } from "../../capability/output.js";
import type { Origin } from "../../capability/terms.js";

/** Countries of the world. */
export const worldCountries = {
  name: "mledoze/countries (world-countries)",
  packaged: true,
  url: "https://github.com/mledoze/countries",
  license: "ODbL-1.0",
  terms: {
    resale: "share-alike",
    attribution:
      "Contains information from mledoze/countries (https://github.com/mledoze/countries), which is made available under the Open Database License (ODbL) 1.0",
    note: "The ODbL lets answers be sold, with its notice; share-alike holds for a database that is made of them.",
    url: "https://github.com/mledoze/countries/blob/master/LICENSE",
    checkedAt: "2026-11-22",
  },
} as const satisfies Origin & Omit<Source, "provider">;

/** The rules of holidays. */
export const dateHolidays: Origin = {
  name: "date-holidays",
  packaged: true,
  terms: {
    resale: "share-alike",
    attribution: "Holidays: date-holidays (https://github.com/commenthol/date-holidays), CC BY-SA 3.0",
    note: "The data of date-holidays are CC BY-SA 3.0: their authors are named, and share-alike holds for what is made of them.",
    url: "https://github.com/commenthol/date-holidays/blob/master/LICENSE",
    checkedAt: "2026-11-22",
  },
};

/** Announced dates of holidays. */
export const pythonHolidays: Origin = {
  name: "python-holidays",
  packaged: true,
  terms: {
    resale: "allowed",
    attribution: "corrected after python-holidays (https://github.com/vacanza/holidays), MIT",
    note: "The corrections after python-holidays are under the MIT licence, whose notice goes with copies of them.",
    url: "https://github.com/vacanza/holidays/blob/dev/LICENSE",
    checkedAt: "2026-11-22",
  },
};
