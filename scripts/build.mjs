/**
 * Builds dist/: few large files for Node, so that importing everything opens few (build/shelves.mjs); one for each source file
 * for bundlers, which leave out what nobody uses (build/modules.mjs); and declarations beside the entry points. Entry points are
 * what package.json exports, its command, and the files that worker threads start from.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildVendor } from "./bundled.mjs";
import { packPdfData } from "./bundled-pdf.mjs";
import { documentDeclarations } from "./document-declarations.mjs";
import { isWholeAndFresh, markBuilt, watchBuild } from "./quick-build.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
// `npm run check` and `npm run proofs` take what the tests have built.
if (process.argv.includes("--if-changed") && isWholeAndFresh()) process.exit(0);
// While somebody writes code: without what only a published package needs, until the process is ended.
if (process.argv.includes("--watch")) {
  await watchBuild();
  await once(process, "SIGINT");
  process.exit(0);
}
rmSync("dist", { recursive: true, force: true });
// Takes longer than all the rest, which goes on beside it.
const declarations = spawn(process.execPath, ["scripts/emit-declarations.mjs"], { stdio: "inherit" });
const declared = once(declarations, "exit");
process.once("exit", () => declarations.kill());
const pdfData = packPdfData();

/** Only who waits for it wants to know. */
const say = (text) => process.argv.includes("--verbose") && console.log(text);

say("Building the package, half a minute or so …");
// Both read the whole graph of imports first, which a build that is fresh does not need.
const [{ linked, options }, { buildModules }, { buildShelves }] = await Promise.all([
  import("./build/graph.mjs"),
  import("./build/modules.mjs"),
  import("./build/shelves.mjs"),
]);
const bundledImports = new Set();
const builds = [...(await buildShelves(bundledImports)), await buildModules()];
const vendor = await buildVendor([...bundledImports], options.target);
for (const { path, text } of [...builds, { outputFiles: vendor.files }].flatMap(({ outputFiles }) => outputFiles)) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, path.endsWith(".js") ? linked(path, text) : text);
}
writeFileSync("dist/vendor/LICENSES.txt", vendor.notices);
writeFileSync("dist/vendor/sbom.cdx.json", vendor.sbom);
// Rules of others, as they are, with their licences.
cpSync("data", "dist/data", { recursive: true });
for (const [path, content] of await pdfData) writeFileSync(path, content);
say("Writing the declarations of types …");
const [status] = await declared;
if (status !== 0) process.exit(1);

/** Who has declared no types of Node gets those that this package depends on: TypeScript 6 looks for none by itself. */
for (const file of readdirSync("dist", { recursive: true }).filter((name) => name.endsWith(".d.ts"))) {
  const path = join("dist", file);
  const text = readFileSync(path, "utf8");
  if (/from "node:|\bNodeJS\.|: Buffer\b/.test(text)) writeFileSync(path, `/// <reference types="node" />\n${text}`);
}

say("Writing what fields mean into them …");
const { capabilities } = await import(pathToFileURL("dist/capabilities/index.js").href);
documentDeclarations(capabilities);
markBuilt(undefined, { whole: true });
