import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { printTable, whole } from "./measure.mjs";

export const title = "What one capability weighs in a bundle (esbuild, minified)";

const root = fileURLToPath(new URL("../..", import.meta.url));
const used = 'export { convertUnit } from "coinslot/capabilities/convert";';
const unused = 'import { convertUnit } from "coinslot/capabilities/convert";';
const everything = 'export { capabilities } from "./dist/capabilities/index.js";';

/** Bytes that load with the entry; what is imported only when it is needed stays in files of its own. */
async function entryOf(contents, options = {}) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "node",
    outdir: `${root}out`,
    write: false,
    metafile: true,
    logLevel: "error",
    // Native code is a file beside a bundle.
    loader: { ".node": "empty" },
    ...options,
  });
  const bytesOf = new Map(outputFiles.map(({ path, contents }) => [path.slice(root.length), contents]));
  const loaded = new Set();
  const visit = (path) => {
    if (loaded.has(path) || !metafile.outputs[path]) return;
    loaded.add(path);
    for (const { kind, path: next } of metafile.outputs[path].imports) if (kind === "import-statement") visit(next);
  };
  visit("out/stdin.js");
  return Buffer.concat([...loaded].map((path) => bytesOf.get(path)));
}

export async function run() {
  const cases = [
    ["convertUnit, zod left to the host", await entryOf(used, { external: ["zod"] })],
    ["convertUnit, zod included", await entryOf(used)],
    ["zod alone", await entryOf('export { z } from "zod";')],
    ["convertUnit imported and not used", await entryOf(unused)],
    ["every capability, all packages left to the host", await entryOf(everything, { packages: "external" })],
  ];
  printTable(
    ["", "bytes", "gzipped"],
    cases.map(([name, bytes]) => [name, whole(bytes.length), whole(gzipSync(bytes).length)]),
  );
  return [];
}
