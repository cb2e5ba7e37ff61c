/**
 * Writes src/engines/domains/public-suffix-table.ts from the Public Suffix List (MPL-2.0). Clone
 * https://github.com/publicsuffix/list, then: node scripts/generate-public-suffixes.mjs <folder>
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { domainToASCII, fileURLToPath } from "node:url";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("usage: node scripts/generate-public-suffixes.mjs <clone of the list>");
const TABLE_PATH = fileURLToPath(new URL("../src/engines/domains/public-suffix-table.ts", import.meta.url));

const git = (...args) => execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", maxBuffer: 16e6 });
const list = git("show", "HEAD:public_suffix_list.dat");
const [commit, date] = git("log", "-1", "--format=%h %cs").trim().split(" ");

const label = (text) => (/^[\x21-\x7e]*$/.test(text) ? text : domainToASCII(text));
const rulesOf = (section) => {
  const [, part] = list.split(`===BEGIN ${section} DOMAINS===`);
  const lines = part.split(`===END ${section} DOMAINS===`)[0].split("\n").slice(1, -1);
  return lines.map((line) => line.trim().split(/\s/)[0]).filter((rule) => rule !== "" && !rule.startsWith("//"));
};

/** A tree from the last label on; a node that only leads to rules ends with /, an exception begins with !. */
function treeOf(rules) {
  const root = { children: new Map() };
  for (const rule of rules) {
    const isException = rule.startsWith("!");
    let node = root;
    for (const part of rule.replace("!", "").split(".").reverse().map(label)) {
      if (!node.children.has(part)) node.children.set(part, { children: new Map() });
      node = node.children.get(part);
    }
    node.rule = isException ? "!" : "*";
  }
  return root;
}

function written({ children }) {
  return [...children]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, node]) => {
      const inner = node.children.size > 0 ? `(${written(node)})` : "";
      return `${node.rule === "!" ? "!" : ""}${name}${node.rule ? "" : "/"}${inner}`;
    })
    .join(",");
}

const [icann, personal] = ["ICANN", "PRIVATE"].map(rulesOf);
const text = `/**
 * The Public Suffix List of ${date} (https://publicsuffix.org/list/, commit ${commit}), as a tree from the last label on.
 * This file is subject to the terms of the Mozilla Public License, v. 2.0 (MPL-2.0): a copy is at https://mozilla.org/MPL/2.0/.
 * Made by scripts/generate-public-suffixes.mjs.
 */
export const PUBLIC_SUFFIX_DATE = "${date}";

// biome-ignore format: made by a script
export const ICANN_SUFFIXES =
  "${written(treeOf(icann))}";

// biome-ignore format: made by a script
export const PRIVATE_SUFFIXES =
  "${written(treeOf(personal))}";
`;
writeFileSync(TABLE_PATH, text);
console.log(`${icann.length} and ${personal.length} rules, ${text.length} bytes, ${date}`);
