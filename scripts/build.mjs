/**
 * Builds dist/: modules in chunks, so that importing everything reads few files, and declarations beside the entry
 * points. Entry points are what package.json exports, its command, and the files that worker threads start from.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import ts from "typescript";
import { buildVendor, isBundled, vendorFile } from "./bundled.mjs";
import { packPdfData } from "./bundled-pdf.mjs";
import { documentDeclarations } from "./document-declarations.mjs";
import { entryPoints, replaced, threads } from "./entry-points.mjs";
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
const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
rmSync("dist", { recursive: true, force: true });
// Takes longer than all the rest, which goes on beside it.
const declarations = spawn(process.execPath, ["scripts/emit-declarations.mjs"], { stdio: "inherit" });
const declared = once(declarations, "exit");
process.once("exit", () => declarations.kill());
const pdfData = packPdfData();

/**
 * A module of ours does nothing when it is loaded but define things. Bundlers believe that of whole files
 * (`sideEffects: false`), but a chunk is several files, of which a host may use one: there each definition says so
 * itself, as a pure call that vanishes with all its arguments where nobody uses its result.
 */
const pureDefinitions = {
  name: "pure-definitions",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: withPureDefinitions(path, readFileSync(path, "utf8")),
    }));
  },
};

/** A bundler drops what nobody uses of a namespace, but nothing of the object `z`: zod's forty languages, to begin with. */
const withZodInParts = (text) => text.replace(/^import \{ z \} from "zod";$/m, 'import * as z from "zod";');

function withPureDefinitions(path, source) {
  const text = withZodInParts(source);
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const insertions = [];
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { initializer } of statement.declarationList.declarations) {
      if (!initializer || !computes(initializer)) continue;
      insertions.push([initializer.getStart(file), "/* @__PURE__ */ (() => ("], [initializer.end, "))()"]);
    }
  }
  return insertions.reduceRight((result, [at, code]) => result.slice(0, at) + code + result.slice(at), text);
}

const COMPUTING = [
  ts.isCallOrNewExpression,
  ts.isSpreadElement,
  ts.isSpreadAssignment,
  ts.isTemplateExpression,
  ts.isPropertyAccessExpression,
  ts.isElementAccessExpression,
  ts.isBinaryExpression,
  // The build writes newer patterns as calls.
  ts.isRegularExpressionLiteral,
];

/**
 * Whether evaluating an expression does what a bundler has to take for an effect: it calls something, spreads what may be
 * any iterable, reads a member, reckons or makes a text of a value. What a function inside it does does not count.
 */
function computes(node) {
  if (ts.isFunctionLike(node)) return false;
  return COMPUTING.some((is) => is(node)) || (ts.forEachChild(node, computes) ?? false);
}

const ours = (path) => relative(process.cwd(), path).replaceAll("\\", "/");

/** Leaves files that package.json's "imports" may replace to who loads them. */
const replaceable = {
  name: "replaceable",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\./ }, ({ path, importer }) => {
      const name = replaced.get(ours(join(dirname(importer), path)).replace(/\.js$/, ".ts"));
      return name && importer !== "" ? { path: name, external: true, sideEffects: false } : undefined;
    });
  },
};

const options = {
  outdir: "dist",
  outbase: "src",
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: `node${engines.node.replace(/[^\d.]/g, "")}`,
  sourcemap: true,
  // A trace needs places and names; the sources would double the package.
  sourcesContent: false,
  metafile: true,
  logLevel: "warning",
  write: false,
};
const KERNEL = "dist/chunks/kernel.js";
const isWorker = (file) => file.endsWith("/worker.ts");

/** Code that also runs in browsers is in separate files, because the kernel needs Node. */
const forBrowsers = (file) => file.startsWith("src/client/");

/** Only who waits for it wants to know. */
const say = (text) => process.argv.includes("--verbose") && console.log(text);

