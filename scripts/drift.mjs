/** npm run drift -- drift.json: which lines of ours a report of `coinslot doctor --live` concerns, and which tests. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { capabilityFilesIn } from "./capability-files.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const [file] = process.argv.slice(2);
if (!file) {
  console.error("Used wrongly: name the report, as in: npm run drift -- drift.json");
  process.exit(2);
}
const { findings, versions } = JSON.parse(readFileSync(file, "utf8"));
console.log(`Reported by coinslot ${versions.coinslot}: ${findings.length} findings.`);

const filesIn = (folder) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    : [];
const capabilityFiles = capabilityFilesIn(join(root, "src/capabilities"), ".ts");

/** Where an upstream is read: its provider, the capability, and pieces that its group shares. */
function sourcesOf({ provider, breaks }) {
  const own = breaks
    .filter((id) => capabilityFiles.has(id))
    .map((id) => `src/capabilities/${capabilityFiles.get(id)}.ts`);
  const groups = [...new Set(breaks.map((id) => id.split(".")[0]))];
  const shared = groups
    .flatMap((group) => filesIn(`src/capabilities/${group}`))
    .filter((path) => /\/_[^/]+$/.test(path));
  return [...filesIn(`src/providers/${provider}`), ...own, ...shared];
}

function testsOf({ provider, breaks }) {
  const own = breaks.map((id) => `test/capabilities/${id.replace(".", "/")}.test.ts`);
  return [...own, `test/providers/${provider}.test.ts`].filter((path) => existsSync(join(root, path)));
}

/** The last name of a path: `CERT` of `data[].CERT`. */
const nameOf = (path) => /([^.[\]{}]+)(?:\[\d*\]|\{\})*$/.exec(path)?.[1] ?? "";
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Lines in which the name of a field stands by itself. */
function linesWith(name, path) {
  const word = new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`);
  return readFileSync(join(root, path), "utf8")
    .split("\n")
    .flatMap((line, at) => (word.test(line) ? [`${path}:${at + 1}  ${line.trim().slice(0, 100)}`] : []));
}

for (const finding of findings) {
  const { provider, call, class: own, differences, breaks } = finding;
  console.log(`\n${provider} ${call}: ${own}, breaks ${breaks.join(", ")}`);
  const sources = sourcesOf(finding);
  for (const { path, was, now, count, of } of differences) {
    console.log(`  ${path || "$"}: ${was} -> ${now} (${count} of ${of})`);
    const name = nameOf(path);
    const lines = name ? sources.flatMap((source) => linesWith(name, source)) : [];
    for (const line of lines) console.log(`    ${line}`);
    if (lines.length === 0) for (const source of sources.slice(0, 6)) console.log(`    ${source}`);
  }
  if (differences.length === 0) for (const source of sources.slice(0, 6)) console.log(`    ${source}`);
  for (const test of testsOf(finding)) console.log(`  test: ${test}`);
}
