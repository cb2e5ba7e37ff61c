import { once } from "../lazy.js";

/** The US states, the District of Columbia and the territories: postal codes, FIPS codes and names. */
const TABLE =
  "AL01 Alabama; AK02 Alaska; AZ04 Arizona; AR05 Arkansas; CA06 California; CO08 Colorado; CT09 Connecticut; " +
  "DE10 Delaware; DC11 District of Columbia; FL12 Florida; GA13 Georgia; HI15 Hawaii; ID16 Idaho; IL17 Illinois; " +
  "IN18 Indiana; IA19 Iowa; KS20 Kansas; KY21 Kentucky; LA22 Louisiana; ME23 Maine; MD24 Maryland; " +
  "MA25 Massachusetts; MI26 Michigan; MN27 Minnesota; MS28 Mississippi; MO29 Missouri; MT30 Montana; " +
  "NE31 Nebraska; NV32 Nevada; NH33 New Hampshire; NJ34 New Jersey; NM35 New Mexico; NY36 New York; " +
  "NC37 North Carolina; ND38 North Dakota; OH39 Ohio; OK40 Oklahoma; OR41 Oregon; PA42 Pennsylvania; " +
  "RI44 Rhode Island; SC45 South Carolina; SD46 South Dakota; TN47 Tennessee; TX48 Texas; UT49 Utah; " +
  "VT50 Vermont; VA51 Virginia; WA53 Washington; WV54 West Virginia; WI55 Wisconsin; WY56 Wyoming; " +
  "AS60 American Samoa; GU66 Guam; MP69 Northern Mariana Islands; PR72 Puerto Rico; VI78 Virgin Islands";

export interface State {
  /** Two letters. */
  postalCode: string;
  /** Two digits. */
  fips: string;
  /** In English. */
  name: string;
  /** American Samoa, Guam, the Northern Marianas or the Virgin Islands, which most federal statistics leave out. */
  islandArea: boolean;
}

const ISLAND_AREAS = ["AS", "GU", "MP", "VI"];

const states = /* @__PURE__ */ once(() => {
  const all = TABLE.split("; ").map((row): State => {
    const postalCode = row.slice(0, 2);
    return { postalCode, fips: row.slice(2, 4), name: row.slice(5), islandArea: ISLAND_AREAS.includes(postalCode) };
  });
  const by = (name: "postalCode" | "fips" | "name") => new Map(all.map((state) => [state[name].toUpperCase(), state]));
  return { byCode: by("postalCode"), byFips: by("fips"), byName: by("name") };
});

/**
 * The state of a postal code in any case, or of a FIPS code: "ca" and "06" are the same. Undefined for an unknown code.
 */
export const usState = (code: string): State | undefined =>
  states().byCode.get(code.toUpperCase()) ?? states().byFips.get(code);

/**
 * The state of a postal code or an English name in any case: "CA" and "california" are the same. Undefined if unknown.
 */
export function usStateNamed(codeOrName: string): State | undefined {
  const wanted = codeOrName.trim().replace(/\s+/g, " ").toUpperCase();
  return states().byCode.get(wanted) ?? states().byName.get(wanted);
}
