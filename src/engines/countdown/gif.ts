import type { Box } from "./box.js";
import { encoder } from "./encoder.js";
import { createPalette, flatten, type PalettePicker, type Rgba } from "./palette.js";

export interface GifWriter {
  /** Adds a picture of `box`. The first must cover everything, and contain all colours. */
  writeFrame(pixels: Rgba, box: Box, delayCs: number): void;
  finish(): Uint8Array;
}

export interface GifOptions {
  transparent: boolean;
  /** CSS colour under partly covered pixels of a transparent picture. */
  matte: string;
  width: number;
  height: number;
}

const PLAY_ONCE = -1;
const LEAVE_IN_PLACE = 1;
const CLEAR_RECTANGLE = 2;
/**
 * Size of a frame's graphic control extension, after which its image descriptor begins (GIF89a, sections 20 and 23).
 */
const CONTROL_BYTES = 8;

/**
 * A GIF that plays once. An opaque frame stays under the next, which therefore can be partial; a transparent one is
 * cleared, because its digits would show through.
 */
export function createGifWriter({ transparent, matte, width, height }: GifOptions): GifWriter {
  // Unchanged pixels of an opaque frame are omitted, which produces long runs of one value.
  const shown = new Uint8Array(width * height);
  const gif = encoder.GIFEncoder();
  let colors: PalettePicker | undefined;

  return {
    writeFrame(drawn, box, delayCs) {
      const first = colors === undefined;
      const pixels = transparent ? flatten(drawn, matte) : drawn;
      colors ??= createPalette(pixels);
      const { palette, transparentIndex, toIndexes } = colors;
      const start = gif.bytesView().length;
      const indexes = toIndexes(pixels);
      if (!transparent) keepChanges(indexes, { shown, width, box, transparentIndex, first });
      gif.writeFrame(indexes, box.width, box.height, {
        delay: delayCs * 10,
        repeat: PLAY_ONCE,
        dispose: transparent ? CLEAR_RECTANGLE : LEAVE_IN_PLACE,
        colorDepth: Math.max(2, Math.ceil(Math.log2(palette.length))),
        ...(first ? { palette } : {}),
        ...(transparent || !first ? { transparent: true, transparentIndex } : {}),
      });
      // gifenc puts every frame at 0,0. The position is in the image descriptor, after its separator.
      if (!first) writePosition(gif.bytesView().subarray(start + CONTROL_BYTES + 1), box);
    },
    finish() {
      gif.finish();
      return gif.bytes();
    },
  };
}

interface Canvas {
  shown: Uint8Array;
  width: number;
  box: Box;
  transparentIndex: number;
  first: boolean;
}

/** Makes pixels that are already on screen transparent, and remembers the others. */
function keepChanges(indexes: Uint8Array, { shown, width, box, transparentIndex, first }: Canvas): void {
  for (let row = 0; row < box.height; row++)
    for (let column = 0; column < box.width; column++) {
      const at = row * box.width + column;
      const place = (box.y + row) * width + box.x + column;
      const index = indexes[at] ?? 0;
      if (!first && shown[place] === index) indexes[at] = transparentIndex;
      else shown[place] = index;
    }
}

function writePosition(bytes: Uint8Array, { x, y }: Box): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  view.setUint16(0, x, true);
  view.setUint16(2, y, true);
}
