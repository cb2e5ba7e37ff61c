import { createCanvas } from "@napi-rs/canvas";
import type { CountdownTask } from "./_design.js";
import { createGifWriter } from "./_gif.js";
import { createPainter } from "./_painter.js";

/** Draws and encodes one picture after the other, each only where it changes, so that one is in memory at a time. */
export function animate({ design, pictures }: CountdownTask): Uint8Array {
  const ctx = createCanvas(design.width, design.height).getContext("2d");
  const painter = createPainter(ctx, design, pictures);
  const gif = createGifWriter(design.transparent);
  for (const [index, picture] of pictures.entries()) {
    const region = painter.changed(picture, pictures[index - 1]);
    painter.paint(picture, region);
    const { data } = ctx.getImageData(region.x, region.y, region.width, region.height);
    gif.writeFrame(data, region, picture.delayCs);
  }
  return gif.finish();
}
