import { dirname } from "node:path";

export default {
  // Its threads, fonts and optional packages stay where npm has put them.
  serverExternalPackages: ["coinslot"],
  // Only here: the packages are in the folder above.
  turbopack: { root: dirname(import.meta.dirname) },
  outputFileTracingRoot: dirname(import.meta.dirname),
};
