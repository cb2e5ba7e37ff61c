import { GlobalFonts } from "@napi-rs/canvas";
import type { FontFile } from "./fonts.js";

/** Makes fonts known to the canvas, before anything is drawn with them. */
export function registerFonts(fonts: FontFile[]): void {
  for (const { family, file } of fonts) {
    // The list belongs to the process, and another thread may have filled it.
    if (GlobalFonts.has(family)) continue;
    if (!GlobalFonts.registerFromPath(file, family)) throw new Error(`The font file ${file} cannot be read.`);
  }
}
