import type { GlobalFonts } from "@napi-rs/canvas";
import type { FontFile } from "./fonts.js";

/** Registers fonts with the canvas before drawing. */
export async function registerFonts(known: typeof GlobalFonts, fonts: FontFile[]): Promise<void> {
  for (const { family, file } of fonts) {
    // The list belongs to the process, and another thread may have filled it.
    if (known.has(family)) continue;
    const key = file === undefined ? known.register(await latin(family), family) : known.registerFromPath(file, family);
    if (!key) throw new Error(`The font ${file ?? family} cannot be read.`);
  }
}

async function latin(name: string): Promise<Buffer> {
  const { LATIN_FONTS } = await import("./latin-fonts.js");
  return Buffer.from(LATIN_FONTS[name] ?? "", "base64");
}