say("Building the package, half a minute or so. Reading which file uses which …");
/** The files of ours that a file imports at once, and those that it imports when it needs them. */
const { metafile: graph } = await build({ ...options, entryPoints: [...entryPoints, ...threads] });
const importsOf = (file, kind) =>
  (graph.inputs[file]?.imports ?? []).filter((one) => one.kind === kind && one.path.startsWith("src/"));
const statically = (file) => importsOf(file, "import-statement").map(({ path }) => path);

/** A file with all that loads with it. */
function loadedWith(files, found = new Set()) {
  for (const file of files) {
    if (found.has(file)) continue;
    found.add(file);
    loadedWith(statically(file), found);
  }
  return found;
}

/**
 * Code that several entry points share is one chunk: esbuild alone makes a chunk of each set of entry points that share
 * something, and a file costs more to open than to run. What starts a thread stays beside the thread's own file.
 */
function findKernel() {
  const groups = entryPoints.filter((file) => /^src\/capabilities\/[^/]+\/index\.ts$/.test(file));
  const hosts = entryPoints.filter((file) => !file.startsWith("src/capabilities/") && !forBrowsers(file));
  const users = new Map();
  for (const entries of [hosts, ...groups.map((group) => [group])])
    for (const file of loadedWith(entries)) users.set(file, (users.get(file) ?? 0) + 1);
  const shared = [...users.keys()].filter((file) => users.get(file) > 1 && !entryPoints.includes(file));
  return shared.filter((file) => ![...loadedWith([file])].some((inner) => threads.includes(inner))).sort();
}
const kernel = findKernel();
/** Loaded by the kernel when it needs them: they are entry points of the other chunks. */
const onDemand = new Set(kernel.flatMap((file) => importsOf(file, "dynamic-import").map(({ path }) => path)));
const chunkOf = (file) => `chunks/${file.slice("src/".length).replace(/\.ts$/, "").replaceAll("/", "-")}`;

/** The names that each file of the kernel exports, and what they are called among all the others. */
const { metafile: named } = await build({ ...options, entryPoints: kernel });
const namesOf = new Map(
  Object.values(named.outputs)
    .filter(({ entryPoint }) => kernel.includes(entryPoint))
    .map(({ entryPoint, exports: names }) => [entryPoint, names]),
);
const inKernel = (file, name) => `${chunkOf(file).slice("chunks/".length).replace(/\W/g, "_")}__${name}`;
const exported = (file, from) =>
  `export { ${namesOf
    .get(file)
    .map((name) => from(name))
    .join(", ")} } from`;

/** Takes the kernel's files from the kernel. */
const fromKernel = {
  name: "from-kernel",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^coinslot-kernel$/ }, ({ path }) => ({ path, external: true, sideEffects: false }));
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const file = ours(path);
      const text = readFileSync(path, "utf8");
      if (!namesOf.has(file))
        return { loader: "ts", contents: withPureDefinitions(path, withKernelImports(file, text)) };
      // Only an import on demand gets here.
      return { contents: `${exported(file, (name) => `${inKernel(file, name)} as ${name}`)} "coinslot-kernel";` };
    });
  },
};

/** The imports of a file, with those of the kernel's files under their names there. */
function withKernelImports(file, text) {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const statements = tree.statements.filter((one) => ts.isImportDeclaration(one) || ts.isExportDeclaration(one));
  return statements.reduceRight((result, statement) => {
    const target = statement.moduleSpecifier && join(dirname(file), statement.moduleSpecifier.text);
    const source = target?.replaceAll("\\", "/").replace(/\.js$/, ".ts");
    const bindings = statement.importClause?.namedBindings ?? statement.exportClause;
    if (!namesOf.has(source) || !bindings?.elements) return result;
    const names = bindings.elements.flatMap(({ name, propertyName }) => {
      const original = (propertyName ?? name).text;
      return namesOf.get(source).includes(original) ? [`${inKernel(source, original)} as ${name.text}`] : [];
    });
    const keyword = ts.isImportDeclaration(statement) ? "import" : "export";
    const line = names.length === 0 ? "" : `${keyword} { ${names.join(", ")} } from "coinslot-kernel";`;
    return result.slice(0, statement.getStart(tree)) + line + result.slice(statement.end);
  }, text);
}

