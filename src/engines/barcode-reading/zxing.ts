/** zxing-cpp, compiled to WebAssembly, which is read from disk. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReaderOptions, ReadResult } from "zxing-wasm/reader";
import { without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { requireFrom } from "../../lib/packages/require.js";
import type { Pixels } from "../pictures/decode.js";

type Library = typeof import("zxing-wasm/reader");
type Picture = Extract<Parameters<Library["readBarcodes"]>[0], { colorSpace: unknown }>;

/** Whether WebAssembly stopped: its declarations are those of browsers. */
const isTrap = (error: unknown): boolean => error instanceof Error && error.name === "RuntimeError";

const library = /* @__PURE__ */ lazy(async () => {
  const zxing = await import("zxing-wasm/reader").catch(without("zxing-wasm"));
  prepare(zxing);
  return zxing;
});

/** Gives the library its file from disk: it would fetch it from a network. */
function prepare(zxing: Library): void {
  const require = requireFrom(import.meta.url ?? join(process.cwd(), "bundle.cjs"));
  const file = readFileSync(require.resolve("zxing-wasm/reader/zxing_reader.wasm"));
  zxing.prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(file).buffer } });
}

/**
 * The codes whose checks are right. A picture that makes the library fail has none, and the library is loaded anew: its
 * memory may hold anything then, and the next picture is somebody else's.
 */
export async function readCodes({ data, width, height }: Pixels, options: ReaderOptions): Promise<ReadResult[]> {
  const zxing = await library();
  try {
    const results = await zxing.readBarcodes({ data, width, height, colorSpace: "srgb" } as Picture, options);
    return results.filter(({ isValid }) => isValid);
  } catch (error) {
    // guard: pictures: a barcode reader that fails is loaded anew | always | barcode-reading
    if (!isTrap(error)) throw error;
    zxing.purgeZXingModule();
    prepare(zxing);
    return [];
  }
}
