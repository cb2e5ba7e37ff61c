/**
 * Changes the code of PDF.js while it is built in. A build fails if a place that is to be changed is another: the change has to
 * be found a new place then.
 */
import { readFile } from "node:fs/promises";
import { BOUNDS } from "./bundled-pdf-bounds.mjs";
import { LIBRARY_SPEED, WORKER_SPEED } from "./bundled-pdf-speed.mjs";
import { WORKER_TEXTS } from "./bundled-pdf-texts.mjs";
import { LIBRARY_WORK, WORKER_WORK } from "./bundled-pdf-work.mjs";

/** By file. */
const CHANGES = {
  "pdf.worker.mjs": [...BOUNDS, ...WORKER_SPEED, ...WORKER_WORK, ...WORKER_TEXTS],
  "pdf.mjs": [...LIBRARY_SPEED, ...LIBRARY_WORK],
};

/**
 * The code of a file of PDF.js as it is built in. Throws an Error if it is another.
 * @param {keyof typeof CHANGES} file
 * @param {string} source
 */
export function changed(file, source) {
  return CHANGES[file].reduce((text, [before, after]) => {
    if (text.split(before).length !== 2) throw new Error(`PDF.js has changed: ${before.slice(0, 60)}`);
    return text.replace(before, () => after);
  }, source);
}

/** For esbuild. */
export const pdfPatches = {
  name: "pdf-patches",
  setup({ onLoad }) {
    onLoad({ filter: /pdfjs-dist\/legacy\/build\/pdf(?:\.worker)?\.mjs$/ }, async ({ path }) => {
      const file = path.endsWith("pdf.worker.mjs") ? "pdf.worker.mjs" : "pdf.mjs";
      return { contents: changed(file, await readFile(path, "utf8")), loader: "js" };
    });
  },
};
