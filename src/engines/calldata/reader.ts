/**
 * Reads ABI data as contracts do: offsets may leave gaps, share bytes or end without padding; values must fit their
 * types.
 */
import type { AbiParameter } from "viem";

/**
 * Limit for one call: lists whose elements all refer to the same bytes could be endless. Contracts are bounded by gas.
 */
const MAX_VALUES = 10_000;
const MAX_BYTES = 500_000;

/** Why data does not match a type; never shown. */
class Misfit extends Error {}

export interface AbiType {
  /** In the form of signatures: tuples are lists in brackets. */
  name: string;
  /** Whether its place contains an offset. */
  isDynamic: boolean;
  /** Its bytes in place: 32 for a dynamic type. */
  size: number;
  /** Reads it at a position; a dynamic one at its offset. */
  read(data: AbiData, at: number): unknown;
}

export class AbiData {
  /** End of the last value with its padding, in the order of encoders. */
  end = 0;
  /** The first byte after everything that was read. */
  furthest = 0;
  /** Whether everything is where encoders put it. */
  isCanonical = true;
  #values = 0;
  #bytes = 0;

  constructor(readonly bytes: Uint8Array) {}

  count(values: number, bytes = 0): void {
    this.#values += values;
    this.#bytes += bytes;
    // guard: lists that share their bytes are not read for ever | gone | decode
    if (this.#values > MAX_VALUES || this.#bytes > MAX_BYTES) throw new Misfit("too much to read");
  }

  /** A part of the data, which must be complete. */
  part(at: number, length: number): Uint8Array {
    if (at + length > this.bytes.length) throw new Misfit("the data ends before");
    this.furthest = Math.max(this.furthest, at + length);
    return this.bytes.subarray(at, at + length);
  }

  word = (at: number): bigint => toBigInt(this.part(at, 32));

  /** An offset or a length, which must not exceed the data. */
  lengthAt(at: number): number {
    const word = this.word(at);
    if (word > BigInt(this.bytes.length)) throw new Misfit("leads behind the end");
    return Number(word);
  }

  /** Padding is not part of a value: contracts ignore it, and it may be missing. */
  padding(at: number, length: number): void {
    const there = this.bytes.subarray(at, at + length);
    if (there.length < length || there.some((byte) => byte !== 0)) this.isCanonical = false;
    this.furthest = Math.max(this.furthest, at + there.length);
  }
}

/** Consecutive elements; offsets of dynamic ones count from the first. */
export function readFrame(data: AbiData, at: number, elements: readonly AbiType[], size: number): unknown[] {
  data.part(at, size);
  let [place, end] = [at, at + size];
  const values = elements.map((element) => {
    data.count(1);
    let position = place;
    if (element.isDynamic) {
      position = at + data.lengthAt(place);
      if (position !== end) data.isCanonical = false;
    }
    const value = element.read(data, position);
    if (element.isDynamic) end = data.end;
    place += element.size;
    return value;
  });
  data.end = end;
  return values;
}

/** Throws for types that Solidity does not have. */
export function abiType(param: AbiParameter, checksum: (address: string) => string): AbiType {
  const [, inner, count] = /^(.*)\[(\d*)\]$/.exec(param.type) ?? [];
  if (inner !== undefined) return listOf(abiType({ ...param, type: inner }, checksum), count);
  if (param.type === "tuple" && "components" in param)
    return tupleOf(param.components.map((part) => abiType(part, checksum)));
  if (param.type === "bytes" || param.type === "string") return bytesOf(param.type);
  return { name: param.type, isDynamic: false, size: 32, read: valueReader(param.type, checksum) };
}

function tupleOf(parts: readonly AbiType[]): AbiType {
  const isDynamic = parts.some((part) => part.isDynamic);
  const size = totalSize(parts);
  const name = `(${parts.map((part) => part.name).join(",")})`;
  return { name, isDynamic, size: isDynamic ? 32 : size, read: (data, at) => readFrame(data, at, parts, size) };
}

export const totalSize = (parts: readonly AbiType[]): number => parts.reduce((sum, { size }) => sum + size, 0);

function listOf(element: AbiType, count = ""): AbiType {
  const name = `${element.name}[${count}]`;
  const readElements = (data: AbiData, at: number, length: number) => {
    // Checked before the list is created, because its length comes from the caller.
    data.part(at, length * element.size);
    return readFrame(data, at, Array<AbiType>(length).fill(element), length * element.size);
  };
  if (count === "")
    return {
      name,
      isDynamic: true,
      size: 32,
      read: (data, at) => readElements(data, at + 32, data.lengthAt(at)),
    };
  const length = Number(count);
  const { isDynamic } = element;
  return {
    name,
    isDynamic,
    size: isDynamic ? 32 : length * element.size,
    read: (data, at) => readElements(data, at, length),
  };
}

/** Keeps a byte order mark; invalid UTF-8 becomes U+FFFD. */
const toText = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

const bytesOf = (type: "bytes" | "string"): AbiType => ({
  name: type,
  isDynamic: true,
  size: 32,
  read(data, at) {
    const length = data.lengthAt(at);
    const value = data.part(at + 32, length);
    data.count(0, length);
    const padded = Math.ceil(length / 32) * 32;
    data.padding(at + 32 + length, padded - length);
    data.end = at + 32 + padded;
    return type === "bytes" ? toHex(value) : toText(value);
  },
});

/** A word, whose unused bits must match the type, because contracts refuse others. */
function valueReader(type: string, checksum: (address: string) => string): AbiType["read"] {
  if (type === "address")
    return (data, at) => checksum(`0x${unsigned(data.word(at), 160).toString(16).padStart(40, "0")}`);
  if (type === "bool") return (data, at) => unsigned(data.word(at), 1) === 1n;
  const [, kind, digits] = /^(u?int|bytes)(\d+)$/.exec(type === "function" ? "bytes24" : type) ?? [];
  const size = Number(digits);
  if (kind === "uint") return (data, at) => String(unsigned(data.word(at), size));
  if (kind === "int") return (data, at) => String(signed(data.word(at), size));
  if (kind === "bytes")
    return (data, at) => {
      const word = data.part(at, 32);
      if (word.subarray(size).some((byte) => byte !== 0)) throw new Misfit("too many bytes");
      return toHex(word.subarray(0, size));
    };
  throw new Misfit("no type of Solidity");
}

function unsigned(word: bigint, bits: number): bigint {
  if (word >> BigInt(bits)) throw new Misfit("too large");
  return word;
}

function signed(word: bigint, bits: number): bigint {
  const value = BigInt.asIntN(256, word);
  if (BigInt.asIntN(bits, value) !== value) throw new Misfit("too large");
  return value;
}

const toHex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString("hex")}`;
const toBigInt = (bytes: Uint8Array): bigint => BigInt(toHex(bytes));
