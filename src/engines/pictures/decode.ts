/** Pictures as pixels of four bytes: red, green, blue and opacity. */
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { importCanvas } from "../../lib/packages/packages.js";

export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

const canvas = /* @__PURE__ */ lazy(importCanvas);

/** On paper of a colour, or as they are. The bytes were checked. Throws INVALID_INPUT for a picture that breaks off. */
export async function decodePicture(bytes: Uint8Array, field: string, paper?: "white" | "black"): Promise<Pixels> {
  const { createCanvas, loadImage } = await canvas();
  const image = await loadImage(bytes).catch(() => {
    throw invalid(field, "cannot be decoded: the picture is broken or incomplete");
  });
  const { width, height } = image;
  const drawn = createCanvas(width, height);
  const context = drawn.getContext("2d");
  if (paper) {
    context.fillStyle = paper;
    context.fillRect(0, 0, width, height);
  }
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  // Memory that nobody counts: given back at once, not when all of this is collected.
  drawn.width = drawn.height = 0;
  return { data, width, height };
}

export async function encodePng({ data, width, height }: Pixels): Promise<Uint8Array> {
  const { createCanvas, ImageData } = await canvas();
  const drawn = createCanvas(width, height);
  drawn.getContext("2d").putImageData(new ImageData(data, width, height), 0, 0);
  return drawn.encode("png");
}
