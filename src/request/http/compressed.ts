/** Free documents in gzip, for readers that accept it: a catalogue is an eighth of its text. */

/** Shorter texts fit a packet as they are. */
const MIN_CHARACTERS = 1400;
const MAX_KEPT = 32;
/** Larger documents are compressed each time. */
const MAX_KEPT_BYTES = 256 * 1024;

/** Documents by their tags, so that one is compressed once until it changes. The oldest leaves first. */
const kept = new Map<string, Uint8Array>();

/** Whether a reader takes gzip by its name (RFC 9110, 12.5.3). A weight of zero refuses it. */
export function acceptsGzip(header: string | null): boolean {
  const codings = (header ?? "").toLowerCase().split(",");
  return codings.some((coding) => {
    const [name = "", ...parameters] = coding.split(";").map((part) => part.trim());
    return name === "gzip" && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

/** Undefined for a text that is too short to gain. */
export async function gzipped(text: string, tag: string): Promise<Uint8Array | undefined> {
  if (text.length < MIN_CHARACTERS) return undefined;
  const known = kept.get(tag);
  if (known) return known;
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  if (bytes.length > MAX_KEPT_BYTES) return bytes;
  for (const oldest of kept.keys()) {
    if (kept.size < MAX_KEPT) break;
    kept.delete(oldest);
  }
  kept.set(tag, bytes);
  return bytes;
}
