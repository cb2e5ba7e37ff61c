/**
 * dist/ as Node loads it: code that entry points share is on few shelves, each one file, because a file costs more to open
 * than to run, and esbuild alone makes a chunk of each set of entry points that share something. One shelf is what
 * `coinslot` itself loads, and some are the catalogue; what these share is on one that takes from none, the kernel. What
 * starts a thread stays beside the thread's own file. Shelves are written in ASCII, because a single other letter makes Node
 * decode and keep the whole of a file at two bytes a letter.
 */
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import ts from "typescript";
import { packedOwnTables } from "../bundled-tables.mjs";
import { nodeEntryPoints, replaced, threads } from "../entry-points.mjs";
import {
  elsewhere,
  flatName,
  inDist,
  loadedWith,
  onDemandOf,
  options,
  ours,
  sourceOf,
  tableOutputs,
  tables,
} from "./graph.mjs";

/** How many files the catalogue is in: one would be loaded whole for a single group. */
const CATALOGUE_SHELVES = 6;

/** They load what they share from dist/vendor, zod too. */
const FOR_NODE = { isForNode: true };

const isWorker = (file) => file.endsWith("/worker.ts");
/** Code that also runs in browsers is in separate files, because shelves need Node. */
const forBrowsers = (file) => file.startsWith("src/client/");
const groups = nodeEntryPoints.filter((file) => /^src\/capabilities\/[^/]+\/index\.ts$/.test(file));

/** The shelf of each file that is on one. */
const shelfOf = findShelves();
const shelves = [...new Set(shelfOf.values())].sort();
const shelfFile = (shelf) => `dist/chunks/${shelf}.js`;
const placed = [...nodeEntryPoints.filter((file) => !forBrowsers(file)), ...threads.filter((file) => !isWorker(file))];
/** Loaded by shelves when they need them: they are entry points of the other chunks. */
const onDemand = new Set([...shelfOf.keys()].flatMap(onDemandOf));
for (const file of [...replaced.keys(), ...tables, ...placed]) onDemand.delete(file);
const chunkOf = (file) => (placed.includes(file) ? outputOf(file) : `chunks/${flatName(file)}`);
const namesOf = await exportsOf([...shelfOf.keys()]);

/** @param {Set<string>} bundledImports gets the imports of libraries that are built in, as they are met */
export const buildShelves = (bundledImports) =>
  Promise.all([
    ...shelves.map((shelf) =>
      build({
        ...options,
        splitting: false,
        charset: "ascii",
        outfile: shelfFile(shelf),
        outdir: undefined,
        stdin: { contents: contentsOf(shelf), resolveDir: process.cwd() },
        plugins: [elsewhere(bundledImports, FOR_NODE), onDemandElsewhere, fromShelves(shelf)],
      }),
    ),
    build({
      ...options,
      entryPoints: [...outputs(placed), ...[...onDemand].map((file) => ({ in: file, out: chunkOf(file) }))],
      plugins: [elsewhere(bundledImports, FOR_NODE), fromShelves(undefined)],
    }).then(withMapsOfStart),
    build({
      ...options,
      platform: "neutral",
      entryPoints: outputs(nodeEntryPoints.filter(forBrowsers)),
      plugins: [elsewhere(bundledImports)],
    }),
    // A thread has a world of its own, and needs none of the shelves. Its errors cross as text, so its maps would only weigh.
    build({
      ...options,
      ...{ sourcemap: false, minifyWhitespace: true },
      entryPoints: [...outputs(threads.filter(isWorker)), ...tableOutputs],
      plugins: [elsewhere(bundledImports, FOR_NODE), packedOwnTables],
    }),
  ]);

function outputOf(file) {
  return file.slice("src/".length).replace(/\.ts$/, "");
}
const outputs = (files) => files.map((file) => ({ in: file, out: outputOf(file) }));

/** Leaves out maps of what loads on demand: they would weigh more than all the others. */
function withMapsOfStart({ metafile, outputFiles }) {
  const mapped = new Set();
  const visit = (file) => {
    if (!metafile.outputs[file] || mapped.has(file)) return;
    mapped.add(file);
    for (const { kind, path } of metafile.outputs[file].imports) if (kind === "import-statement") visit(path);
  };
  const started = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => nodeEntryPoints.includes(entryPoint));
  for (const [file] of started) visit(file);
  const kept = outputFiles.filter(({ path }) => mapped.has(ours(path).replace(/\.map$/, "")) || !path.endsWith(".map"));
  return {
    outputFiles: kept.map(({ path, text }) => ({
      path,
      text: mapped.has(ours(path)) ? text : text.replace(/\n\/\/# sourceMappingURL=\S+\n$/, "\n"),
    })),
  };
}

/** Neighbouring groups together, each shelf with about as many files of source as the others. */
function shelvesOfGroups() {
  const sizes = groups.map((group) => loadedWith([group]).size);
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  return groups.map((group, at) => {
    const shelf = 1 + Math.floor((before / whole) * CATALOGUE_SHELVES);
    before += sizes[at];
    return [group, `catalogue-${shelf}`];
  });
}

