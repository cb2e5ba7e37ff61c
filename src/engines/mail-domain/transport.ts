/** Records on how mail is brought to a domain, and on its logo: MTA-STS, TLS-RPT, BIMI and MX. */
import { type Dns, DnsFailure, type MxRecord } from "../../upstream/dns/dns.js";
import { findRecord, readAddresses, readTags, type TagRecord } from "./tags.js";

export interface MtaSts extends TagRecord {
  id: string | null;
}
export interface TlsReporting extends TagRecord {
  rua: string[];
}
export interface Bimi extends TagRecord {
  location: string | null;
  authority: string | null;
}

type Read<More> = (tags: Map<string, string>) => { more: More; errors: string[] };

async function readRecord<More>(dns: Dns, name: string, version: string, read: Read<More>): Promise<TagRecord & More> {
  const { record, errors: others } = await findRecord(dns, name, version);
  const { tags, errors: syntax } = readTags(record ?? "");
  const { more, errors: wrong } = read(tags);
  const errors = record === undefined ? others : [...others, ...syntax, ...wrong];
  const present = record !== undefined;
  return { present, valid: present && errors.length === 0, record: record ?? null, ...more, errors };
}

/** The policy itself is a file of the domain's site, which is not fetched. */
export const readMtaSts = (domain: string, dns: Dns): Promise<MtaSts> =>
  readRecord(dns, `_mta-sts.${domain}`, "STSv1", (tags) => {
    const id = tags.get("id") ?? null;
    const isRight = id !== null && /^[a-z0-9]{1,32}$/i.test(id);
    return { more: { id }, errors: isRight ? [] : ["id must be 1 to 32 letters and digits."] };
  });

export const readTlsReporting = (domain: string, dns: Dns): Promise<TlsReporting> =>
  readRecord(dns, `_smtp._tls.${domain}`, "TLSRPTv1", (tags) => {
    const value = tags.get("rua");
    if (value === undefined) return { more: { rua: [] }, errors: ["rua is missing."] };
    const { addresses, errors } = readAddresses("rua", value);
    return { more: { rua: addresses }, errors };
  });

export const readBimi = (domain: string, dns: Dns): Promise<Bimi> =>
  readRecord(dns, `default._bimi.${domain}`, "BIMI1", (tags) => {
    const [location = "", authority = ""] = [tags.get("l"), tags.get("a")];
    const wrong = (name: string, value: string) =>
      value !== "" && !/^https:\/\/[^\s/]+\/\S+$/i.test(value) ? [`${name} must be an https: address.`] : [];
    const missing = tags.has("l") ? [] : ["l, the address of the logo, is missing."];
    return {
      more: { location: location || null, authority: authority || null },
      errors: [...missing, ...wrong("l", location), ...wrong("a", authority)],
    };
  });

/** By preference; undefined if nobody can say. A host "" says that the domain takes no mail. */
export async function readMx(domain: string, dns: Dns): Promise<MxRecord[] | undefined> {
  try {
    const records = await dns.ask(domain, "MX");
    return [...records].sort((a, b) => a.preference - b.preference || (a.host < b.host ? -1 : 1));
  } catch (error) {
    if (error instanceof DnsFailure) return undefined;
    throw error;
  }
}
