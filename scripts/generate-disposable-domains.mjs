/**
 * Writes src/engines/email/disposable-domains.ts from disposable-email-domains (CC0): domains that give everybody an
 * address for some minutes. Clone it, then: node scripts/generate-disposable-domains.mjs <folder>
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("usage: node scripts/generate-disposable-domains.mjs <clone of the list>");
const TABLE_PATH = fileURLToPath(new URL("../src/engines/email/disposable-domains.ts", import.meta.url));

const byEnding = new Map();
const domains = readFileSync(join(folder, "disposable_email_blocklist.conf"), "utf8")
  .split("\n")
  .filter(Boolean)
  .sort();
for (const domain of domains) {
  const dot = domain.indexOf(".");
  const ending = domain.slice(dot + 1);
  byEnding.set(ending, [...(byEnding.get(ending) ?? []), domain.slice(0, dot)]);
}
const date = execFileSync("git", ["-C", folder, "log", "-1", "--format=%cs"], { encoding: "utf8" }).trim();
const rows = [...byEnding].sort().map(([ending, names]) => `${ending}:${names.join(" ")}`);
const text = `/** Domains of addresses for some minutes, by ending. Public domain (CC0). Made by scripts/generate-disposable-domains.mjs. */
export const DISPOSABLE_DATE = "${date}";

// biome-ignore format: made by a script
export const DISPOSABLE =
  "${rows.join("\\n")}";
`;
writeFileSync(TABLE_PATH, text);
console.log(`${domains.length} domains, ${text.length} bytes, ${date}`);
