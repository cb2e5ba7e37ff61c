/**
 * Tests that marks name: a file by the end of its path (`rated-assets`, or `channels/failures` where several are called
 * that), or several files by one word.
 */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** @type {Record<string, string[]>} */
export const GROUPS = {
  BATCHES: ["stores/batches", "stores/postgres-batches"],
  CREDIT: ["stores/update", "proofs/credit-load"],
  LOOKUP: ["solana/lookup", "solana/refund"],
  PAYMENT: ["handler/payment", "handler/settlement"],
  RETURNS: ["handler/false-yes", "handler/solana-refunds"],
  USAGE: ["handler/usage", "handler/settle-first"],
};

const ENDING = ".test.ts";
const files = readdirSync(fileURLToPath(new URL("../../test", import.meta.url)), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(ENDING))
  .map((name) => `/${name.replaceAll("\\", "/").slice(0, -ENDING.length)}`);

/** @param {string} name */
function pathOf(name) {
  const found = files.filter((file) => file.endsWith(`/${name}`));
  if (found.length === 1) return `test${found[0]}${ENDING}`;
  throw new Error(`${found.length} files of tests are called "${name}": ${found.join(" ")}`);
}

/** The paths of tests. @param {string[]} names */
export const testsOf = (names) => names.flatMap((name) => GROUPS[name] ?? [name]).map(pathOf);
