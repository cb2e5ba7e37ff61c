/** The terms of an SPF record (RFC 7208 section 12). */
import { versionOf } from "./address.js";
import { isDomainSpec, isMacroString } from "./macros.js";

export type Qualifier = "pass" | "fail" | "softfail" | "neutral";
export type MechanismName = "all" | "include" | "a" | "mx" | "ptr" | "ip4" | "ip6" | "exists";

export interface Mechanism {
  /** As it stands in the record. */
  text: string;
  name: MechanismName;
  result: Qualifier;
  /** The domain with its macros, or the address; undefined for the domain that is judged. */
  target: string | undefined;
  /** Leading bits that count, of IPv4 and of IPv6. */
  bits: { v4: number; v6: number };
}

export interface SpfRecord {
  mechanisms: Mechanism[];
  redirect: string | undefined;
  exp: string | undefined;
}

/** A record that breaks the rules: it means permerror. */
export class SpfError extends Error {
  constructor(
    readonly result: "permerror" | "temperror",
    message: string,
  ) {
    super(message);
    this.name = "SpfError";
  }
}

const broken = (message: string) => new SpfError("permerror", message);
const QUALIFIERS: Record<string, Qualifier> = { "+": "pass", "-": "fail", "~": "softfail", "?": "neutral" };
const BITS = /^(?:\/(0|[1-9]\d{0,2}))?(?:\/\/(0|[1-9]\d{0,2}))?$/;
const MODIFIER = /^([a-z][a-z0-9_.-]*)=(.*)$/i;
const MECHANISM = /^([+\-~?]?)([a-z][a-z0-9_.-]*)([:/].*)?$/i;

export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);

/** Throws an SpfError at the first term that breaks the rules. */
export function parseSpf(text: string): SpfRecord {
  if (/[^\x20-\x7e]/.test(text)) throw broken("The record has a character that is not printable ASCII.");
  const record: SpfRecord = { mechanisms: [], redirect: undefined, exp: undefined };
  for (const term of text.split(" ").slice(1)) {
    if (term === "") continue;
    const [, name, value = ""] = MODIFIER.exec(term) ?? [];
    if (name === undefined) record.mechanisms.push(readMechanism(term));
    else readModifier(record, name.toLowerCase(), value);
  }
  return record;
}

function readModifier(record: SpfRecord, name: string, value: string): void {
  if (name !== "redirect" && name !== "exp") {
    if (!isMacroString(value)) throw broken(`${name}= has a macro that is not written right.`);
    return;
  }
  if (record[name] !== undefined) throw broken(`${name}= stands twice.`);
  if (!isDomainSpec(value)) throw broken(`${name}= needs a domain, and has ${value === "" ? "none" : value}.`);
  record[name] = value;
}

function readMechanism(text: string): Mechanism {
  const [, sign = "", written = "", rest = ""] = MECHANISM.exec(text) ?? [];
  const result = QUALIFIERS[sign] ?? "pass";
  const name = written.toLowerCase();
  const base = { text, result, target: undefined, bits: { v4: 32, v6: 128 } };
  if (name === "all") {
    if (rest !== "") throw broken(`${text}: all takes nothing.`);
    return { ...base, name };
  }
  if (name === "ip4" || name === "ip6") return { ...base, name, ...readNetwork(text, name, rest) };
  if (name === "a" || name === "mx") return { ...base, name, ...readHosts(text, rest) };
  if (name !== "include" && name !== "exists" && name !== "ptr") throw broken(`${text} is not a mechanism.`);
  if (rest === "" && name === "ptr") return { ...base, name };
  if (!rest.startsWith(":") || !isDomainSpec(rest.slice(1))) throw broken(`${text} needs a domain after a colon.`);
  return { ...base, name, target: rest.slice(1) };
}

function readNetwork(text: string, name: "ip4" | "ip6", rest: string) {
  const version = name === "ip4" ? 4 : 6;
  const [, address = "", bits] = /^:([^/]*)(?:\/(0|[1-9]\d{0,2}))?$/.exec(rest) ?? [];
  const most = version === 4 ? 32 : 128;
  if (versionOf(address) !== version) throw broken(`${text} needs an IPv${version} address.`);
  const length = bits === undefined ? most : Number(bits);
  if (length > most) throw broken(`${text}: there are ${most} bits.`);
  return { target: address, bits: { v4: length, v6: length } };
}

/** `a`, `a:host`, `a/24`, `a:host/24//64`. */
function readHosts(text: string, rest: string) {
  const [, host, length = ""] = rest.startsWith(":")
    ? (/^:(.*?)((?:\/\d+)?(?:\/\/\d+)?)$/.exec(rest) ?? [])
    : ["", undefined, rest];
  const [matched, v4 = "32", v6 = "128"] = BITS.exec(length) ?? [];
  if (matched === undefined || Number(v4) > 32 || Number(v6) > 128)
    throw broken(`${text} has a length of bits that is not right.`);
  if (host !== undefined && !isDomainSpec(host)) throw broken(`${text} needs a domain after the colon.`);
  return { target: host, bits: { v4: Number(v4), v6: Number(v6) } };
}
