/** zxing-cpp, compiled to WebAssembly, which is read from disk. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { ReaderOptions, ReadResult } from "zxing-wasm/reader";
import { without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import type { Pixels } from "../pictures/decode.js";

const library = /* @__PURE__ */ lazy(async () => {
  const zxing = await import("zxing-wasm/reader").catch(without("zxing-wasm"));
  const require = createRequire(import.meta.url ?? join(process.cwd(), "bundle.cjs"));
  // The library would fetch the file from a network.
  const file = readFileSync(require.resolve("zxing-wasm/reader/zxing_reader.wasm"));
  zxing.prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(file).buffer } });
  return zxing;
});

/** The codes whose checks are right. */
export async function readCodes({ data, width, height }: Pixels, options: ReaderOptions): Promise<ReadResult[]> {
  const { readBarcodes } = await library();
  const results = await readBarcodes({ data, width, height, colorSpace: "srgb" } as ImageData, options);
  return results.filter(({ isValid }) => isValid);
}
