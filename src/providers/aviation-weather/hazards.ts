/** The words for hazards: each product has its own. */

const HAZARDS = new Map([
  ["CONVECTIVE", "CONVECTIVE"],
  ["TS", "CONVECTIVE"],
  ["TURB", "TURB"],
  ["TURB HI", "TURB"],
  ["TURB LO", "TURB"],
  ["LLWS", "TURB"],
  ["ICE", "ICE"],
  ["IFR", "IFR"],
  ["MTN OBSCN", "MTN OBSCN"],
  ["MTN OBS", "MTN OBSCN"],
  ["MT OBSC", "MTN OBSCN"],
  ["ASH", "ASH"],
  ["VA", "ASH"],
]);
const US_HAZARDS = new Set(["CONVECTIVE", "TURB", "ICE", "IFR", "MTN OBSCN"]);

/** "turb-hi", "MT_OBSC" and the like as one of CONVECTIVE, TURB, ICE, IFR, MTN OBSCN, ASH, where it is one of these. */
export function hazardName(code: string): string {
  return HAZARDS.get(spaced(code)) ?? code.toUpperCase();
}

/** Whether a hazard is the requested one: one of the six names, or the beginning of any other. */
export function isHazard(code: string, wanted: string): boolean {
  const [asked, name] = [spaced(wanted), hazardName(code)];
  if ([...HAZARDS.values()].includes(asked)) return name === asked;
  return spaced(code).startsWith(asked) || name.startsWith(asked);
}

/** Whether the US products can have it; volcanic ash and cyclones are in the international ones alone. */
export const isUsHazard = (wanted: string) => US_HAZARDS.has(spaced(wanted));

const spaced = (text: string) =>
  text
    .toUpperCase()
    .replace(/[\s_-]+/g, " ")
    .trim();
