/** The project's package manager. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { installable } from "../errors.js";

export interface PackageManager {
  name: string;
  /** The command that installs packages, in words. */
  command(packages: readonly string[]): string[];
}

const manager = (name: string, verb: string): PackageManager => ({
  name,
  command: (packages) => [name, verb, ...packages.map(installable)],
});

const NPM = manager("npm", "install");
const BY_LOCK_FILE: Readonly<Record<string, PackageManager>> = {
  "package-lock.json": NPM,
  "npm-shrinkwrap.json": NPM,
  "pnpm-lock.yaml": manager("pnpm", "add"),
  "yarn.lock": manager("yarn", "add"),
  "bun.lock": manager("bun", "add"),
  "bun.lockb": manager("bun", "add"),
};

/** By the lock file of a folder, or of the closest one above, where workspaces keep it; npm without any. */
export function managerOf(folder: string): PackageManager {
  for (const [file, found] of Object.entries(BY_LOCK_FILE)) if (existsSync(join(folder, file))) return found;
  const above = dirname(folder);
  return above === folder ? NPM : managerOf(above);
}
