/** The packages that `npm start` needs beside the dependencies, all of them of our development. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { BUNDLED } from "./bundled-names.mjs";

export const LOCAL_CHAIN = [
  ...["@electric-sql/pglite", "@electric-sql/pglite-pgvector", "@foundry-rs/anvil", "@x402/core", "@x402/evm"],
  ...["@x402/fetch", "croner", "esbuild", "standardwebhooks", "viem"],
  ...BUNDLED,
];

/** Those that are not installed, judged by their manifests. */
export function missingOf(names, require) {
  return names.filter((name) => {
    const places = require.resolve.paths(name) ?? [];
    return !places.some((place) => existsSync(join(place, name, "package.json")));
  });
}
