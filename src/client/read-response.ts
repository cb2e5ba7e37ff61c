/** Reads the body of an answer up to a limit, so that an endless answer cannot fill the client's memory. */
import { CapabilityError } from "../errors.js";

/** More than a service sends by default, files in a batch included. */
const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;

/** Rejects with UPSTREAM_ERROR above `maxBytes`, and leaves the rest unread. */
export async function readResponse(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Current browsers cannot iterate over a stream.
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    size += value.byteLength;
    // guard: client: an answer is read as far as its limit | gone | client/hostile
    if (size > maxBytes) {
      reader?.cancel().catch(() => {});
      throw new CapabilityError("UPSTREAM_ERROR", `The answer is longer than ${maxBytes} bytes, maxResponseBytes.`);
    }
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

/** Throws a TypeError. */
export function readMaxBytes(maxBytes: number = DEFAULT_MAX_BYTES): number {
  if (!(maxBytes > 0)) throw new TypeError("maxResponseBytes: must be above 0.");
  return maxBytes;
}
