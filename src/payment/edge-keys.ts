/** Reads the keys of an edge: bounded in time and size, and for a while the last ones where they cannot be read anew. */
import { atMost } from "../lib/abort.js";
import { readLimited } from "../lib/http/read-limited.js";
import { HOUR_MS } from "../lib/time.js";

const READ_MS = 5000;
const MOST_BYTES = 256 * 1024;

type FetchKeys = (url: string, init: RequestInit) => Promise<Response>;

/**
 * A fetch for the key set of one address. Whoever waits for it waits for all, so it ends even if the given one ignores its
 * signal.
 */
export function createFetchKeys(fetch: typeof globalThis.fetch): FetchKeys {
  let last: { keys: string; at: number } | undefined;

  async function read(url: string, init: RequestInit): Promise<string> {
    const response = await fetch(url, init);
    const bytes = await readLimited(response.body as AsyncIterable<Uint8Array> | null, MOST_BYTES);
    if (response.status !== 200) throw new Error(`The keys at ${url} were answered with ${response.status}.`);
    const keys = new TextDecoder().decode(bytes);
    if (!Array.isArray((JSON.parse(keys) as { keys?: unknown } | null)?.keys))
      throw new Error(`The answer at ${url} is not a key set.`);
    return keys;
  }

  return async (url, init) => {
    try {
      const keys = await atMost(READ_MS, () => read(url, init));
      last = { keys, at: performance.now() };
    } catch (error) {
      if (!last || performance.now() - last.at > HOUR_MS) throw error;
    }
    return new Response(last.keys);
  };
}
