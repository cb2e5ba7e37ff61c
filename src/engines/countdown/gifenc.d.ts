/** gifenc has no types of its own. */
declare module "gifenc" {
  export type Palette = [red: number, green: number, blue: number][];

  interface FrameOptions {
    /** The global colour table on the first frame, a local one later. */
    palette?: Palette;
    /** Milliseconds; stored in hundredths of a second. */
    delay?: number;
    /** Read on the first frame: -1 plays once. */
    repeat?: number;
    transparent?: boolean;
    transparentIndex?: number;
    /** 1 leaves the frame in place, 2 clears its rectangle. */
    dispose?: number;
    /** Bits of a palette index. */
    colorDepth?: number;
  }

  interface Encoder {
    writeFrame(indexes: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array<ArrayBuffer>;
    /** The bytes written so far, without a copy. */
    bytesView(): Uint8Array;
  }

  export interface Library {
    GIFEncoder(): Encoder;
    quantize(rgba: Uint8Array | Uint8ClampedArray, maxColors: number, options?: { format?: "rgb565" }): Palette;
  }

  /** Its CommonJS file, which Node loads, has everything in here only; its module file also beside it. */
  const gifenc: Library;
  export default gifenc;
  export const GIFEncoder: Library["GIFEncoder"] | undefined;
  export const quantize: Library["quantize"];
}
