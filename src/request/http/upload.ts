/**
 * Reads bodies of requests that nobody has paid for yet: within a time, and within a room in memory that their networks
 * share. An upload that never ends would hold its bytes for as long as its sender likes.
 */
import { CapabilityError } from "../../errors.js";
import { createRoom, type Room } from "../../lib/room.js";

const MIB = 2 ** 20;
/** Of all bodies that are being read, and of those of one network. */
const MAX_BYTES = 96 * MIB;
const MAX_OF_NETWORK = 32 * MIB;
/** Longest silence, and the slowest pace of a body on the whole. */
const SILENCE_MS = 10_000;
const START_MS = 20_000;
const BYTES_A_MS = 16;

export interface UploadLimits {
  maxBytes: number;
  /** Unset for callers whose address is not known: they have no bound of their own. */
  network: string | undefined;
}

export interface Uploads {
  /**
   * The bytes of a body. Rejects with PAYLOAD_TOO_LARGE, with INVALID_INPUT (408) for a body that is too slow, and with
   * OVERLOADED if its network, or all together, hold too much already.
   */
  read(body: ReadableStream<Uint8Array> | null, limits: UploadLimits): Promise<Uint8Array>;
}

export interface UploadsOptions {
  room?: Room;
  silenceMs?: number;
  startMs?: number;
}

export function createUploads({
  room = createRoom({ most: MAX_BYTES, mostOfOne: MAX_OF_NETWORK }),
  silenceMs = SILENCE_MS,
  startMs = START_MS,
}: UploadsOptions = {}): Uploads {
  return {
    async read(body, { maxBytes, network }) {
      if (!body) return new Uint8Array();
      const reader = body.getReader();
      const from = performance.now();
      let ended: CapabilityError | undefined;
      let onEnd = (_: CapabilityError) => {};
      const end = (error: CapabilityError) => {
        ended = error;
        onEnd(error);
      };
      /** The next chunk; undefined after the last. */
      const next = () =>
        new Promise<Uint8Array | undefined>((resolve, reject) => {
          onEnd = reject;
          if (ended) reject(ended);
          reader.read().then(
            ({ value }) => resolve(value),
            (cause: unknown) => reject(brokenOff(cause)),
          );
        });
      const share = room.enter(network, () => end(crowded()));
      const read = createChunks();
      let timer: NodeJS.Timeout | undefined;
      try {
        for (;;) {
          const leftMs = from + startMs + read.size / BYTES_A_MS - performance.now();
          // guard: uploads: a silent one ends | Math.min(silenceMs, leftMs) -> leftMs | uploads
          timer = setTimeout(() => end(tooSlow()), Math.min(silenceMs, leftMs));
          const chunk = await next();
          clearTimeout(timer);
          if (!chunk) return read.bytes();
          if (read.size + chunk.byteLength > maxBytes) throw tooLarge(maxBytes);
          share.grow(read.add(chunk));
        }
      } catch (error) {
        // The rest stays unread.
        reader.cancel().catch(() => {});
        throw error;
      } finally {
        clearTimeout(timer);
        share.leave();
      }
    },
  };
}

/** Chunks in one buffer: a chunk of a byte takes a hundred times as much by itself. */
function createChunks() {
  let kept = new Uint8Array();
  let size = 0;
  return {
    get size() {
      return size;
    },
    /** Returns how many bytes more it holds. */
    add(chunk: Uint8Array): number {
      const before = kept.byteLength;
      if (size === 0) kept = chunk as typeof kept;
      else {
        if (size + chunk.byteLength > kept.byteLength || before === size) {
          const larger = new Uint8Array(Math.max(size + chunk.byteLength, 2 * before));
          larger.set(kept.subarray(0, size));
          kept = larger;
        }
        kept.set(chunk, size);
      }
      size += chunk.byteLength;
      return kept.byteLength - before;
    },
    bytes: () => kept.subarray(0, size),
  };
}

export const tooLarge = (maxBytes: number) =>
  new CapabilityError("PAYLOAD_TOO_LARGE", `The body is larger than ${maxBytes} bytes, the limit of this service.`);

const tooSlow = () =>
  new CapabilityError("INVALID_INPUT", "The body did not arrive in time; send it again by a faster connection.", {
    status: 408,
  });

/** Its sender has left, so that nobody reads this answer. */
const brokenOff = (cause: unknown) =>
  new CapabilityError("INVALID_INPUT", "The body broke off before its end.", { cause });

const crowded = () =>
  new CapabilityError("OVERLOADED", "Too many large requests arrive at once; send it again shortly.", {
    excused: true,
    retryAfter: 5,
  });
