/** Files that the package has beside its code. */
import { existsSync } from "node:fs";

/** From the source, and from where the build puts this module. */
const ROOTS = ["../../", "../../../"];

/** Throws if the package lacks it. */
export function packageFile(path: string): URL {
  const found = ROOTS.map((root) => new URL(root + path, import.meta.url)).find((url) => existsSync(url));
  if (!found) throw new Error(`This installation of the package lacks ${path}: install it again.`);
  return found;
}
