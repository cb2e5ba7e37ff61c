/** The packages that an install of ours brings, and those that are built into it, by what node_modules says of them. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { BUNDLED } from "../../scripts/bundled-names.mjs";
import { pathFromRoot } from "./render-indexes.js";

export interface InstalledPackage {
  name: string;
  version: string;
  licence: string;
  folder: string;
}

interface Manifest {
  name: string;
  version: string;
  license?: string | { type: string };
  dependencies?: Record<string, string>;
  /** Those for this platform, such as native code. */
  optionalDependencies?: Record<string, string>;
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Where Node finds a package from a folder. */
function find(name: string, from: string): string {
  const folder = join(from, "node_modules", name);
  if (existsSync(join(folder, "package.json"))) return folder;
  if (dirname(from) === from) throw new Error(`${name} is not installed`);
  return find(name, dirname(from));
}

function reach(names: readonly string[], from: string, found: Map<string, InstalledPackage>): void {
  for (const one of names) {
    const folder = find(one, from);
    if (found.has(folder)) continue;
    const { name, version, license = "none", dependencies = {} } = manifestOf(folder);
    const licence = typeof license === "string" ? license : license.type;
    found.set(folder, { name, version, licence, folder });
    reach(Object.keys(dependencies), folder, found);
  }
}

function treeOf(names: readonly string[]): InstalledPackage[] {
  const found = new Map<string, InstalledPackage>();
  reach(names, pathFromRoot("."), found);
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** All that `npm install coinslot` brings beside ourselves. */
export const defaultTree = (): InstalledPackage[] =>
  treeOf(Object.keys(manifestOf(pathFromRoot(".")).dependencies ?? {}));

/** The libraries that are built in, with all that they depend on, used or not. */
export const builtIn = (): InstalledPackage[] => treeOf(BUNDLED);

/** Megabytes that a package brings beside the default install, with all that it depends on here. */
export function megabytesOf(name: string): number {
  const known = new Set(defaultTree().map(({ folder }) => folder));
  const found = new Map<string, InstalledPackage>();
  reach([name], pathFromRoot("."), found);
  for (const { folder } of [...found.values()]) {
    const native = Object.keys(manifestOf(folder).optionalDependencies ?? {}).filter((one) => isThere(one, folder));
    reach(native, folder, found);
  }
  const own = [...found.keys()].filter((folder) => !known.has(folder));
  return own.reduce((sum, folder) => sum + sizeOf(folder), 0) / 1e6;
}

function isThere(name: string, from: string): boolean {
  try {
    find(name, from);
    return true;
  } catch {
    return false;
  }
}

/** Bytes of a folder on a disk with blocks of 4 KiB, without packages inside. */
export function sizeOf(folder: string): number {
  const BLOCK = 4096;
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return sum + Math.ceil(statSync(path).size / BLOCK) * BLOCK;
    return entry.name === "node_modules" ? sum : sum + BLOCK + sizeOf(path);
  }, 0);
}
