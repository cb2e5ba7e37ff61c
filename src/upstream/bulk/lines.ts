/** A longer line means that the file is not a text list. */
const MAX_LINE = 64 * 1024;

/** The lines of a stream of UTF-8 text, without their ends. Rejects if one is longer than 64 K characters. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE) throw new Error("a line that does not end");
    for (const line of lines) yield line.replace(/\r$/, "");
  }
  if (rest) yield rest;
}
