/** Questions to the DNS: one small interface, which the host's resolver, one over HTTPS or a caller's zone answers. */
import type { Context } from "../../capability/types.js";
import { isPublicAddress } from "../outbound/addresses.js";
import { isPrivateName } from "../outbound/allowed-url.js";

export type RecordType = "A" | "AAAA" | "MX" | "PTR" | "TXT";

export interface MxRecord {
  preference: number;
  /** Without a final dot; "" says that the domain takes no mail. */
  host: string;
}

/** A, AAAA, PTR and TXT are texts; the strings of one TXT record are joined without blanks. */
export type DnsAnswer<Type extends RecordType> = (Type extends "MX" ? MxRecord : string)[];

export interface Dns {
  /** Nothing if the name or the record does not exist. Rejects with a DnsFailure if nobody can say. */
  ask<Type extends RecordType>(name: string, type: Type): Promise<DnsAnswer<Type>>;
}

/** No answer in time, or a name server that fails. */
export class DnsFailure extends Error {
  constructor(name: string, type: RecordType) {
    super(`The ${type} records of ${name} could not be asked for.`);
    this.name = "DnsFailure";
  }
}

/** A resolver: the same, for names in lower case that may be asked for. */
export type Resolve = (name: string, type: RecordType) => Promise<(MxRecord | string)[]>;

/**
 * A resolver for names that a caller chose. Names of inner networks are not asked for, and addresses there are left out of
 * answers, so that nobody explores them by this. The same question is asked once.
 */
export function guardedDns({ outbound }: Pick<Context, "outbound">, resolve: Resolve): Dns {
  const asked = new Map<string, Promise<(MxRecord | string)[]>>();
  const isOpen = outbound.allowPrivate === true;
  const ask = async (name: string, type: RecordType) => {
    // guard: names of inner networks are not asked for | gone | spf
    if (!isOpen && isInnerName(name)) return [];
    const found = await resolve(name, type);
    const isAddress = type === "A" || type === "AAAA";
    // guard: addresses of inner networks are no answers of the DNS | always | spf
    return isOpen || !isAddress ? found : found.filter((one) => typeof one === "string" && isPublicAddress(one));
  };
  return {
    async ask<Type extends RecordType>(name: string, type: Type) {
      const plain = name.toLowerCase().replace(/\.$/, "");
      const key = `${type} ${plain}`;
      const answer = asked.get(key) ?? ask(plain, type);
      asked.set(key, answer);
      return (await answer) as DnsAnswer<Type>;
    },
  };
}

/** Reserved by RFC 6761 and RFC 9476, or used in offices: a resolver that answers for them is one of an inner network. */
const UNPUBLISHED = /(?:^|\.)(?:alt|invalid|test|workgroup)$/;

/** Names that no public server answers for, those of inner addresses among them. */
function isInnerName(name: string): boolean {
  if (isPrivateName(name) || UNPUBLISHED.test(name)) return true;
  if (!/\.(?:in-addr|ip6)\.arpa$/.test(name)) return false;
  const labels = name.split(".").slice(0, -2).reverse();
  const isV4 = name.endsWith(".in-addr.arpa");
  const address = isV4 ? labels.join(".") : (labels.join("").match(/.{1,4}/g) ?? []).join(":");
  return !isPublicAddress(address);
}
