/**
 * dist/modules/, for bundlers: many small chunks, of which a bundler takes those, and of those the definitions, that somebody
 * uses. They find it by the condition "module" of package.json's exports, and those for Workers by "workerd".
 */
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import ts from "typescript";
import { entryPoints, threads } from "../entry-points.mjs";
import { elsewhere, options } from "./graph.mjs";

export const buildModules = async () => {
  const { outputFiles } = await build({
    ...options,
    ...{ entryPoints: [...entryPoints, ...threads], outdir: "dist/modules" },
    // A bundler makes maps of its own, to these files.
    ...{ sourcemap: false, plugins: [elsewhere(), pureDefinitions] },
  });
  return {
    outputFiles: outputFiles.map(({ path, text }) => ({ path, text: withOwnThreads(withOptionalPackages(text)) })),
  };
};

/**
 * webpack rewrites `new Worker` by its name, also where that is imported, and breaks it. Left alone, a bundle finds the
 * thread's file beside the package, and where it is not, does the work in its own thread.
 */
const withOwnThreads = (text) =>
  text.replaceAll(
    'new Worker(new URL("./worker.js", import.meta.url)',
    'new Worker(/* webpackIgnore: true */ new URL(/* webpackIgnore: true */ "./worker.js", import.meta.url)',
  );

const optional = Object.keys(JSON.parse(readFileSync("package.json", "utf8")).peerDependencies);

/**
 * An optional package that is not installed must fail no bundle. esbuild (and so wrangler) puts the two texts together, and
 * takes the package in where it finds it, else leaves the import, since its failure is caught. webpack, rspack and Turbopack
 * are told to leave it; Rollup and Vite know no name in a sum and leave it, too: Node finds the package when it is needed.
 */
const withOptionalPackages = (text) =>
  text.replaceAll(/\bimport\("((?:@[\w.-]+\/)?[\w.-]+)((?:\/[^"]*)?)"\)/g, (whole, name, path) =>
    optional.includes(name) ? `import(/* webpackIgnore: true */ /* @vite-ignore */ "" + "${name}${path}")` : whole,
  );

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
