/** FIPS codes of the states that drought and agriculture statistics are kept for, by postal code. */
const TABLE =
  "AL01 AK02 AZ04 AR05 CA06 CO08 CT09 DE10 DC11 FL12 GA13 HI15 ID16 IL17 IN18 IA19 KS20 KY21 LA22 ME23 MD24 MA25 MI26 " +
  "MN27 MS28 MO29 MT30 NE31 NV32 NH33 NJ34 NM35 NY36 NC37 ND38 OH39 OK40 OR41 PA42 RI44 SC45 SD46 TN47 TX48 UT49 VT50 " +
  "VA51 WA53 WV54 WI55 WY56 PR72";

const FIPS = new Map(TABLE.split(" ").map((row) => [row.slice(0, 2), row.slice(2)]));

/** "06" for "CA"; undefined for what is no state, district or Puerto Rico. */
export const stateFips = (postalCode: string): string | undefined => FIPS.get(postalCode.toUpperCase());