function findShelves() {
  const users = new Map();
  const use = (shelf, entries) => {
    for (const file of loadedWith(entries)) users.set(file, (users.get(file) ?? new Set()).add(shelf));
  };
  use(
    "others",
    nodeEntryPoints.filter((file) => !file.startsWith("src/capabilities/") && !forBrowsers(file)),
  );
  use("host", ["src/index.ts"]);
  for (const [group, shelf] of shelvesOfGroups()) use(shelf, [group]);
  const startsThread = (file) => [...loadedWith([file])].some((inner) => threads.includes(inner));
  const found = new Map();
  for (const [file, by] of users) {
    if (groups.includes(file) || replaced.has(file) || startsThread(file)) continue;
    const ofCatalogue = [...by].filter((shelf) => shelf.startsWith("catalogue"));
    if (ofCatalogue.length > 1 || (ofCatalogue.length === 1 && by.size > 1)) found.set(file, "kernel");
    else if (ofCatalogue.length === 1) found.set(file, ofCatalogue[0]);
    else if (by.has("host")) found.set(file, "host");
  }
  return found;
}

/** The names that each file exports. */
async function exportsOf(files) {
  const { metafile } = await build({ ...options, entryPoints: files });
  const built = Object.values(metafile.outputs).filter(({ entryPoint }) => files.includes(entryPoint));
  return new Map(built.map(({ entryPoint, exports }) => [entryPoint, exports]));
}

/** A name of a file among all the others on its shelf. */
const onShelf = (file, name) => `${flatName(file).replace(/\W/g, "_")}__${name}`;
const exported = (file, from) => `export { ${namesOf.get(file).map(from).join(", ")} } from`;

const contentsOf = (shelf) =>
  [...shelfOf.keys()]
    .filter((file) => shelfOf.get(file) === shelf && namesOf.get(file).length > 0)
    .sort()
    .map((file) => `${exported(file, (name) => `${name} as ${onShelf(file, name)}`)} "./${file}";`)
    .join("\n");

/** Takes what is on shelves from there; on a shelf itself, what is on the others. */
const fromShelves = (own) => ({
  name: "from-shelves",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^in-dist:/ }, ({ path }) => ({ path, external: true, sideEffects: false }));
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const file = ours(path);
      const shelf = shelfOf.get(file);
      if (shelf === own || !shelf)
        return {
          loader: "ts",
          contents: withShelfImports(file, withAsciiPatterns(file, readFileSync(path, "utf8")), own),
        };
      // Imported on demand, as a namespace, or by those who use the package.
      const names = exported(file, (name) => `${onShelf(file, name)} as ${name}`);
      return { contents: `${names} "${inDist(shelfFile(shelf))}";` };
    });
  },
});

/** A file's regular expressions in ASCII: esbuild writes only texts so. */
function withAsciiPatterns(file, text) {
  if (!OTHER_LETTERS.test(text)) return text;
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const patterns = [];
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) patterns.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return patterns.reduceRight((result, node) => {
    const start = node.getStart(tree);
    return result.slice(0, start) + inAscii(result.slice(start, node.end)) + result.slice(node.end);
  }, text);
}

const OTHER_LETTERS = /[^\0-\x7F]/;
const inAscii = (text) =>
  text.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A file with its imports of files on other shelves under their names there. */
function withShelfImports(file, text, own) {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const statements = tree.statements.filter((one) => ts.isImportDeclaration(one) || ts.isExportDeclaration(one));
  return statements.reduceRight((result, statement) => {
    const source = statement.moduleSpecifier && sourceOf(file, statement.moduleSpecifier.text);
    const shelf = shelfOf.get(source);
    const bindings = statement.importClause?.namedBindings ?? statement.exportClause;
    if (!shelf || shelf === own || !bindings?.elements) return result;
    const names = bindings.elements.flatMap(({ name, propertyName }) => {
      const original = (propertyName ?? name).text;
      return namesOf.get(source).includes(original) ? [`${onShelf(source, original)} as ${name.text}`] : [];
    });
    const keyword = ts.isImportDeclaration(statement) ? "import" : "export";
    const line = names.length === 0 ? "" : `${keyword} { ${names.join(", ")} } from "${inDist(shelfFile(shelf))}";`;
    return result.slice(0, statement.getStart(tree)) + line + result.slice(statement.end);
  }, text);
}

/** Leaves what shelves load on demand to the other chunks. */
const onDemandElsewhere = {
  name: "on-demand-elsewhere",
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^\./ }, async ({ kind, path, pluginData, ...place }) => {
      if (kind !== "dynamic-import" || pluginData === "resolving") return undefined;
      const { path: target } = await resolve(path, { ...place, kind, pluginData: "resolving" });
      return { path: inDist(`dist/${chunkOf(ours(target))}.js`), external: true };
    });
  },
};
