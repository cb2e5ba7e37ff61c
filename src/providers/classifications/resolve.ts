/** Resolves a code of one system to codes of the others by the published tables. */
import { ancestorsOf, type Classification, type Item, leavesOf } from "../../engines/industry/classification.js";
import { SYSTEMS, type System } from "../../engines/industry/codes.js";
import { follow, pathBetween, type Reached } from "../../engines/industry/crosswalk.js";
import type { IndustryTables, Version } from "./tables.js";

/** With more targets than this a group is summarised by its own subgroups. */
const MANY = 25;

/** Versions that results use, for each system. */
const CURRENT = { naics: "NAICS 2022", sic: "SIC 1987", isic: "ISIC Rev. 4", nace: "NACE Rev. 2" } as const;
const NAICS_VERSIONS = ["NAICS 2022", "NAICS 2017", "NAICS 2012", "NAICS 2007", "NAICS 2002"] as const;
/** Households that produce for themselves: linked to NAICS as a whole. */
const ALL_OF_NAICS = ["9810", "9820", "98.10", "98.20"];

export interface Equivalent {
  code: string;
  title: string | null;
  hops: number;
  partial: boolean;
  path: string[];
  note: string | null;
}

interface Resolved {
  item: Item;
  version: Version;
  equivalents: Record<System, Equivalent[]>;
  notes: string[];
}

interface Start {
  item: Item;
  version: Version;
  /** Codes of the lowest level below it. */
  leaves: string[];
}

/** Undefined if no version of the system has the code. */
export function resolveCode(tables: IndustryTables, system: System, code: string): Resolved | undefined {
  const start = system === "naics" ? findNaics(tables, code) : findIn(listOf(tables, system), CURRENT[system], code);
  if (!start) return undefined;
  const notes: string[] = [];
  if (start.version !== CURRENT[system])
    notes.push(`${code} is a code of ${start.version}; what became of it in ${CURRENT[system]} is listed.`);
  const towards = (target: System) =>
    target === system && start.version === CURRENT[target] ? [] : equivalentsIn(tables, start, target, notes);
  const [naics, sic, isic, nace] = SYSTEMS.map(towards);
  return {
    item: start.item,
    version: start.version,
    equivalents: { naics: naics ?? [], sic: sic ?? [], isic: isic ?? [], nace: nace ?? [] },
    notes,
  };
}

function listOf({ lists }: IndustryTables, system: System): Classification {
  return system === "naics" ? lists.naics2022 : lists[system];
}

function findIn(list: Classification, version: Version, code: string): Start | undefined {
  const item = list.find(code);
  if (!item) return undefined;
  const leaves = leavesOf(list, code);
  // Some rows of the tables link a group itself.
  return { item, version, leaves: leaves.includes(code) ? leaves : [code, ...leaves] };
}

/** The newest version that has the code. For versions before 2017 only codes are stored, without titles. */
function findNaics(tables: IndustryTables, code: string): Start | undefined {
  const current = findIn(tables.lists.naics2022, "NAICS 2022", code);
  if (current) return current;
  for (const version of NAICS_VERSIONS.slice(1)) {
    const codes = tables.links.find(({ left }) => left === version)?.concordance.forward;
    const leaves = [...(codes?.keys() ?? [])].filter((leaf) => leaf.startsWith(code));
    const known = version === "NAICS 2017" ? tables.lists.naics2017.find(code) : undefined;
    if (leaves.length === 0) continue;
    const level = code.length === 6 ? "national industry" : "industry group";
    return { item: known ?? { code, title: null, parent: null, level }, version, leaves };
  }
  return undefined;
}

function equivalentsIn(tables: IndustryTables, start: Start, target: System, notes: string[]): Equivalent[] {
  const path = pathBetween(tables.links, start.version, CURRENT[target]) ?? [];
  const list = listOf(tables, target);
  const reached = follow(tables.links, path, start.leaves);
  const told = start.leaves.length > 1 ? rollUp(list, reached, target, notes) : reached;
  noteOn(start, target, path, told.length, notes);
  const hops = path.length - 1;
  return told
    .map(({ code, partial, note }) => ({ code, title: list.find(code)?.title ?? null, hops, partial, path, note }))
    .sort((a, b) => Number(a.partial) - Number(b.partial) || a.hops - b.hops || (a.code < b.code ? -1 : 1));
}

/** Goes up one level at a time, until there are few enough. */
function rollUp(list: Classification, reached: Reached[], target: System, notes: string[]): Reached[] {
  let told = reached;
  while (told.length > MANY) {
    const depths = told.map(({ code }) => depthOf(list, code));
    const deepest = Math.max(...depths);
    if (deepest === 0) break;
    const codes = told.map(({ code }, place) => (depths[place] === deepest ? (list.find(code)?.parent ?? code) : code));
    told = [...new Set(codes)].map((code) => ({ code, partial: true, note: null }));
  }
  if (told !== reached)
    notes.push(
      `${reached.length} ${target.toUpperCase()} codes are linked; the groups that they belong to are listed.`,
    );
  return told;
}

function depthOf(list: Classification, code: string): number {
  const item = list.find(code);
  return item ? ancestorsOf(list, item).length : 0;
}

function noteOn({ item }: Start, target: System, path: readonly string[], found: number, notes: string[]): void {
  const name = target.toUpperCase();
  if (ALL_OF_NAICS.includes(item.code) && (target === "naics" || target === "sic"))
    notes.push(`The official tables link this code to all of NAICS, so no ${name} codes are listed.`);
  else if (found === 0) notes.push(`No ${CURRENT[target]} industry is linked in the official tables.`);
  else if (path.length > 2)
    notes.push(`${name} links pass through ${inWords(path.slice(1, -1))}; treat them as approximate.`);
}

const inWords = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
