/** Checks whether an optional package is installed, without loading it. */
import { existsSync } from "node:fs";
import nodeModule from "node:module";
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
export const packageVersion = /* @__PURE__ */ once((): string | undefined => requireOfPackage()?.manifest.version);

/**
 * By its folder, where Node looks for packages: to resolve fifty names costs 15 to 33 ms, at each start. Packages that are
 * kept elsewhere, as by Plug'n'Play, are found by Node's own search, which has another error for a hidden manifest.
 */
function look(name: string): boolean {
  const require = requireOfPackage()?.require;
  const manifest = `${name}/package.json`;
  if (!require || require.resolve.paths?.(name)?.some((folder) => existsSync(`${folder}/${manifest}`))) return true;
  try {
    require.resolve(manifest);
    return true;
  } catch (error) {
    return (error as { code?: string }).code !== "MODULE_NOT_FOUND";
  }
}

/** Undefined in a bundle, which is outside this package's own folder. */
const requireOfPackage = /* @__PURE__ */ once(() => {
  // From this source, and from the built files, which are in the folder `dist` or in one of it.
  for (const place of ["../../..", "../..", ".."]) {
    try {
      // By a member, as in require.ts.
      const require = nodeModule.createRequire(import.meta.url);
      const facts = require(`${place}/package.json`) as { name: string; version: string };
      if (facts.name === "coinslot") return { require, manifest: facts };
    } catch {
      // Not installed, or no file address.
    }
  }
  return undefined;
});
