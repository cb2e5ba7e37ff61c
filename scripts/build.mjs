/**
 * Builds dist/: modules in chunks, so that importing everything reads few files, and declarations beside the entry
 * points. Entry points are what package.json exports, and the files that worker threads start from.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import ts from "typescript";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const { exports, engines } = JSON.parse(readFileSync("package.json", "utf8"));
const sources = readdirSync("src", { recursive: true }).map((file) => `src/${file.replaceAll("\\", "/")}`);

/** "./dist/capabilities/*\/index.js" is made of every "src/capabilities/<group>/index.ts". */
function sourcesOf(exported) {
  const [before, after] = exported.replace("./dist/", "src/").replace(/\.js$/, ".ts").split("*");
  return sources.filter((file) =>
    after === undefined ? file === before : file.startsWith(before) && file.endsWith(after),
  );
}
const entryPoints = Object.values(exports).flatMap((file) => (file.startsWith("./dist/") ? sourcesOf(file) : []));
// A thread starts from a file beside the module that starts it, so both keep their place.
const startsThread = (file) =>
  readFileSync(file, "utf8").includes('new Worker(new URL("./worker.js", import.meta.url))');
const threads = sources.filter((file) => file.endsWith("/worker.ts") || (file.endsWith(".ts") && startsThread(file)));

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

function withPureDefinitions(path, text) {
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

/** Whether evaluating an expression calls something; what a function inside it calls does not count. */
function computes(node) {
  if (ts.isFunctionLike(node)) return false;
  return ts.isCallOrNewExpression(node) || (ts.forEachChild(node, computes) ?? false);
}

rmSync("dist", { recursive: true, force: true });
const { outputFiles } = await build({
  entryPoints: [...entryPoints, ...threads],
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
  plugins: [pureDefinitions],
  logLevel: "warning",
  write: false,
});
for (const { path, text } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  // Loading a chunk for its effects alone is loading it for nothing, and bundlers warn of it. The line stays, for the map.
  writeFileSync(path, path.endsWith(".js") ? text.replaceAll(/^import "\.{1,2}\/[^"]+";$/gm, "") : text);
}
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json", "--emitDeclarationOnly"], {
  stdio: "inherit",
});
