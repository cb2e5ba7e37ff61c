/**
 * Packs tables of the libraries that are built in: modules that hold nothing but data are most of their weight, and what
 * is in them is repetitive. Node unpacks them in milliseconds, once, when their library is first used.
 */
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";

const TABLES =
  /node_modules\/(?:date-holidays\/src\/data|astronomia\/data\/\w+|opencc-js\/dist\/esm-lib\/dict\/\w+)\.js$/;

const HEAD = `import { brotliDecompressSync } from "node:zlib";
const unpacked = (text) => JSON.parse(brotliDecompressSync(Buffer.from(text, "base64")).toString());
`;

/** Throws an Error if a value is more than data. */
function packed(path, name, value) {
  const json = JSON.stringify(value);
  if (json === undefined || !isDeepStrictEqual(JSON.parse(json), value))
    throw new Error(`${path}: ${name} is no plain data; take the file out of the packed tables.`);
  const text = brotliCompressSync(json, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).toString("base64");
  const binding = name === "default" ? "export default" : `export const ${name} =`;
  return `${binding} /* @__PURE__ */ unpacked("${text}");\n`;
}

/** For esbuild. */
export const packedTables = {
  name: "packed-tables",
  setup({ onLoad }) {
    onLoad({ filter: TABLES }, async ({ path }) => {
      const exported = Object.entries(await import(pathToFileURL(path).href));
      return { contents: HEAD + exported.map(([name, value]) => packed(path, name, value)).join(""), loader: "js" };
    });
  },
};
