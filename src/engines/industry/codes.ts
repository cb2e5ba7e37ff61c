/** Converts codes as people write them to the form of the tables. Undefined for invalid ones. */
import { naicsSector } from "./lists.js";

export const SYSTEMS = ["naics", "sic", "isic", "nace"] as const;
export type System = (typeof SYSTEMS)[number];

const READERS: Readonly<Record<System, (code: string) => string | undefined>> = {
  naics: readNaics,
  sic: readSic,
  isic: readIsic,
  nace: readNace,
};

export const readCode = (system: System, text: string): string | undefined =>
  READERS[system](text.replace(/\s/g, "").toUpperCase());

/** Two to six digits, or a combined sector; 31, 32 and 33 are one sector. */
export function readNaics(code: string): string | undefined {
  if (["31-33", "44-45", "48-49"].includes(code)) return code;
  if (!/^\d{2,6}$/.test(code)) return undefined;
  return code.length === 2 ? naicsSector(code) : code;
}

/** A heading is an industry with final zeros: 0110 is group 011, and 0100 major group 01. */
function readSic(code: string): string | undefined {
  if (/^[A-J]$/.test(code)) return code;
  return /^\d{2,4}$/.test(code) ? (code.length === 4 ? code.replace(/0{1,2}$/, "") : code) : undefined;
}

/** A section's letter may precede the digits. */
function readIsic(code: string): string | undefined {
  const [, section, digits] = /^([A-U])?((?:\d{2}\.?\d{0,2})?)$/.exec(code) ?? [];
  return digits?.replace(".", "") || section;
}

function readNace(code: string): string | undefined {
  const [, section, division, rest = ""] = /^([A-U])?(?:(\d{2})\.?(\d{1,2})?)?$/.exec(code) ?? [];
  if (division === undefined) return section;
  return rest ? `${division}.${rest}` : division;
}
