/** Finds codes in a picture and reads them. */
import type { ReaderOptions, ReadResult } from "zxing-wasm/reader";
import { decodePicture, type Pixels } from "../pictures/decode.js";
import { readHarder } from "./attempts.js";
import { type ReadBarcode, rowOf } from "./row.js";
import { readCodes } from "./zxing.js";

export interface BarcodeQuestion {
  bytes: Uint8Array;
  field: string;
  formats: string[];
  limit: number;
  year: number;
}

export async function readBarcodesOf({ bytes, field, formats, limit, year }: BarcodeQuestion): Promise<ReadBarcode[]> {
  const options = { formats, maxNumberOfSymbols: limit, textMode: "Plain" } as ReaderOptions;
  const white = await decodePicture(bytes, field, "white");
  const found = await readHarder(white, options);
  // Light codes on no ground are meant for dark paper.
  const results = found.length > 0 ? found : await onBlack({ bytes, field }, white, options);
  return results.slice(0, limit).map((result) => rowOf(result, { formats, year }));
}

async function onBlack(
  { bytes, field }: Pick<BarcodeQuestion, "bytes" | "field">,
  white: Pixels,
  options: ReaderOptions,
): Promise<ReadResult[]> {
  const black = await decodePicture(bytes, field, "black");
  const isOpaque = Buffer.compare(asBuffer(white), asBuffer(black)) === 0;
  return isOpaque ? [] : readCodes(black, options);
}

const asBuffer = ({ data }: Pixels): Buffer => Buffer.from(data.buffer, data.byteOffset, data.byteLength);
