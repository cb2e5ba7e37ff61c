/**
 * The data that PDF.js reads beside its code, packed: maps of characters for Asian encodings, and the fonts that a PDF may name
 * without bringing them. Each pack is a line of JSON, which says where a file lies, and the files behind it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);

const FOLDERS = ["cmaps", "standard_fonts"];

/** Path and content of each pack; both are made at once, beside whatever else is done. */
export const packPdfData = (from = "node_modules/pdfjs-dist") =>
  Promise.all(FOLDERS.map(async (folder) => [`dist/vendor/pdfjs-${folder}.br`, await pack(join(from, folder))]));

async function pack(folder) {
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
  return await compress(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } });
}
