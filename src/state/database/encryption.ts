/**
 * Encryption at rest, AES-256-GCM: what is sealed opens only in its own place, under one of the host's keys, whose id stands
 * in front of it. Names, and what statements search, cannot be sealed; neither are times, sizes and counts.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { CapabilityError } from "../../errors.js";

/** A column of a row, and what names the row there; among all rows of all wallets, where nothing of it is random. */
export type RowKey = readonly [table: string, column: string, ...names: string[]];

/** What is opened although it was not sealed for its place by a key that names itself: as long as there may be such rows. */
export interface Taken {
  /** What was there before a key was. */
  plain: boolean;
  /** What an older release sealed: for its table or queue, without the id of its key. */
  former: boolean;
}

export interface Encryption {
  /** Tells apart databases that are opened with different keys. */
  readonly id: string;
  /** What stands in front of what each key sealed, the one that writes first; none where nothing is sealed. */
  readonly marks: readonly string[];
  /** Of the state of wallets, and of payments that are kept beside it. */
  readonly takes: { wallets: Taken; payments: Taken };
  /** What is here was sealed, and there is no key: nothing may be written in plain beside it. */
  lacksKey: boolean;
  /** What is written in a text's stead. */
  encrypt(rowKey: RowKey, text: string): string;
  /** What was written sealed, or as it is before there was a key. Throws where no key opens it here. */
  decrypt(rowKey: RowKey, written: string): string;
  encryptBytes(rowKey: RowKey, bytes: Buffer): Buffer;
  decryptBytes(rowKey: RowKey, written: Buffer, isPlain: boolean): Buffer;
  /** The mark of the key that sealed this; empty where it is plain, undefined where none is listed that did. */
  markOf(rowKey: RowKey, written: string): string | undefined;
  markOfBytes(rowKey: RowKey, written: Buffer): string | undefined;
  /** Tells texts apart, and says nothing of them without the key; where there is none, they stand for themselves. */
  digest(text: string): string;
}

/** What no key opens. The host is told which option lacks what; nobody else is. */
function unreadable([table]: RowKey, why: string): CapabilityError {
  const error = new CapabilityError("PROVIDER_NOT_CONFIGURED", `${table}: what is kept here ${why}`);
  closed.add(error);
  return error;
}

const closed = new WeakSet<object>();

/** What `open` gives; undefined, and `told` of it, where a text does not open: one row should stop nobody else's. */
export function ifReadable<T>(open: () => T, told: (error: CapabilityError) => void = () => {}): T | undefined {
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
/** So many bytes are eight letters of base64, with nothing left over. */
const ID_BYTES = 6;
/** No JSON begins with them, nor do the few other texts that are sealed: an older release's, and ours. */
export const FORMER = "\u0002";
export const SEALED = "\u0003";
/** The length of a key's mark. */
export const MARK_LENGTH = 9;

interface Key {
  key: Buffer;
  id: Buffer;
  mark: string;
}

function keyOf(key: Buffer): Key {
  const id = Buffer.from(hkdfSync("sha256", key, "", "id", ID_BYTES));
  return { key, id, mark: SEALED + id.toString("base64") };
}

/** The first key writes, all of them read. Without any, texts are written as they are. */
export function createEncryption(given: readonly Buffer[]): Encryption {
  const keys = given.map(keyOf);
  const [current] = keys;
  const digesting = current && Buffer.from(hkdfSync("sha256", current.key, "", "digest", 32));
  const encryption: Encryption = {
    id: createHash("sha256").update(Buffer.concat(given)).digest("hex").slice(0, 16),
    marks: keys.map(({ mark }) => mark),
    takes: { wallets: { plain: true, former: true }, payments: { plain: true, former: true } },
    lacksKey: false,

    encryptBytes(rowKey, bytes) {
      if (encryption.lacksKey) throw unreadable(rowKey, "is sealed, and wallets.encryption is not set");
      if (!current) return bytes;
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, current.key, iv).setAAD(nameOf(rowKey));
      const sealed = [iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat([Buffer.from(SEALED), current.id, ...sealed]);
    },

    decryptBytes(rowKey, written, isPlain) {
      const takes = encryption.takes[rowKey[0] === "records" ? "payments" : "wallets"];
      if (isPlain && (!current || takes.plain)) return written;
      if (isPlain)
        throw unreadable(
          rowKey,
          "stands there in plain, though wallets.encryption is set: it was not written by this host",
        );
      const opened = openNamed(rowKey, written) ?? (takes.former ? openFormer(rowKey, written)?.opened : undefined);
      if (opened) return opened;
      throw unreadable(rowKey, "was sealed for another place, or with a key that is not listed in wallets.encryption");
    },

    encrypt: (rowKey, text) => {
      const sealed = encryption.encryptBytes(rowKey, Buffer.from(text));
      return current ? SEALED + sealed.subarray(1).toString("base64") : text;
    },

    decrypt: (rowKey, written) => encryption.decryptBytes(rowKey, ...bytesOf(written)).toString(),

    markOf(rowKey, written) {
      const [bytes, isPlain] = bytesOf(written);
      return isPlain ? "" : encryption.markOfBytes(rowKey, bytes);
    },
    markOfBytes: (rowKey, written) => keyNamed(written)?.mark ?? openFormer(rowKey, written)?.mark,

    digest: (text) => (digesting ? createHmac("sha256", digesting).update(text).digest("base64url") : text),
  };

  function keyNamed(written: Buffer): Key | undefined {
    const id = written.subarray(1, 1 + ID_BYTES);
    return written[0] === SEALED.charCodeAt(0) ? keys.find((key) => key.id.equals(id)) : undefined;
  }

  function openNamed(rowKey: RowKey, written: Buffer): Buffer | undefined {
    const named = keyNamed(written);
    return named && opening(named.key, nameOf(rowKey), written.subarray(1 + ID_BYTES));
  }

  function openFormer(rowKey: RowKey, written: Buffer): { opened: Buffer; mark: string } | undefined {
    for (const { key, mark } of keys) {
      const opened = opening(key, nameOf(formerOf(rowKey)), written);
      if (opened) return { opened, mark };
    }
    return undefined;
  }

  return encryption;
}

/** A text as the bytes that were sealed, and whether it was not. */
function bytesOf(written: string): [bytes: Buffer, isPlain: boolean] {
  const [first] = written;
  if (first !== SEALED && first !== FORMER) return [Buffer.from(written), true];
  const sealed = Buffer.from(written.slice(1), "base64");
  return [first === FORMER ? sealed : Buffer.concat([Buffer.from(SEALED), sealed]), false];
}

function opening(key: Buffer, name: Buffer, sealed: Buffer): Buffer | undefined {
  if (sealed.byteLength < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES))
    .setAAD(name)
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined; // Another key, or another place.
  }
}

/** Names cannot run into one another. */
const nameOf = (place: readonly string[]): Buffer => Buffer.from(JSON.stringify(place));

/** What an older release sealed for: no column, and of messages their queue alone. */
const formerOf = ([table, _, ...names]: RowKey): string[] => [
  table,
  ...(table === "messages" ? names.slice(0, 2) : names),
];
