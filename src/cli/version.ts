import { createRequire } from "node:module";

/** The version of this package. Two folders below it, in src as in dist. */
export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };
  return version;
}
