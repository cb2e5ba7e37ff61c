/** How far a licence asks that derived work be shared alike, by families of licences. Our reading, no legal advice. */
import type { Licence } from "./expression.js";

export const COPYLEFT = ["none", "weak", "strong", "network"] as const;
export type Copyleft = (typeof COPYLEFT)[number];

/** The first pattern that an identifier begins with decides. */
const FAMILIES: readonly (readonly [RegExp, Copyleft])[] = [
  [/^(?:AGPL|SSPL|OSL|RPL|CPAL|EUPL|CAL|APSL-2|HPL|NPOSL|Parity)-/, "network"],
  [/^(?:CECILL-C|CERN-OHL-W|LiLiQ-R-)/, "weak"],
  [/^(?:GPL|CECILL|QPL|CERN-OHL-S|LiLiQ-Rplus|TAPR-OHL|copyleft-next|GFDL|CC-BY(?:-NC)?-SA|ODbL)-/, "strong"],
  [/^(?:Sleepycat|NGPL|RSCPL|BitTorrent-|FreeImage|SimPL-2.0|Aladdin|C-UDA)/, "strong"],
  [
    /^(?:LGPL|LGPLLR|MPL|EPL|CDDL|CPL|IPL|APSL|MS-RL|SISSL|SPL|NPL|ErlPL|OFL|OGTSL|LPL|LPPL|CUA-OPL|gSOAP)(?:-|$)/,
    "weak",
  ],
  [/^(?:Nokia|Motosoto|Interbase|RHeCos|SugarCRM|YPL|MulanPubL|CDLA-Sharing|wxWindows|Watcom|OCLC|Nauman)/, "weak"],
];

/** An exception takes the reach of a strong licence back, as for what is linked with it. */
export function copyleftOf({ id, exception }: Pick<Licence, "id" | "exception">): Copyleft {
  // Deprecated identifiers carry their exception in the name.
  const isExcepted = exception !== null || /-with-/.test(id);
  const found = FAMILIES.find(([family]) => family.test(id))?.[1] ?? "none";
  return found === "strong" && isExcepted ? "weak" : found;
}
