import { createRequire } from "node:module";
import { join } from "node:path";
import { GlobalFonts } from "@napi-rs/canvas";
import type { Design } from "./design.js";

/** Makes the fonts known to the canvas. Call once per thread, before anything is drawn. */
export function registerFonts(): void {
  for (const [family, file] of fontFiles()) {
    // The list belongs to the process, and another thread may have filled it.
    if (GlobalFonts.has(family)) continue;
    if (!GlobalFonts.registerFromPath(file, family)) throw new Error(`The font file ${file} cannot be read.`);
  }
}

/**
 * A bare container has no fonts at all, and text in a missing font vanishes without an error; hence fonts from a
 * package. Each file is a family of its own, so that no weight falls back to a synthetic one.
 */
function fontFiles(): [family: string, file: string][] {
  // A bundle in CommonJS has no address of its own; it finds packages from where the process was started.
  const require = createRequire(import.meta.url ?? join(process.cwd(), "bundle.cjs"));
  return [
    ["Countdown Mono", require.resolve("dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf")],
    ["Countdown Mono Bold", require.resolve("dejavu-fonts-ttf/ttf/DejaVuSansMono-Bold.ttf")],
    ["Countdown Sans", require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf")],
    ["Countdown Sans Bold", require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf")],
  ];
}

/** Makes CSS fonts of any size. Sans follows Mono, for it has characters that Mono lacks. */
export function fontOf(face: Design["digitFont"], weight: Design["digitWeight"]) {
  const family = (name: string) => `"Countdown ${name}${weight === "bold" ? " Bold" : ""}"`;
  const families = face === "mono" ? `${family("Mono")}, ${family("Sans")}` : family("Sans");
  return (sizePx: number) => `${sizePx}px ${families}`;
}
