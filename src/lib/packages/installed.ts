/** Checks whether an optional package is installed, without loading it. */
import { existsSync } from "node:fs";
import nodeModule from "node:module";
import { join } from "node:path";
import { CapabilityError, installable, missingPackage } from "../../errors.js";
import { once } from "../lazy.js";
import { onWorkers } from "./platform.js";

/** Packages with native code, or that start programs. */
const NOT_ON_WORKERS = ["@napi-rs/canvas", "puppeteer-core"];

const known = new Map<string, boolean>();

/** The command that brings packages. */
export const toInstall = (...names: string[]): string => `npm install ${names.map(installable).join(" ")}`;

/** Also true if it cannot be determined, because a bundle may contain the package. */
export function isInstalled(name: string): boolean {
  if (onWorkers()) return !NOT_ON_WORKERS.includes(name);
  const found = known.get(name) ?? look(name);
  known.set(name, found);
  return found;
}

/** Throws the same PROVIDER_NOT_CONFIGURED as using the package would. */
export function assertInstalled(name: string): void {
  if (!isInstalled(name)) throw notInstalled(name);
}

export function notInstalled(name: string): CapabilityError {
  const error = new Error(`Cannot find package '${name}'`);
  return missingPackage(error) ?? new CapabilityError("PROVIDER_NOT_CONFIGURED", error.message);
}

/** The version of this package; undefined in a bundle, which does not contain it. */
export const packageVersion = once((): string | undefined => requireOfPackage()?.manifest.version);

function look(name: string): boolean {
  const require = requireOfPackage()?.require;
  return !require || isFolder(require, name) || resolves(require, `${name}/package.json`);
}

/** Whether its folder is where Node looks for packages. To resolve fifty names costs 15 to 33 ms, at each start. */
const isFolder = (require: NodeJS.Require, name: string): boolean =>
  require.resolve.paths?.(name)?.some((place) => existsSync(join(place, name, "package.json"))) ?? false;

/** Finds it elsewhere too, as Plug'n'Play keeps it. Also true for a package that does not export its manifest. */
function resolves(require: NodeJS.Require, path: string): boolean {
  try {
    require.resolve(path);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND");
  }
}

/** From this source, and from the built files, which are in the folder `dist` or in one of it. */
const PLACES = ["../../../package.json", "../../package.json", "../package.json"];

/** Undefined in a bundle, which is outside this package's own folder. */
const requireOfPackage = once(() => {
  for (const manifest of PLACES) {
    try {
      // By a member, as in require.ts.
      const require = nodeModule.createRequire(import.meta.url);
      const facts = require(manifest) as { name: string; version: string };
      if (facts.name === "coinslot") return { require, manifest: facts };
    } catch {
      // Not installed, or no file address.
    }
  }
  return undefined;
});