/** Leaves what the kernel loads on demand to the other chunks. */
const onDemandElsewhere = {
  name: "on-demand-elsewhere",
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^\./ }, async ({ kind, path, pluginData, ...place }) => {
      if (kind !== "dynamic-import" || pluginData === "resolving") return undefined;
      const { path: target } = await resolve(path, { ...place, kind, pluginData: "resolving" });
      return { path: `coinslot-chunk:${chunkOf(ours(target))}`, external: true };
    });
  },
};

/** Imports of libraries that are built in, as they were met. */
const bundledImports = new Set();
const fromVendor = {
  name: "from-vendor",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path }) => {
      if (!isBundled(path)) return undefined;
      bundledImports.add(path);
      return { path: `coinslot-vendor:${path}`, external: true, sideEffects: false };
    });
  },
};

say("Bundling …");
const kernelSource = kernel
  .filter((file) => namesOf.get(file).length > 0)
  .map((file) => `${exported(file, (name) => `${name} as ${inKernel(file, name)}`)} "./${file}";`)
  .join("\n");
const outputs = (files) => files.map((file) => ({ in: file, out: file.slice("src/".length).replace(/\.ts$/, "") }));
const builds = await Promise.all([
  build({
    ...options,
    splitting: false,
    outfile: KERNEL,
    outdir: undefined,
    stdin: { contents: kernelSource, resolveDir: process.cwd() },
    plugins: [replaceable, onDemandElsewhere, fromVendor, pureDefinitions],
  }),
  build({
    ...options,
    entryPoints: [
      ...outputs([...entryPoints.filter((file) => !forBrowsers(file)), ...threads.filter((file) => !isWorker(file))]),
      ...[...onDemand].map((file) => ({ in: file, out: chunkOf(file) })),
    ],
    plugins: [replaceable, fromKernel, fromVendor],
  }),
  build({
    ...options,
    platform: "neutral",
    entryPoints: outputs(entryPoints.filter(forBrowsers)),
    plugins: [replaceable, pureDefinitions],
  }),
  // A thread has a world of its own, and needs none of the kernel. Its errors cross as text, so its maps would only weigh.
  build({
    ...options,
    sourcemap: false,
    entryPoints: outputs(threads.filter(isWorker)),
    plugins: [replaceable, fromVendor, pureDefinitions],
  }),
]);
const vendor = await buildVendor([...bundledImports], options.target);
builds.push({ outputFiles: vendor.files });
for (const { path, text } of builds.flatMap(({ outputFiles }) => outputFiles)) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, path.endsWith(".js") ? linked(path, text) : text);
}

/** A chunk's text with the places of the others in it. */
function linked(path, text) {
  const to = (file) => {
    const place = relative(dirname(path), file).replaceAll("\\", "/");
    return place.startsWith(".") ? place : `./${place}`;
  };
  return (
    text
      .replaceAll('"coinslot-kernel"', () => JSON.stringify(to(KERNEL)))
      .replaceAll(/"coinslot-vendor:([^"]+)"/g, (_, name) => JSON.stringify(to(vendorFile(name))))
      .replaceAll(/"coinslot-chunk:([^"]+)"/g, (_, chunk) => JSON.stringify(to(`dist/${chunk}.js`)))
      // Loading a chunk for its effects alone is loading it for nothing, and bundlers warn of it. The line stays, for the map.
      .replaceAll(/^import "\.{1,2}\/[^"]+";$/gm, "")
  );
}
writeFileSync("dist/vendor/LICENSES.txt", vendor.notices);
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
