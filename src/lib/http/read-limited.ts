/** Thrown as soon as a body exceeds its limit. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
}

/** The bytes of a body; rejects with BodyTooLargeError above `maxBytes`, and leaves the rest unread. */
export async function readLimited(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    // guard: bodies are read up to the cap | > maxBytes -> > maxBytes * 100 | order
    if (size > maxBytes) throw new BodyTooLargeError(`The body is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

/** The same as text in UTF-8. */
export const readLimitedText = async (body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<string> =>
  Buffer.from(await readLimited(body, maxBytes)).toString("utf8");
