/** The keys of agents: read from the directories that the host lists, and from no address that a request names. */
import { createHash } from "node:crypto";
import { type CallContext, createContext } from "../../capability/context.js";
import type { Host } from "../../host/host.js";
import { atMost } from "../../lib/abort.js";
import { HOUR_MS, MINUTE_MS } from "../../lib/time.js";
import { fetchOutbound } from "../../upstream/outbound/outbound.js";

const READ_MS = 5000;
const MOST_BYTES = 256 * 1024;
const MOST_KEYS = 100;
/** Keys are read anew after so long, and for an unknown one at most so often. */
const FRESH_MS = HOUR_MS;
const AGAIN_MS = MINUTE_MS;
/** While a directory does not answer, its last keys count for so long. */
const STALE_MS = 24 * HOUR_MS;

interface Key {
  /** Raw bytes of an Ed25519 public key, in base64url. */
  x: string;
  /** Epoch seconds. */
  from: number;
  until: number;
}

interface Known {
  keys: ReadonlyMap<string, Key>;
  at: number;
  askedAt: number;
}

export interface Directories {
  /** The public key with this thumbprint, if the directory lists it now. Never rejects. */
  keyOf(directory: string, keyid: string): Promise<string | undefined>;
}

export function createDirectories(host: Host): Directories {
  const known = new Map<string, Known>();
  const reading = new Map<string, Promise<void>>();

  /** Those who wait for one directory wait for one reading. */
  function refresh(directory: string): Promise<void> {
    const running = reading.get(directory);
    if (running) return running;
    const before = known.get(directory);
    const askedAt = performance.now();
    const done = readKeys(host, directory)
      .then((keys) => void known.set(directory, { keys, at: askedAt, askedAt }))
      .catch((error: unknown) => {
        known.set(directory, { keys: before?.keys ?? new Map(), at: before?.at ?? Number.NEGATIVE_INFINITY, askedAt });
        host.options.logger.warn({ directory, error }, "agents: the keys of a directory cannot be read");
      })
      .finally(() => reading.delete(directory));
    reading.set(directory, done);
    return done;
  }

  return {
    async keyOf(directory, keyid) {
      const now = () => performance.now();
      const before = known.get(directory);
      const isFresh = before !== undefined && now() - before.at < FRESH_MS;
      const mayAsk = before === undefined || now() - before.askedAt >= AGAIN_MS;
      if ((!isFresh || !before?.keys.has(keyid)) && mayAsk) await refresh(directory);
      else await reading.get(directory);
      const { keys, at = Number.NEGATIVE_INFINITY } = known.get(directory) ?? {};
      const key = now() - at < STALE_MS ? keys?.get(keyid) : undefined;
      const seconds = host.now() / 1000;
      return key && key.from <= seconds && seconds < key.until ? key.x : undefined;
    },
  };
}

async function readKeys(host: Host, directory: string): Promise<ReadonlyMap<string, Key>> {
  const ctx: CallContext = createContext(host.options, { timeoutMs: READ_MS, resources: host.resources });
  try {
    const accept = "application/http-message-signatures-directory+json, application/json";
    const read = () => fetchOutbound(ctx, directory, { maxBytes: MOST_BYTES, accept, anyStatus: true });
    const { status, finalUrl, bytes } = await atMost(READ_MS, read);
    if (status !== 200) throw new Error(`The directory was answered with ${status}.`);
    if (finalUrl !== new URL(directory).href) throw new Error("A directory may not lead to another address.");
    return keysIn(JSON.parse(Buffer.from(bytes).toString("utf8")));
  } finally {
    ctx.end();
  }
}

/** By thumbprint, which is computed here: a directory could name a key otherwise. */
function keysIn(document: unknown): ReadonlyMap<string, Key> {
  const list = (document as { keys?: unknown } | null)?.keys;
  if (!Array.isArray(list)) throw new Error("The answer is not a key set.");
  const keys = new Map<string, Key>();
  for (const key of list.slice(0, MOST_KEYS) as Record<string, unknown>[]) {
    const { kty, crv, x, nbf, exp } = key ?? {};
    if (kty !== "OKP" || crv !== "Ed25519" || typeof x !== "string" || !/^[\w-]{43}$/.test(x)) continue;
    const from = typeof nbf === "number" ? seconds(nbf) : 0;
    const until = typeof exp === "number" ? seconds(exp) : Number.POSITIVE_INFINITY;
    keys.set(thumbprintOf(x), { x, from, until });
  }
  return keys;
}

/** Some directories write milliseconds. */
const seconds = (time: number): number => (time > 1e11 ? time / 1000 : time);

/** RFC 7638, of an Ed25519 key (RFC 8037). */
const thumbprintOf = (x: string): string =>
  createHash("sha256")
    .update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");
