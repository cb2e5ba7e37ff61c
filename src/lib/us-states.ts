/** The US states, the District of Columbia and Puerto Rico: postal codes and FIPS codes. */
const TABLE =
  "AL01 AK02 AZ04 AR05 CA06 CO08 CT09 DE10 DC11 FL12 GA13 HI15 ID16 IL17 IN18 IA19 KS20 KY21 LA22 ME23 MD24 MA25 MI26 " +
  "MN27 MS28 MO29 MT30 NE31 NV32 NH33 NJ34 NM35 NY36 NC37 ND38 OH39 OK40 OR41 PA42 RI44 SC45 SD46 TN47 TX48 UT49 VT50 " +
  "VA51 WA53 WV54 WI55 WY56 PR72";

export interface State {
  /** Two letters. */
  postalCode: string;
  /** Two digits. */
  fips: string;
}

const STATES = new Map(
  TABLE.split(" ").flatMap((row): [string, State][] => {
    const state = { postalCode: row.slice(0, 2), fips: row.slice(2) };
    return [
      [state.postalCode, state],
      [state.fips, state],
    ];
  }),
);

/** The state of a postal code in any case, or of a FIPS code: "ca" and "06" are one. Undefined for what is none. */
export const usState = (code: string): State | undefined => STATES.get(code.toUpperCase());
