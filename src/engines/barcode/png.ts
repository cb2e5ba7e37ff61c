import { lazy } from "../../lib/lazy.js";
import { importCanvas } from "../../lib/packages/packages.js";
import type { Drawing } from "./render.js";

const canvas = lazy(importCanvas);

/** The drawing as PNG bytes. */
export async function toPng({ svg, width, height }: Drawing): Promise<Uint8Array> {
  const { createCanvas, loadImage } = await canvas();
  const image = await loadImage(Buffer.from(svg));
  const surface = createCanvas(width, height);
  surface.getContext("2d").drawImage(image, 0, 0, width, height);
  return surface.encode("png");
}

/** Whether an image really decodes; its header does not guarantee it. */
export async function isDecodable(bytes: Uint8Array): Promise<boolean> {
  const { loadImage } = await canvas();
  return loadImage(bytes).then(
    () => true,
    () => false,
  );
}
