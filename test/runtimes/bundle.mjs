/**
 * One bundler, one program: node bundle.mjs <bundler> <entry> <folder>, in the folder of the program. Prints errors and warnings
 * about our own files as JSON; those of other packages, as zod's comments that Rollup cannot read, are theirs.
 */
import { join } from "node:path";

const [bundler, entry, out] = process.argv.slice(2);
const cwd = process.cwd();
/** Not by the name of the folder that all of it lies in. */
const isOurs = (text) => /node_modules\/coinslot\/|["' ]coinslot[/"' ]/.test(text);

/** As their documentation writes it for a program of Node: a target, an output that is a module, and nothing of ours. */
async function packed(pack) {
  const options = {
    ...{ mode: "production", target: "node", context: cwd, entry: `./${entry}` },
    output: { path: out, filename: "main.mjs", library: { type: "module" }, module: true, chunkFormat: "module" },
    experiments: { outputModule: true },
  };
  const stats = await new Promise((resolve, reject) =>
    pack(options, (error, result) => (error ? reject(error) : resolve(result))),
  );
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
  const textOf = ({ moduleName = "", message }) => `${moduleName} ${message}`.slice(0, 500);
  return [...errors.map(textOf), ...warnings.map(textOf).filter(isOurs)];
}

const BUNDLERS = {
  webpack: async () => packed((await import("webpack")).default),
  rspack: async () => packed((await import("@rspack/core")).rspack),
  async rollup() {
    const [{ rollup }, ...plugins] = await Promise.all(
      ["rollup", "@rollup/plugin-node-resolve", "@rollup/plugin-commonjs", "@rollup/plugin-json"].map(
        (one) => import(one),
      ),
    );
    const told = [];
    const bundle = await rollup({
      input: join(cwd, entry),
      plugins: plugins.map((plugin) => plugin.default()),
      onwarn: ({ code, message, id = "" }) => told.push(`${code} ${id} ${message}`.slice(0, 500)),
    });
    await bundle.write({ dir: out, format: "es", entryFileNames: "main.mjs" });
    return told.filter(isOurs);
  },
  async vite() {
    const { build } = await import("vite");
    const told = [];
    const note = (text) => void told.push(text.slice(0, 500));
    const logger = { info() {}, clearScreen() {}, warn: note, warnOnce: note, error: note };
    await build({
      ...{ root: cwd, customLogger: { ...logger, hasErrorLogged: () => false, hasWarned: false } },
      ssr: { noExternal: true },
      build: { ssr: entry, outDir: out, target: "node20", rollupOptions: { output: { entryFileNames: "main.mjs" } } },
    });
    return told.filter(isOurs);
  },
  async esbuild() {
    const { build } = await import("esbuild");
    const options = { bundle: true, format: "esm", platform: "node", splitting: true, logLevel: "silent" };
    const { warnings } = await build({
      ...options,
      entryPoints: { main: entry },
      outdir: out,
      outExtension: { ".js": ".mjs" },
    });
    return warnings.map(({ text, location }) => `${location?.file} ${text}`).filter(isOurs);
  },
};

console.log(JSON.stringify(await BUNDLERS[bundler]()));
