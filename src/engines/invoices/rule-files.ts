/** The official rules: files that stand unchanged beside their licences, packed, in `data/invoice-rules`. */
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { CapabilityError } from "../../errors.js";
import { once } from "../../lib/lazy.js";

export interface RuleSource {
  name: string;
  version: string;
}

/** From this file, wherever the build puts it: the folder lies in the package, or in the repository. */
const PLACES = ["./data/", "../data/", "../../data/", "../../../data/"];

const folder = once((): URL => {
  const found = PLACES.map((place) => new URL(`${place}invoice-rules/`, import.meta.url)).find((url) =>
    existsSync(new URL("rules.json", url)),
  );
  if (found) return found;
  throw new CapabilityError(
    "PROVIDER_NOT_CONFIGURED",
    "The files of the official rules are missing: they lie in data/invoice-rules of this package, which a bundle leaves out.",
  );
});

export const readRules = (name: string): string => gunzipSync(readFileSync(new URL(`${name}.gz`, folder()))).toString();

/** Names and releases of the rules. */
export const ruleSources = once((): RuleSource[] => JSON.parse(readFileSync(new URL("rules.json", folder()), "utf8")));
