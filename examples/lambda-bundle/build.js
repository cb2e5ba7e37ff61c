// Bundles a Lambda function into a folder, with the canvas' native library beside it where that is installed:
//   node examples/lambda-bundle/build.js examples/lambda/handler.js out
// The folder is the function; nothing needs to be installed there. Its handler is index.handler. An optional package that
// is not installed here is left out, and what needs it says so when it is asked.
import { build } from "esbuild";

const [entry, outdir] = process.argv.slice(2);
if (!entry || !outdir) throw new Error("Say what to bundle and into which folder: build.js <entry> <folder>.");

await build({
  entryPoints: { index: entry },
  outdir,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  minify: true,
  platform: "node",
  target: "node20",
  format: "esm",
  // What is imported when it is needed stays in files of its own: Node reads and compiles the whole of a file before
  // its first line runs, and most of the bytes are libraries that most calls do without.
  splitting: true,
  // Libraries in CommonJS call require, which a module does not have by itself. It is short, as each file has it.
  banner: {
    js: 'import{createRequire as toRequire}from"node:module";const require=toRequire(import.meta.url);',
  },
  // Native code stays a file.
  loader: { ".node": "copy" },
});
