/**
 * Takes the official rules of invoices from a folder into data/invoice-rules/, unchanged and packed, beside their licences.
 *
 *   node scripts/invoice-rules.mjs <folder>
 *
 * The folder has checkouts by their names: eInvoicing-EN16931 and xrechnung-schematron. Build afterwards, and run the rules'
 * own tests: `node scripts/suites/papers-invoice.mjs <folder> --only eInvoicing`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("usage: node scripts/invoice-rules.mjs <folder>");
const target = fileURLToPath(new URL("../data/invoice-rules/", import.meta.url));
mkdirSync(target, { recursive: true });

const SOURCES = [
  {
    name: "EN 16931",
    repository: "ConnectingEurope/eInvoicing-EN16931",
    licence: { spdx: "EUPL-1.2", file: "LICENSE.txt" },
    files: [
      "ubl/schematron/preprocessed/EN16931-UBL-validation-preprocessed.sch",
      "cii/schematron/preprocessed/EN16931-CII-validation-preprocessed.sch",
    ],
    version: (root) =>
      /Schematron version ([\d.]+)/.exec(
        readFileSync(join(root, "ubl/schematron/preprocessed/EN16931-UBL-validation-preprocessed.sch"), "utf8"),
      )?.[1],
  },
  {
    name: "XRechnung",
    repository: "itplr-kosit/xrechnung-schematron",
    licence: { spdx: "Apache-2.0", file: "LICENSE" },
    files: [
      "src/validation/schematron/common.sch",
      "src/validation/schematron/ubl/XRechnung-UBL-validation.sch",
      "src/validation/schematron/cii/XRechnung-CII-validation.sch",
    ],
    version: (root) => {
      const build = readFileSync(join(root, "build.xml"), "utf8");
      const value = (name) => new RegExp(`name="${name}" value="([^"]+)"`).exec(build)?.[1];
      return `${value("xrechnung.version")} (schematron ${value("xr-schematron.version.full")})`;
    },
  },
];

/** Of a checkout with its history; otherwise what stood here before. */
function commitOf(root, before) {
  try {
    return execFileSync("git", ["-C", root, "rev-parse", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return before ?? null;
  }
}

const listed = join(target, "rules.json");
const before = existsSync(listed) ? JSON.parse(readFileSync(listed, "utf8")) : [];
const rules = SOURCES.map(({ name, repository, licence, files, version }) => {
  const root = join(folder, repository.split("/")[1]);
  for (const file of files)
    writeFileSync(join(target, `${basename(file)}.gz`), gzipSync(readFileSync(join(root, file)), { level: 9 }));
  const text = `LICENSE-${licence.spdx}.txt`;
  writeFileSync(join(target, text), readFileSync(join(root, licence.file)));
  const old = before.find((one) => one.repository === repository);
  return {
    name,
    version: version(root),
    repository,
    commit: process.env[`COMMIT_${name.replace(/\W/g, "")}`] ?? commitOf(root, old?.commit),
    licence: licence.spdx,
    licenceFile: text,
    files: files.map((file) => ({ file: `${basename(file)}.gz`, from: file })),
  };
});
writeFileSync(listed, `${JSON.stringify(rules, undefined, 2)}\n`);
console.table(rules.map(({ name, version, commit }) => ({ name, version, commit })));
