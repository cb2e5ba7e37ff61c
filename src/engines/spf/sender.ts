/** Who sends, and what macros tell of it. */
import type { Dns } from "../../upstream/dns/dns.js";
import { readDomain } from "../domains/domain-name.js";
import { addressBytes, dotted, reverseName, written } from "./address.js";
import type { MacroValues } from "./macros.js";

export interface Sender {
  ip: Uint8Array;
  local: string;
  domain: string;
  helo: string;
}

const MAX_NAMES = 10;

/** Without an address of an envelope, the name of the greeting counts as postmaster's. */
export function senderOf({ ip, mailFrom, helo }: { ip: string; mailFrom: string; helo: string }): Sender {
  const at = mailFrom.lastIndexOf("@");
  const domain = mailFrom === "" ? helo : mailFrom.slice(at + 1);
  const local = at > 0 ? mailFrom.slice(0, at) : "postmaster";
  return { ip: addressBytes(ip) ?? new Uint8Array(4), local, domain: inAscii(domain), helo };
}

/** Letters beyond ASCII are written as DNS has them. */
function inAscii(domain: string): string {
  const name = /[^\0-\x7f]/.test(domain) ? readDomain(domain) : domain;
  return (typeof name === "string" ? domain : name.ascii).replace(/\.$/, "");
}

/** Whether the DNS can have a name, of two labels at least. */
export function isAskable(name: string): boolean {
  const labels = name.split(".");
  return name.length <= 253 && labels.length > 1 && labels.every((label) => label.length > 0 && label.length < 64);
}

interface Place {
  domain: string;
  sender: Sender;
  dns: Dns;
  now: Date;
}

export function valuesFor({ domain, sender, dns, now }: Place): MacroValues {
  const { ip, local, helo } = sender;
  const values: Record<string, () => string | Promise<string>> = {
    s: () => `${local}@${sender.domain}`,
    l: () => local,
    o: () => sender.domain,
    d: () => domain,
    i: () => dotted(ip),
    p: () => hostName(domain, sender, dns),
    v: () => (ip.length === 4 ? "in-addr" : "ip6"),
    h: () => helo,
    c: () => written(ip),
    r: () => "unknown",
    t: () => String(Math.floor(now.getTime() / 1000)),
  };
  return { of: async (letter) => values[letter]?.() ?? "" };
}

/** The host names of an address that lead back to it: at most ten are tried. */
export async function validatedNames({ ip }: Sender, dns: Dns): Promise<{ names: string[]; isVoid: boolean }> {
  const names = await dns.ask(reverseName(ip), "PTR").catch(() => undefined);
  const valid: string[] = [];
  for (const name of names?.slice(0, MAX_NAMES) ?? []) {
    const addresses = await dns.ask(name, ip.length === 4 ? "A" : "AAAA").catch(() => []);
    if (addresses.some((address) => isSame(address, ip))) valid.push(name);
  }
  return { names: valid, isVoid: names?.length === 0 };
}

const isSame = (address: string, ip: Uint8Array): boolean =>
  Buffer.compare(addressBytes(address) ?? new Uint8Array(), ip) === 0;

/** The domain itself before names below it, and these before others. */
async function hostName(domain: string, sender: Sender, dns: Dns): Promise<string> {
  const { names } = await validatedNames(sender, dns);
  const ends = (name: string, end: string) => name.toLowerCase().endsWith(end.toLowerCase());
  return (
    names.find((name) => name.length === domain.length && ends(name, domain)) ??
    names.find((name) => ends(name, `.${domain}`)) ??
    names[0] ??
    "unknown"
  );
}
