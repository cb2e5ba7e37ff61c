/** The package in its simplest form, to compare with: one file for each source file, and nothing renamed. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { isBundled, vendorFile } from "../../scripts/bundled.mjs";
import { replaced } from "../../scripts/entry-points.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where Node takes each entry of package.json from. */
const forNode = (entries) =>
  Object.fromEntries(Object.entries(entries).map(([name, target]) => [name, target.default ?? target]));

/** Writes a package of that form, which has the same libraries built in as ours. Needs a build, for these. */
export async function buildSimpleForm(folder) {
  const dist = join(folder, "dist");
  const sources = readdirSync(join(root, "src"), { recursive: true }).filter((name) => /(?<!\.d)\.ts$/.test(name));
  const { outputFiles } = await build({
    entryPoints: sources.map((name) => join(root, "src", name)),
    ...{ outdir: dist, outbase: join(root, "src"), format: "esm", platform: "node", target: "node20.19" },
    ...{ charset: "utf8", write: false, logLevel: "error" },
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, withPlaces(path, text, dist));
  }
  for (const part of ["vendor", "data"]) cpSync(join(root, "dist", part), join(dist, part), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entries = { exports: forNode(manifest.exports), imports: forNode(manifest.imports) };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, ...entries }));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
}

/** A file with the places of libraries that are built in, and of what package.json's "imports" may replace. */
const withPlaces = (path, text, dist) =>
  text.replaceAll(/((?:from |import\()")([^"]+)"/g, (whole, before, name) => {
    const place = placeOf(path, name, dist);
    return place ? `${before}${place}"` : whole;
  });

function placeOf(path, name, dist) {
  if (name.startsWith(".")) {
    const source = relative(dist, join(dirname(path), name)).replaceAll("\\", "/");
    return replaced.get(`src/${source.replace(/\.js$/, ".ts")}`);
  }
  if (!isBundled(name, { isForNode: true })) return undefined;
  const place = relative(dirname(path), join(dist, "..", vendorFile(name))).replaceAll("\\", "/");
  return place.startsWith(".") ? place : `./${place}`;
}

/**
 * Turns its catalogue into data: facts of each capability, whose code is loaded when something else of it is asked for.
 * Only as good as a measure needs it.
 */
export async function makeCatalogueData(folder) {
  const index = join(folder, "dist/capabilities/index.js");
  const { capabilities } = await import(pathToFileURL(index).href);
  const places = [...readFileSync(index, "utf8").matchAll(/^import \{ (\w+) \} from "([^"]+)";$/gm)];
  if (places.length !== capabilities.length) throw new Error("The index of the catalogue has another form.");
  const others = new Set(capabilities.flatMap((one) => Object.keys(one)));
  const isFact = (value) => value !== undefined && JSON.stringify(value) !== undefined;
  const getters = ["input", "output"];
  const rows = capabilities.map((one, at) => {
    const known = Object.keys(one).filter((name) => !getters.includes(name) && isFact(one[name]) && name !== "menu");
    return {
      place: places.find(([, name]) => name === exportOf(one.id)).slice(1),
      facts: Object.fromEntries(known.map((name) => [name, one[name]])),
      absent: [...others].filter((name) => !(name in capabilities[at])),
    };
  });
  writeFileSync(
    index,
    `import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const others = ${JSON.stringify([...others])};
export const capabilities = JSON.parse(${JSON.stringify(JSON.stringify(rows))}).map(({ place: [name, file], facts, absent }) => {
  const code = () => require(file)[name];
  const one = Object.assign((...given) => code()(...given), facts);
  for (const other of others)
    if (!(other in facts) && !absent.includes(other))
      Object.defineProperty(one, other, { get: () => code()[other], enumerable: true });
  return one;
});
`,
  );
}

const exportOf = (id) => id.replaceAll(/[.-](\w)/g, (_, letter) => letter.toUpperCase());
