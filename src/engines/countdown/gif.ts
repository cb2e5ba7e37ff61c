import gifenc from "gifenc";
import type { Box } from "./box.js";
import { createPalette, type PalettePicker, type Rgba } from "./palette.js";

export interface GifWriter {
  /** Adds a picture of `box`. The first must cover everything, and have all colours that will appear. */
  writeFrame(pixels: Rgba, box: Box, delayCs: number): void;
  finish(): Uint8Array;
}

const PLAY_ONCE = -1;
const LEAVE_IN_PLACE = 1;
const CLEAR_RECTANGLE = 2;
/** A frame's graphic control extension, after which its image descriptor begins (GIF89a, sections 20 and 23). */
const CONTROL_BYTES = 8;

/**
 * A GIF that plays once. An opaque frame stays under the next, which thus need not be whole; a transparent one is
 * cleared, or its digits would be seen through the next.
 */
export function createGifWriter(transparent: boolean): GifWriter {
  const gif = gifenc.GIFEncoder();
  let colors: PalettePicker | undefined;

  return {
    writeFrame(pixels, box, delayCs) {
      const first = colors === undefined;
      colors ??= createPalette(pixels, transparent);
      const { palette, transparentIndex, toIndexes } = colors;
      const start = gif.bytesView().length;
      gif.writeFrame(toIndexes(pixels), box.width, box.height, {
        delay: delayCs * 10,
        repeat: PLAY_ONCE,
        dispose: transparent ? CLEAR_RECTANGLE : LEAVE_IN_PLACE,
        colorDepth: Math.max(2, Math.ceil(Math.log2(palette.length))),
        ...(first ? { palette } : {}),
        ...(transparent ? { transparent, transparentIndex } : {}),
      });
      // gifenc puts every frame at 0,0. The position is in the image descriptor, behind its separator.
      if (!first) writePosition(gif.bytesView().subarray(start + CONTROL_BYTES + 1), box);
    },
    finish() {
      gif.finish();
      return gif.bytes();
    },
  };
}

function writePosition(bytes: Uint8Array, { x, y }: Box): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  view.setUint16(0, x, true);
  view.setUint16(2, y, true);
}
