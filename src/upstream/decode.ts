/** Decodes an upstream's bytes. */

import type { Provider } from "../capability/provider.js";
import { CapabilityError } from "../errors.js";
import { lazy } from "../lib/lazy.js";
import type { UpstreamResponse } from "./exchange.js";

const csv = lazy(() => import("csv-parse/sync"));
const xml = lazy(() => import("../lib/xml/values.js"));

/**
 * `table` is JSON or CSV, as the answer declares, because some services ignore the requested format. `list` is JSON,
 * where an empty body stands for an empty list.
 */
export type UpstreamFormat = "json" | "list" | "csv" | "table" | "xml" | "text" | "bytes";

/** Rejects with UPSTREAM_ERROR if the body is not of the format: an error page, a truncated or an empty answer. */
export async function decode(answer: UpstreamResponse, format: UpstreamFormat, provider: Provider): Promise<unknown> {
  if (format === "bytes") return answer.bytes;
  const text = new TextDecoder("utf-8").decode(answer.bytes).replace(/^\uFEFF/, "");
  if (format === "text") return text;
  try {
    if (format === "list" && text.trim() === "") return [];
    if (format === "json" || format === "list") return JSON.parse(text);
    if (format === "table") return /csv/.test(answer.contentType) ? await parseCsv(text) : JSON.parse(text);
    if (format === "csv") return await parseCsv(text);
    return (await xml()).xmlValues(text);
  } catch (cause) {
    throw new CapabilityError("UPSTREAM_ERROR", `The answer of ${provider.name} could not be read.`, { cause });
  }
}

/** Rows by column name, every cell as text. A row that lacks cells was cut off, so its last cell may be wrong, too. */
async function parseCsv(text: string): Promise<unknown> {
  if (/^\s*[<[{]/.test(text)) throw new Error("a page or JSON instead of CSV");
  const { parse } = await csv();
  return parse(text, { columns: true, skip_empty_lines: true, relax_column_count_more: true, trim: true });
}
