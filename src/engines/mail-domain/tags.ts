/** Records of the form `v=DMARC1; p=none`: DMARC, DKIM, MTA-STS, TLS-RPT and BIMI share it. */
import { type Dns, DnsFailure } from "../../upstream/dns/dns.js";

/** Facts that each of these records tells of itself. */
export interface TagRecord {
  present: boolean;
  valid: boolean;
  record: string | null;
  errors: string[];
}

export interface Tags {
  /** In the order of the record; names in lower case. */
  tags: Map<string, string>;
  errors: string[];
}

export function readTags(record: string): Tags {
  const tags = new Map<string, string>();
  const errors: string[] = [];
  for (const part of record.split(";")) {
    const text = part.trim();
    const equals = text.indexOf("=");
    if (text === "") continue;
    const name = text.slice(0, equals).trim().toLowerCase();
    if (equals < 1 || !/^[a-z][a-z0-9_-]*$/.test(name)) errors.push(`${shown(text)} is not a tag with a value.`);
    else if (tags.has(name)) errors.push(`The tag ${name} stands twice.`);
    else tags.set(name, text.slice(equals + 1).trim());
  }
  return { tags, errors };
}

/** A part of a record in a message. */
const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

export const asObject = (tags: Map<string, string>): Record<string, string> => Object.fromEntries(tags);

/** The one record of a version at a name, or what is wrong with what stands there. */
export async function findRecord(
  dns: Dns,
  name: string,
  version: string,
): Promise<{ record: string | undefined; errors: string[] }> {
  const isOfVersion = new RegExp(`^v[ \\t]*=[ \\t]*${version}[ \\t]*(?:;|$)`, "i");
  try {
    const texts = await dns.ask(name, "TXT");
    const [record, ...more] = texts.filter((text) => isOfVersion.test(text));
    if (more.length > 0) return { record, errors: [`${name} has ${more.length + 1} records of ${version}.`] };
    const near = texts.find((text) => isOfVersion.test(text.trim()));
    const errors = record === undefined && near !== undefined ? [`The record at ${name} begins with a blank.`] : [];
    return { record, errors };
  } catch (error) {
    if (!(error instanceof DnsFailure)) throw error;
    return { record: undefined, errors: [error.message] };
  }
}

/** `mailto:` and `https:` addresses, with a bound of size after `!`; the errors of those that are none. */
export function readAddresses(tag: string, value: string): { addresses: string[]; errors: string[] } {
  const addresses = value.split(",").map((address) => address.trim());
  const isRight = (address: string) =>
    /^mailto:[^\s@,;!]+@[^\s@,;!]+\.[^\s@,;!]+(?:!\d+[kmgt]?)?$/i.test(address) ||
    /^https:\/\/[^\s,;/]+\S*$/i.test(address);
  const wrong = addresses.filter((address) => !isRight(address));
  return {
    addresses,
    errors: wrong.map((address) => `${tag}: ${shown(address)} is neither a mailto: nor an https: address.`),
  };
}
