/** Which file of src/ uses which, as esbuild sees it: without types. */
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";
import { isBundled, vendorFile } from "../bundled.mjs";
import { entryPoints, replaced, threads } from "../entry-points.mjs";

const { engines } = JSON.parse(readFileSync("package.json", "utf8"));

export const options = {
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
  // An escaped letter takes up to three times the bytes.
  charset: "utf8",
  metafile: true,
  logLevel: "warning",
  write: false,
};

export const ours = (path) => relative(process.cwd(), path).replaceAll("\\", "/");

const { metafile } = await build({ ...options, entryPoints: [...entryPoints, ...threads] });

/** Every file of ours that an entry point leads to. */
export const files = Object.keys(metafile.inputs).filter((file) => file.startsWith("src/"));

const importsOf = (file, kind) =>
  (metafile.inputs[file]?.imports ?? []).filter((one) => one.kind === kind && one.path.startsWith("src/"));

/** The files that a file imports when it needs them. */
export const onDemandOf = (file) => importsOf(file, "dynamic-import").map(({ path }) => path);

/** Files with all that loads with them at once. */
export function loadedWith(from, found = new Set()) {
  for (const file of from) {
    if (found.has(file)) continue;
    found.add(file);
    loadedWith(
      importsOf(file, "import-statement").map(({ path }) => path),
      found,
    );
  }
  return found;
}

/** Bytes of source from which a table is a file of its own. */
const TABLE_BYTES = 16_000;
const atStart = loadedWith(entryPoints);

/** Large tables that load on demand: they stand once in the package, for Node and for bundlers. */
export const tables = files.filter(
  (file) =>
    metafile.inputs[file].imports.length === 0 && metafile.inputs[file].bytes > TABLE_BYTES && !atStart.has(file),
);

/** The name of a file within one folder. */
export const flatName = (file) => file.slice("src/".length).replace(/\.ts$/, "").replaceAll("/", "-");

const tableFile = (file) => `dist/tables/${flatName(file)}.js`;
export const tableOutputs = tables.map((file) => ({ in: file, out: `tables/${flatName(file)}` }));

/**
 * Leaves to other files of dist/: libraries that are built in, tables, and files that package.json's "imports" may replace.
 * @param {Set<string>} [bundledImports] gets the imports of libraries that are built in, as they are met
 * @param {{ isForNode?: boolean }} [form]
 */
export const elsewhere = (bundledImports = new Set(), form = {}) => ({
  name: "elsewhere",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path }) => {
      if (!isBundled(path, form)) return undefined;
      bundledImports.add(path);
      return { path: inDist(vendorFile(path)), external: true, sideEffects: false };
    });
    onResolve({ filter: /^\./ }, ({ path, importer }) => {
      if (importer === "") return undefined;
      const file = sourceOf(importer, path);
      const name = replaced.get(file) ?? (tables.includes(file) ? inDist(tableFile(file)) : undefined);
      return name && { path: name, external: true, sideEffects: false };
    });
  },
});

/** The file of src/ behind an import. */
export const sourceOf = (importer, path) => ours(join(dirname(importer), path)).replace(/\.js$/, ".ts");

/** Stands for a file of dist/ until it is known from which file it is imported. */
export const inDist = (file) => `in-dist:${file}`;

/** A built file's text with the places of the others in it. */
export function linked(path, text) {
  const to = (file) => {
    const place = relative(dirname(path), file).replaceAll("\\", "/");
    return place.startsWith(".") ? place : `./${place}`;
  };
  return (
    text
      .replaceAll(/"in-dist:([^"]+)"/g, (_, file) => JSON.stringify(to(file)))
      // Loading a file for its effects alone is loading it for nothing, and bundlers warn of it. The line stays, for the map.
      .replaceAll(/^import "\.{1,2}\/[^"]+";$/gm, "")
      // Marks of guards are for whoever reads the source; esbuild leaves some of those within an expression.
      .replaceAll(/^[ \t]*\/\/ guard: .*(?:\n[ \t]*\/\/ {3}\S.*)*$/gm, (mark) => mark.replaceAll(/.+/g, ""))
  );
}
