/** gifenc's named functions, whichever of its two files a runtime or bundler loads. */
import * as names from "gifenc";

export const encoder: names.Library = names.GIFEncoder
  ? { GIFEncoder: names.GIFEncoder, quantize: names.quantize }
  : names.default;
