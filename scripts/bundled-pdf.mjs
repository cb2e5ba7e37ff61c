/**
 * The data that PDF.js reads beside its code, packed: maps of characters for Asian encodings, and the fonts that a PDF may name
 * without bringing them. Each pack is a line of JSON, which says where a file lies, and the files behind it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const FOLDERS = ["cmaps", "standard_fonts"];

/** Path and content of each pack. */
export const packPdfData = (from = "node_modules/pdfjs-dist") =>
  FOLDERS.map((folder) => [`dist/vendor/pdfjs-${folder}.br`, pack(join(from, folder))]);

function pack(folder) {
  const names = readdirSync(folder).sort();
  const files = names.map((name) => readFileSync(join(folder, name)));
  let offset = 0;
  const index = Object.fromEntries(
    names.map((name, i) => {
      const place = [offset, files[i].length];
      offset += files[i].length;
      return [name, place];
    }),
  );
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...files]);
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } });
}
