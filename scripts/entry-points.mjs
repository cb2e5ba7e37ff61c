/** The files of src/ that are built: what package.json exports, its command, and what threads start from. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);
const { bin, exports, imports } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const sources = readdirSync(fileURLToPath(new URL("src", root)), { recursive: true }).map(
  (file) => `src/${file.replaceAll("\\", "/")}`,
);

/** "./dist/capabilities/*\/index.js" is made of every "src/capabilities/<group>/index.ts". */
function sourcesOf(exported) {
  const [before, after] = exported
    .replace(/^\.\/dist\/(?:modules\/)?/, "src/")
    .replace(/\.js$/, ".ts")
    .split("*");
  return sources.filter((file) =>
    after === undefined ? file === before : file.startsWith(before) && file.endsWith(after),
  );
}

/** The files of an entry of package.json, under every condition. */
const filesOf = (target) => (typeof target === "string" ? [target] : Object.values(target));

const defaults = (entries) => Object.values(entries).map((target) => target.default ?? target);

const sourcesIn = (...parts) =>
  parts
    .flatMap((entries) => Object.values(entries).flatMap(filesOf))
    .filter((file, index, all) => file.startsWith("./dist/") && file.endsWith(".js") && all.indexOf(file) === index)
    .flatMap(sourcesOf)
    // For bundlers there is another file of the same source.
    .filter((file, index, all) => all.indexOf(file) === index);

export const entryPoints = sourcesIn(exports, imports, bin);

/** Those that Node takes; the others are for bundlers and Workers alone. */
export const nodeEntryPoints = sourcesIn(...[exports, imports].map(defaults), bin);

/** Those that can be imported, so have types. */
export const exportedFiles = sourcesIn(exports, imports);

/** Files that package.json's "imports" replace under some condition, each with the name by which the others import it. */
export const replaced = new Map(Object.entries(imports).map(([name, target]) => [sourcesOf(target.default)[0], name]));

// A thread starts from a file beside the module that starts it, so both keep their place.
const startsThread = (file) =>
  readFileSync(new URL(file, root), "utf8").includes('new Worker(new URL("./worker.js", import.meta.url)');
export const threads = sources.filter(
  (file) => file.endsWith("/worker.ts") || (file.endsWith(".ts") && startsThread(file)),
);
