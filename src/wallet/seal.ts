/**
 * Encryption at rest, AES-256-GCM: what is sealed opens only in its own place, under one of the host's keys. Names, and
 * what statements search, cannot be sealed; neither are times, sizes and counts.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { CapabilityError } from "../errors.js";

/** A row, and what names it there; among all rows of all wallets, where nothing of it is random. */
export type Place = readonly [table: string, ...names: string[]];

export interface Seal {
  /** Tells apart databases that are opened with different keys. */
  readonly id: string;
  /** What is written in a text's stead. */
  close(place: Place, text: string): string;
  /** What was written sealed, or as it is before there was a key. Throws where no key opens it here. */
  open(place: Place, written: string): string;
  closeBytes(place: Place, bytes: Buffer): Buffer;
  /** Of what was sealed for sure. */
  openBytes(place: Place, sealed: Buffer): Buffer;
}

/** What no key opens. The host is told which option lacks what; nobody else is. */
function unreadable([table]: Place, why: string): CapabilityError {
  const error = new CapabilityError("PROVIDER_NOT_CONFIGURED", `${table}: what is kept here ${why}`);
  closed.add(error);
  return error;
}

const closed = new WeakSet<object>();

/** What `open` gives; undefined, and `told` of it, where a text does not open: one row should stop nobody else's. */
export function ifReadable<T>(open: () => T, told: (error: CapabilityError) => void): T | undefined {
  try {
    return open();
  } catch (error) {
    if (!CapabilityError.is(error) || !closed.has(error)) throw error;
    told(error);
    return undefined;
  }
}

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** No JSON begins with it, nor do the few other texts that are sealed. */
const MARK = "\u0002";

/** The first key writes, all of them read. Without any, texts are written as they are. */
export function createSeal(keys: readonly Buffer[]): Seal {
  const [current] = keys;

  function closeBytes(place: Place, bytes: Buffer): Buffer {
    if (!current) return bytes;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, current, iv).setAAD(nameOf(place));
    return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }

  function openBytes(place: Place, sealed: Buffer): Buffer {
    for (const key of keys) {
      const opened = opening(key, place, sealed);
      if (opened) return opened;
    }
    throw unreadable(place, "was sealed for another place, or with a key that is not listed in wallets.encryption");
  }

  return {
    id: createHash("sha256").update(Buffer.concat(keys)).digest("hex").slice(0, 16),
    closeBytes,
    openBytes,
    close: (place, text) => (current ? MARK + closeBytes(place, Buffer.from(text)).toString("base64") : text),
    open: (place, written) =>
      written.startsWith(MARK) ? openBytes(place, Buffer.from(written.slice(1), "base64")).toString() : written,
  };
}

function opening(key: Buffer, place: Place, sealed: Buffer): Buffer | undefined {
  if (sealed.byteLength < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES))
    .setAAD(nameOf(place))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined; // Another key, or another place.
  }
}

/** Names cannot run into one another. */
const nameOf = (place: Place): Buffer => Buffer.from(JSON.stringify(place));
