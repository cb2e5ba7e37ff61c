import { setImmediate as nextTurn } from "node:timers/promises";
import { importCanvas } from "../../lib/packages/packages.js";
import type { CountdownTask } from "./design.js";
import { createGifWriter } from "./gif.js";
import { createPainter } from "./painter.js";
import { registerFonts } from "./register-fonts.js";

/** Draws and encodes pictures one by one, each only where it changes, so that one is in memory at a time. */
export async function animate({ design, pictures, fonts }: CountdownTask): Promise<Uint8Array> {
  const { createCanvas, GlobalFonts } = await importCanvas();
  await registerFonts(GlobalFonts, fonts);
  const ctx = createCanvas(design.width, design.height).getContext("2d");
  const painter = createPainter(ctx, design, pictures);
  const gif = createGifWriter(design);
  for (const [index, picture] of pictures.entries()) {
    const region = painter.changed(picture, pictures[index - 1]);
    painter.paint(picture, region);
    const { data } = ctx.getImageData(region.x, region.y, region.width, region.height);
    gif.writeFrame(data, region, picture.delayCs);
    // Pixels are outside JavaScript's heap and are freed only when the thread is idle: without this, ten large pictures
    // take 300 MB.
    await nextTurn();
  }
  return gif.finish();
}
