/**
 * Libraries that a user would pick instead, from a folder of their own, which `--peers` of a script names:
 *
 *   npm install stdnum libphonenumber-js tldts robots-parser rss-parser rrule chrono-node open-location-code xirr \
 *     mailauth mt940js camt-parser ofx-data-extractor factur-x-kit edifact node-x12 gs1-barcode-parser-mod \
 *     digital-link.js @zxing/library talisman redact-pii
 *
 * What is not there is left out of the tables. "refused" of a peer is an error that it throws.
 */
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Loads libraries of a folder by name; undefined where one is missing, or without a folder. */
export function loaderOf(folder) {
  if (folder === undefined) return async () => undefined;
  const require = createRequire(join(resolve(folder), "package.json"));
  return async (name) => {
    try {
      const { default: all, ...names } = await import(pathToFileURL(require.resolve(name)).href);
      return { ...all, ...names, default: all };
    } catch (error) {
      if (error.code !== "MODULE_NOT_FOUND") throw error;
      console.log(`${name} is not among the peers`);
      return undefined;
    }
  };
}

/** Adds a verdict of a peer to a row of a table: `right`, `wrong` or `refused` by what `isRight` says. */
export async function countPeer(row, name, isRight) {
  let how = "refused";
  try {
    how = (await isRight()) ? "right" : "wrong";
  } catch {
    // Its refusal.
  }
  for (const one of ["right", "wrong", "refused"]) row[`${name} ${one}`] ??= 0;
  row[`${name} ${how}`] += 1;
}
