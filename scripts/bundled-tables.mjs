/**
 * Packs tables of the libraries that are built in: modules that hold nothing but data are most of their weight, and what
 * is in them is repetitive. Node unpacks them in milliseconds, once, when their library is first used.
 */
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import { transform } from "esbuild";

const TABLES =
  /node_modules\/(?:date-holidays\/src\/data|astronomia\/data\/\w+|opencc-js\/dist\/esm-lib\/dict\/\w+)\.js$/;
/** CommonJS libraries require these. */
const JSON_TABLES = /node_modules\/moment-timezone\/data\/packed\/latest\.json$/;

const HEAD = `import { brotliDecompressSync } from "node:zlib";
const unpacked = (text) => JSON.parse(brotliDecompressSync(Buffer.from(text, "base64")).toString());
`;

/** Throws an Error if a value is more than data. */
function packed(path, name, value) {
  const json = JSON.stringify(value);
  if (json === undefined || !isDeepStrictEqual(JSON.parse(json), value))
    throw new Error(`${path}: ${name} holds more than plain data; remove the file from the packed tables.`);
  const text = brotliCompressSync(json, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).toString("base64");
  return `/* @__PURE__ */ unpacked("${text}");\n`;
}

const exportOf = (name) => (name === "default" ? "export default" : `export const ${name} =`);

/** Tables of our own that are as repetitive. */
const OWN_TABLES = /src\/engines\/(?:countries\/country|holidays\/corrections)-table\.ts$/;

/** For esbuild, in the build of dist/tables: a table with its licence. */
export const packedOwnTables = {
  name: "packed-own-tables",
  setup({ onLoad }) {
    onLoad({ filter: OWN_TABLES }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const { code } = await transform(source, { loader: "ts", format: "esm" });
      const exported = Object.entries(await import(`data:text/javascript,${encodeURIComponent(code)}`));
      const licence = /^\/\*\*.*?\*\/\n/s.exec(source)?.[0] ?? "";
      const lines = exported.map(([name, value]) => `${exportOf(name)} ${packed(path, name, value)}`);
      return { contents: licence + HEAD + lines.join(""), loader: "js" };
    });
  },
};

/** For esbuild. */
export const packedTables = {
  name: "packed-tables",
  setup({ onLoad }) {
    onLoad({ filter: TABLES }, async ({ path }) => {
      const exported = Object.entries(await import(pathToFileURL(path).href));
      const lines = exported.map(([name, value]) => `${exportOf(name)} ${packed(path, name, value)}`);
      return { contents: HEAD + lines.join(""), loader: "js" };
    });
    onLoad({ filter: JSON_TABLES }, async ({ path }) => {
      const table = JSON.parse(await readFile(path, "utf8"));
      const head = HEAD.replace(/import (.*) from (.*);/, "const $1 = require($2);");
      return { contents: `${head}module.exports = ${packed(path, "it", table)}`, loader: "js" };
    });
  },
};
