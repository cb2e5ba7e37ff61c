/** Rows of the published lists as items: how each classification writes its levels into its codes. */
import type { Item } from "./classification.js";

/** Sectors that the official list has under one code. */
const COMBINED = ["31-33", "44-45", "48-49"];
const NAICS_LEVELS = ["sector", "subsector", "industry group", "NAICS industry", "national industry"];
const ISIC_LEVELS = ["section", "division", "group", "class"];

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

/** In the official order a division follows its section, which its code does not tell. */
export function isicItems(rows: readonly string[][]): Item[] {
  let section: string | null = null;
  return rows.map(([code = "", title = ""]) => {
    if (/^[A-U]$/.test(code)) section = code;
    const parent = code.length === 1 ? null : code.length === 2 ? section : code.slice(0, -1);
    return { code, title, parent, level: ISIC_LEVELS[code.length - 1] ?? "" };
  });
}

export const naceItems = (rows: readonly string[][]): Item[] =>
  rows.map(([level = "", code = "", parent = "", title = ""]) => ({
    code,
    title,
    parent: parent || null,
    level: ISIC_LEVELS[Number(level) - 1] ?? "",
  }));

/** Divisions have no code in their row, and headings are written as industries that end in zeros. */
export function sicItems(rows: readonly string[][]): Item[] {
  const items = new Map<string, Item>();
  const add = (code: string, title: string | null, parent: string | null, level: string) => {
    const known = items.get(code);
    if (!known) items.set(code, { code, title, parent, level });
    else known.title ??= title;
  };
  for (const [division = "", majorGroup = "", group = "", code = "", title = ""] of rows) {
    const heading = code.endsWith("00") ? "major group" : code.endsWith("0") ? "industry group" : null;
    if (code === "") {
      add(division, title, null, "division");
      continue;
    }
    add(division, null, null, "division");
    add(majorGroup, heading === "major group" ? title : null, division, "major group");
    if (heading === "major group") continue;
    add(group, heading === "industry group" ? title : null, majorGroup, "industry group");
    if (heading === null) add(code, title, group, "industry");
  }
  return [...items.values()];
}
