/**
 * Writes src/engines/postal/address-formats.ts from google/libaddressinput (data CC BY 4.0): how addresses are written
 * in each country, without the levels below. Clone it, then: node scripts/generate-address-formats.mjs <folder>
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("usage: node scripts/generate-address-formats.mjs <clone of google/libaddressinput>");
const TABLE_PATH = fileURLToPath(new URL("../src/engines/postal/address-formats.ts", import.meta.url));

/** Whole data, with patterns of postal codes: `data/DE={"fmt":…}` a line. */
const stored = {};
for (const line of readFileSync(join(folder, "testdata/countryinfo.txt"), "utf8").split("\n")) {
  const [, country, json] = /^data\/([A-Z]{2})=(.*)$/.exec(line) ?? [];
  if (country) stored[country] = JSON.parse(json);
}

/** The table that its C++ library has built in is newer. */
const code = readFileSync(join(folder, "cpp/src/region_data_constants.cc"), "utf8");
const current = {};
for (const [, country, lines] of code.matchAll(/\{"([A-Z]{2})", "\{"([\s\S]*?)"\}"\}/g)) {
  const fields = [...lines.matchAll(/R"\((.*)\)"/g)].map(([, field]) => field.replace(/,$/, ""));
  current[country] = JSON.parse(`{${fields.join(",")}}`);
}

const date = execFileSync("git", ["-C", folder, "log", "-1", "--format=%cs"], { encoding: "utf8" }).trim();
const rows = Object.keys(current)
  .sort()
  .map((country) => {
    const { fmt, lfmt, require, zipex } = current[country];
    // A country without a list writes its towns in upper case.
    const { zip, upper = "C" } = stored[country] ?? {};
    const example = zipex?.split(",")[0].split(":")[0];
    const fields = [fmt, lfmt === fmt ? undefined : lfmt, require, upper, zip, example];
    while (fields.length > 0 && !fields.at(-1)) fields.pop();
    return `  ${country}: ${JSON.stringify(fields.map((field) => field ?? ""))},`;
  });

const text = `/**
 * How addresses are written in each country: format, format in Latin script, required fields, fields in upper case,
 * pattern of postal codes, example of one. Google's address data, CC BY 4.0. Made by scripts/generate-address-formats.mjs.
 */
export const ADDRESS_DATA_DATE = "${date}";

// biome-ignore format: one country a line
export const ADDRESS_FORMATS: Readonly<Record<string, readonly string[]>> = {
${rows.join("\n")}
};
`;
writeFileSync(TABLE_PATH, text);
console.log(`${rows.length} countries, ${text.length} bytes, ${date}`);
