/**
 * Hashes of typed data (EIP-712). Each payment is hashed once on arrival, so shared parts, the types and the token's
 * domain, are hashed once and cached, and fields are encoded directly.
 */
import { lazy } from "../../../../lib/lazy.js";

type Hash = (bytes: Uint8Array) => Uint8Array;

export const keccak = lazy(async (): Promise<Hash> => (await import("@noble/hashes/sha3.js")).keccak_256);

type Types = Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;

export interface TypedData {
  domain: { name: string; version?: string; chainId: number; verifyingContract: string };
  /**
   * Must be a constant, because hashes of it are cached by identity. Fields are addresses, `uintN`, `bytes32`, texts,
   * structs or lists of structs.
   */
  types: Types;
  primaryType: string;
  /** Addresses and bytes as `0x` and hex, numbers as bigint. */
  message: Readonly<Record<string, unknown>>;
}

/** The digest that a wallet signs, 32 bytes. Rejects if a value does not match its field's type. */
export async function hashTypedData({ domain, types, primaryType, message }: TypedData): Promise<Uint8Array> {
  const hash = await keccak();
  const text = Buffer.alloc(66);
  text.writeUInt16BE(0x1901);
  text.set(separatorOf(domain, hash), 2);
  text.set(hasherOf(types, primaryType, hash)(message), 34);
  return hash(text);
}

/** The separator of a domain, as 0x and hex. */
export async function domainSeparator(domain: TypedData["domain"]): Promise<string> {
  return `0x${Buffer.from(separatorOf(domain, await keccak())).toString("hex")}`;
}

type StructHasher = (message: Readonly<Record<string, unknown>>) => Uint8Array;
const hashers = new WeakMap<Types, Map<string, StructHasher>>();

function hasherOf(types: Types, name: string, hash: Hash): StructHasher {
  const known = hashers.get(types) ?? new Map<string, StructHasher>();
  hashers.set(types, known);
  const hasher = known.get(name) ?? structHasher(types, name, hash);
  known.set(name, hasher);
  return hasher;
}

const DOMAIN_FIELDS = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
];
/** More than the tokens, deposits and permits of any host. */
const MAX_SEPARATORS = 200;
const separators = new Map<string, Uint8Array>();

function separatorOf(domain: TypedData["domain"], hash: Hash): Uint8Array {
  const key = JSON.stringify([domain.name, domain.version, domain.chainId, domain.verifyingContract]);
  const known = separators.get(key);
  if (known) return known;
  const fields = DOMAIN_FIELDS.filter(({ name }) => name in domain);
  const message = { ...domain, chainId: BigInt(domain.chainId) };
  const separator = structHasher({ EIP712Domain: fields }, "EIP712Domain", hash)(message);
  if (separators.size >= MAX_SEPARATORS) separators.clear();
  separators.set(key, separator);
  return separator;
}

function structHasher(types: Types, struct: string, hash: Hash): StructHasher {
  const fields = (types[struct] ?? []).map(({ name, type }) => ({ name, write: writerOf(types, type, hash) }));
  const typeHash = hash(Buffer.from(typeText(types, struct)));
  return (message) => {
    const words = Buffer.alloc(32 * (fields.length + 1));
    words.set(typeHash);
    for (const [i, { name, write }] of fields.entries()) write(words, 32 * (i + 1), message[name]);
    return hash(words);
  };
}

/** `Mail(Person to)Person(address wallet)`: a type followed by its component types, sorted by name. */
function typeText(types: Types, struct: string): string {
  const parts = new Set<string>();
  const visit = (type: string) => {
    const name = type.replace(/\[\]$/, "");
    if (!types[name] || parts.has(name)) return;
    parts.add(name);
    for (const { type } of types[name]) visit(type);
  };
  visit(struct);
  parts.delete(struct);
  const fieldsOf = (name: string) => types[name]?.map(({ type, name }) => `${type} ${name}`).join(",");
  return [struct, ...[...parts].sort()].map((name) => `${name}(${fieldsOf(name)})`).join("");
}

/** Writes a value as a word of 32 bytes into a zeroed buffer. */
type Writer = (words: Buffer, at: number, value: unknown) => void;

function writerOf(types: Types, type: string, hash: Hash): Writer {
  const [, listed = ""] = /^(\w+)\[\]$/.exec(type) ?? [];
  if (types[listed]) {
    const hashStruct = hasherOf(types, listed, hash);
    return (words, at, value) =>
      words.set(hash(Buffer.concat((value as Record<string, unknown>[]).map((one) => hashStruct(one)))), at);
  }
  if (types[type]) {
    const hashStruct = hasherOf(types, type, hash);
    return (words, at, value) => words.set(hashStruct(value as Record<string, unknown>), at);
  }
  if (type === "address") return (words, at, value) => writeHex(words, at + 12, value, 20);
  if (type === "bytes32") return (words, at, value) => writeHex(words, at, value, 32);
  if (type === "string") return (words, at, value) => words.set(hash(Buffer.from(String(value))), at);
  const [, bits] = /^uint(\d+)$/.exec(type) ?? [];
  if (bits === undefined) throw new TypeError(`typed data: fields of type ${type} are not known here`);
  const limit = 2n ** BigInt(bits);
  return (words, at, value) => {
    if (typeof value !== "bigint" || value < 0n || value >= limit) throw new RangeError(`typed data: no ${type}`);
    words.write(value.toString(16).padStart(64, "0"), at, "hex");
  };
}

/** Checks the length, because `write` stops silently at the first invalid hex digit. */
function writeHex(words: Buffer, at: number, value: unknown, bytes: number): void {
  const isWhole = typeof value === "string" && value.length === 2 + 2 * bytes && value.startsWith("0x");
  if (!isWhole || words.write(value.slice(2), at, "hex") !== bytes)
    throw new TypeError(`typed data: not ${bytes} bytes in hex`);
}
