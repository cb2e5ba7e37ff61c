/**
 * Encryption at rest, AES-256-GCM: a ciphertext decrypts only in its own row and column, with one of the host's keys,
 * whose id is in front of it. Names and searchable content cannot be encrypted; times, sizes and counts are not either.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { CapabilityError } from "../../errors.js";

/** A column of a row, and the names of the row: unique among all rows of all wallets, unless one of them is random. */
export type RowKey = readonly [table: string, column: string, ...names: string[]];

/** Legacy formats that are still accepted, as long as such rows may exist. */
export interface Taken {
  /** Plain rows written before there was a key. */
  plain: boolean;
  /** Ciphertexts of an older release: bound to table or queue only, without a key id. */
  former: boolean;
}

export interface Encryption {
  /** Identifies the keys, since databases with different keys must not be shared. */
  readonly id: string;
  /** The marks of all keys, the writing key's first; empty without encryption. */
  readonly marks: readonly string[];
  /** Legacy formats of the state of wallets, and of payments kept beside it. */
  readonly takes: { wallets: Taken; payments: Taken };
  /** True if the data was encrypted and no key is given: nothing may be written in plain text beside it. */
  lacksKey: boolean;
  /** The text to store. */
  encrypt(rowKey: RowKey, text: string): string;
  /** The content of a stored text, encrypted or from before there was a key. Throws if no key decrypts it here. */
  decrypt(rowKey: RowKey, written: string): string;
  encryptBytes(rowKey: RowKey, bytes: Buffer): Buffer;
  decryptBytes(rowKey: RowKey, written: Buffer, isPlain: boolean): Buffer;
  /** The mark of the key that encrypted this; empty if it is plain, undefined if that key is not listed. */
  markOf(rowKey: RowKey, written: string): string | undefined;
  markOfBytes(rowKey: RowKey, written: Buffer): string | undefined;
  /** A keyed digest that compares texts without revealing them; without a key it is the text itself. */
  digest(text: string): string;
}

/** Error for undecryptable data. Only the host is told which option lacks which key. */
function unreadable([table]: RowKey, why: string): CapabilityError {
  // guard: wallets: a lost key is the host's matter | PROVIDER_NOT_CONFIGURED -> INTERNAL | encryption
  const error = new CapabilityError("PROVIDER_NOT_CONFIGURED", `${table}: the data stored here ${why}`);
  closed.add(error);
  return error;
}

const closed = new WeakSet<object>();

/**
 * The result of `open`; undefined for an undecryptable text, which is passed to `told`, because one row should not stop
 * the others.
 */
export function ifReadable<T>(open: () => T, told: (error: CapabilityError) => void = () => {}): T | undefined {
  try {
    return open();
  } catch (error) {
    // guard: wallets: a row that does not open stops nobody else's | always | set-aside
    if (!CapabilityError.is(error) || !closed.has(error)) throw error;
    told(error);
    return undefined;
  }
}

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** This number of bytes is exactly eight letters of base64. */
const ID_BYTES = 6;
/**
 * No JSON begins with these characters, nor do the other encrypted texts: marks of an older release, and of this one.
 */
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

/** The first key encrypts, all decrypt. Without keys, texts are stored as they are. */
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
      // guard: wallets: who lacks the key writes nothing beside what is sealed | gone | encryption
      if (encryption.lacksKey) throw unreadable(rowKey, "is sealed, and wallets.encryption is not set");
      if (!current) return bytes;
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, current.key, iv).setAAD(nameOf(rowKey));
      const sealed = [iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat([Buffer.from(SEALED), current.id, ...sealed]);
    },

    decryptBytes(rowKey, written, isPlain) {
      const takes = encryption.takes[rowKey[0] === "records" ? "payments" : "wallets"];
      // guard: wallets: nothing plain is opened beside what is sealed | - && (!current || takes.plain) | encryption
      if (isPlain && (!current || takes.plain)) return written;
      if (isPlain)
        throw unreadable(
          rowKey,
          "stands there in plain, though wallets.encryption is set: it was not written by this host",
        );
      // guard: wallets: what an older release sealed is taken until it is sealed anew | always | encryption
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

/** A ciphertext as bytes, and whether the text was plain. */
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
    return undefined; // Another key, or another row key.
  }
}

/** JSON, so that names cannot run into one another. */
const nameOf = (place: readonly string[]): Buffer => Buffer.from(JSON.stringify(place));

/** Row key of an older release: without the column, and for messages only their queue. */
const formerOf = ([table, _, ...names]: RowKey): string[] => [
  table,
  ...(table === "messages" ? names.slice(0, 2) : names),
];
