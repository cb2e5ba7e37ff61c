/** Mechanisms of SPF that match by address (RFC 7208 section 5). */
import type { Dns } from "../../upstream/dns/dns.js";
import { addressBytes, isWithin, sixteenBytes } from "./address.js";
import type { LookupBudget } from "./budget.js";
import { expandDomain, type MacroValues } from "./macros.js";
import { type Mechanism, SpfError } from "./record.js";
import { isAskable, type Sender, validatedNames } from "./sender.js";

interface Place {
  /** Whose record it is. */
  domain: string;
  sender: Sender;
  values: MacroValues;
  dns: Dns;
  budget: LookupBudget;
}

const MAX_MAIL_HOSTS = 10;

/** Throws an SpfError or a DnsFailure. */
export async function matchMechanism(mechanism: Mechanism, place: Place): Promise<boolean> {
  const { name, target, bits } = mechanism;
  if (name === "all") return true;
  if (name === "ip4") return isIn(place.sender, target ?? "", bits.v4);
  if (name === "ip6") return isWithin(place.sender.ip, sixteenBytes(target ?? "::"), bits.v6);
  const host = target === undefined ? place.domain : await expandDomain(target, place.values);
  if (!isAskable(host)) return false;
  if (name === "exists") return counted(await place.dns.ask(host, "A"), place.budget).length > 0;
  if (name === "ptr") return hasNameBelow(host, place);
  const hosts = name === "mx" ? await mailHosts(host, place) : [host];
  const addresses = (await Promise.all(hosts.map((one) => addressesOf(one, place)))).flat();
  if (hosts.length > 0) counted(addresses, place.budget);
  const length = place.sender.ip.length === 4 ? bits.v4 : bits.v6;
  return addresses.some((address) => isIn(place.sender, address, length));
}

function isIn({ ip }: Sender, network: string, bits: number): boolean {
  const bytes = addressBytes(network);
  return bytes !== undefined && isWithin(ip, bytes, bits);
}

/** Of the family of the sender. */
const addressesOf = async (host: string, { dns, sender }: Place): Promise<string[]> =>
  isAskable(host) ? dns.ask(host, sender.ip.length === 4 ? "A" : "AAAA") : [];

async function mailHosts(domain: string, { dns, budget }: Place): Promise<string[]> {
  const hosts = counted(await dns.ask(domain, "MX"), budget).map(({ host }) => host);
  if (hosts.length > MAX_MAIL_HOSTS)
    throw new SpfError("permerror", `${domain} has more than ${MAX_MAIL_HOSTS} mail servers.`);
  return hosts.filter((host) => host !== "");
}

async function hasNameBelow(domain: string, { sender, dns, budget }: Place): Promise<boolean> {
  const { names, isVoid } = await validatedNames(sender, dns);
  if (isVoid) budget.countVoid();
  const end = domain.toLowerCase().replace(/\.$/, "");
  return names.some((name) => name.toLowerCase() === end || name.toLowerCase().endsWith(`.${end}`));
}

function counted<T>(answer: T[], budget: LookupBudget): T[] {
  if (answer.length === 0) budget.countVoid();
  return answer;
}
