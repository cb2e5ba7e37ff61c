/** Converts rows of the published lists to items, with each classification's encoding of levels. */
import type { Item } from "./classification.js";

/** Sectors that the official list has under one code. */
const COMBINED = ["31-33", "44-45", "48-49"];
const NAICS_LEVELS = ["sector", "subsector", "industry group", "NAICS industry", "national industry"];
const ISIC_LEVELS = ["section", "division", "group", "class"];
const SIC_LEVELS = ["division", "major group", "industry group", "industry"];

/** "32" is a part of the sector "31-33". */
export function naicsSector(twoDigits: string): string {
  const part = Number(twoDigits);
  return COMBINED.find((code) => part >= Number(code.slice(0, 2)) && part <= Number(code.slice(3))) ?? twoDigits;
}

/** The number of digits; a combined sector counts as two. */
export const naicsLevel = (code: string): number => (code.includes("-") ? 2 : code.length);

export function naicsParent(code: string): string | null {
  if (naicsLevel(code) === 2) return null;
  return code.length === 3 ? naicsSector(code.slice(0, 2)) : code.slice(0, -1);
}

export const naicsItems = (rows: readonly string[][]): Item[] =>
  rows.map(([code = "", title = ""]) => ({
    code,
    title,
    parent: naicsParent(code),
    level: NAICS_LEVELS[naicsLevel(code) - 2] ?? "",
  }));

export const isicItems = (rows: readonly string[][]): Item[] => lettered(rows, ISIC_LEVELS);

/** The Standard Industrial Classification of 1987. */
export const sicItems = (rows: readonly string[][]): Item[] => lettered(rows, SIC_LEVELS);

/** In the official order two-digit codes follow their letter, which the codes themselves do not contain. */
function lettered(rows: readonly string[][], levels: readonly string[]): Item[] {
  let letter: string | null = null;
  return rows.map(([code = "", title = ""]) => {
    if (code.length === 1) letter = code;
    const parent = code.length === 1 ? null : code.length === 2 ? letter : code.slice(0, -1);
    return { code, title, parent, level: levels[code.length - 1] ?? "" };
  });
}

export const naceItems = (rows: readonly string[][]): Item[] =>
  rows.map(([level = "", code = "", parent = "", title = ""]) => ({
    code,
    title,
    parent: parent || null,
    level: ISIC_LEVELS[Number(level) - 1] ?? "",
  }));
