/** Reads a body up to a size limit and decodes its content codings (RFC 9110 section 8.4). */
import { type Readable, Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { BodyTooLargeError } from "../lib/http/read-limited.js";

interface ReadOptions {
  /** As in the header: the coding applied last comes last. */
  codings: readonly string[];
  /** For the bytes on the wire, after each coding, and for the result. */
  maxBytes: number;
  signal: AbortSignal;
}

const MAX_CODINGS = 3;

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** The codings in a Content-Encoding header. Throws if there are more than three. */
export function readCodings(header = ""): string[] {
  const codings = header
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim());
  const applied = codings.filter((coding) => coding !== "" && coding !== "identity");
  if (applied.length > MAX_CODINGS) throw new Error(`The body has ${applied.length} content codings.`);
  return applied;
}

/**
 * The decoded bytes. Each stage has the limit, because a small bomb inside a bomb would otherwise unfold between two
 * decoders. `body` is destroyed if the limit is exceeded, a coding is unknown or invalid, or the signal aborts.
 */
export async function readBody(body: Readable, { codings, maxBytes, signal }: ReadOptions): Promise<Uint8Array> {
  const decoding = codings.toReversed().flatMap((coding) => [byteLimit(maxBytes), decoderOf(coding)]);
  const collected = new ByteCollector(maxBytes);
  await pipeline([body, ...decoding, collected], { signal });
  return collected.bytes();
}

/**
 * One buffer of the size limit, whose pages the system allocates as they are written. A list of chunks would take a
 * hundred times its size for a body that arrives byte by byte, a growing buffer twice.
 */
class ByteCollector extends Writable {
  readonly #buffer: Uint8Array;
  #size = 0;

  constructor(maxBytes: number) {
    super();
    this.#buffer = new Uint8Array(maxBytes);
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    if (this.#size + chunk.length > this.#buffer.length) {
      done(new BodyTooLargeError());
      return;
    }
    this.#buffer.set(chunk, this.#size);
    this.#size += chunk.length;
    done();
  }

  bytes(): Uint8Array {
    return this.#buffer.slice(0, this.#size);
  }
}

function byteLimit(maxBytes: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) done(new BodyTooLargeError());
      else done(null, chunk);
    },
  });
}

function decoderOf(coding: string): Transform {
  const create = DECODERS.get(coding);
  if (!create) throw new Error("The body has an unknown content coding.");
  return create();
}
