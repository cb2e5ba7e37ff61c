/**
 * Libraries that are built into dist/vendor/, one file each: small as code, large or many packages as dependencies. They are
 * development dependencies, and no install of ours brings them. Their notices go with them, in dist/vendor/LICENSES.txt.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { BUNDLED, IN_ONE_FILE } from "./bundled-names.mjs";
import { pdfPatches } from "./bundled-pdf-patches.mjs";
import { sbomOf } from "./bundled-sbom.mjs";
import { packedTables } from "./bundled-tables.mjs";

const libraryOf = (path, among = [...BUNDLED, ...IN_ONE_FILE]) =>
  among.find((name) => path === name || path.startsWith(`${name}/`));

/** @param {{ isForNode?: boolean }} [form] Whether Node loads the file that imports it, rather than a bundler */
export const isBundled = (path, { isForNode = false } = {}) =>
  libraryOf(path, isForNode ? undefined : BUNDLED) !== undefined;

/** The file of a library, for each import of it: `read-excel-file/node` is in `dist/vendor/read-excel-file.js`. */
export const vendorFile = (path) => `dist/vendor/${libraryOf(path).replace(/^@/, "").replaceAll("/", "-")}.js`;

/** Builds the file of each library with all that is imported of it, and the notices of all packages that are in them. */
export async function buildVendor(paths, target) {
  const files = new Map();
  for (const path of [...paths].sort()) files.set(vendorFile(path), [...(files.get(vendorFile(path)) ?? []), path]);
  const builds = await Promise.all([...files].map(([outfile, imports]) => buildOne(outfile, imports, target)));
  const foldersIn = ({ metafile }) => new Set(Object.keys(metafile.inputs).flatMap((file) => folderOf(file) ?? []));
  const packages = new Map([...files.keys()].map((file, index) => [file, foldersIn(builds[index])]));
  const folders = [...packages.values()].flatMap((all) => [...all]);
  const notices = [...new Set(folders)].sort().map(noticeOf);
  const head =
    "The libraries in this folder are built of these packages, unchanged but for their form; PDF.js got bounds of depth and size, and leaves out what reading in one thread does not need; zod is without its languages but English.\n";
  return {
    files: builds.flatMap(({ outputFiles }) => outputFiles),
    sbom: sbomOf(packages),
    notices: [head, ...notices].join(`\n${"-".repeat(80)}\n\n`),
  };
}

/**
 * Of Node's own modules a CommonJS library takes by `require`, which modules have only if they make it: by a member, because
 * webpack reads the plain function, and warns of what it cannot foresee.
 */
const REQUIRE =
  'import nodeModule from "node:module"; const require = nodeModule.createRequire(import.meta.url ?? "file:///");';

/** Imports of what only a run tells are for Node, and no warning of bundlers; their comments that say so are minified away. */
const leftToNode = (text) =>
  text.replaceAll(/\bimport\((?=[\w$.]+\))/g, "import(/* webpackIgnore: true */ /* @vite-ignore */ ");

async function buildOne(outfile, imports, target) {
  const lines = await Promise.all(imports.map(exportLine));
  const options = {
    stdin: {
      contents: lines.join("\n"),
      // As a module of Node's: the default of a CommonJS library is all that it exports.
      sourcefile: "entry.mjs",
      resolveDir: process.cwd(),
    },
    outfile,
    ...{ bundle: true, format: "esm", platform: "node", target },
    // Node keeps a file of ASCII at one byte a letter, which every start gains by; elsewhere an escaped letter is longer.
    charset: IN_ONE_FILE.includes(libraryOf(imports[0])) ? "ascii" : "utf8",
    ...{ minify: true, metafile: true, write: false, logLevel: "error" },
    // A library takes the canvas of its host where it finds one.
    external: ["canvas"],
    plugins: [pdfPatches, packedTables, englishAlone],
  };
  const first = await build(options);
  const wants = /Dynamic require/.test(first.outputFiles[0].text);
  const built = wants ? await build({ ...options, banner: { js: REQUIRE } }) : first;
  return { ...built, outputFiles: built.outputFiles.map(({ path, text }) => ({ path, text: leftToNode(text) })) };
}

/** Nobody reads zod's messages in another language than ours. */
const englishAlone = {
  name: "english-alone",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    })),
};

/** Names them one by one: of a CommonJS library `export *` would give none. */
async function exportLine(path) {
  const names = Object.keys(await import(path)).filter((name) => name !== "module.exports");
  return `export { ${names.join(", ")} } from ${JSON.stringify(path)};`;
}

const folderOf = (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];

function noticeOf(folder) {
  const { name, version, license, homepage } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  // The licence, and the notice that Apache's asks to pass on.
  const files = readdirSync(folder).filter((entry) => /^(?:licen[cs]e|notice)(?:\.|$)/i.test(entry));
  const text = files.length
    ? files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n")
    : `License: ${license}`;
  return `${name} ${version} (${license})${homepage ? `\n${homepage}` : ""}\n\n${text}\n`;
}
