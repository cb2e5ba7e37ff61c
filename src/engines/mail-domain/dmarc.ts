/** The DMARC policy of a domain (RFC 9989, and what RFC 7489 had before it). */
import type { Dns } from "../../upstream/dns/dns.js";
import { registrableOf } from "../domains/public-suffix.js";
import { asObject, findRecord, readAddresses, readTags, type TagRecord } from "./tags.js";

export interface Dmarc extends TagRecord {
  /** The policy that holds for the domain; null without a valid record. */
  policy: "none" | "quarantine" | "reject" | null;
  tags: Record<string, string>;
  /** The domain whose record holds. */
  domain: string | null;
}

type Policy = NonNullable<Dmarc["policy"]>;

const POLICIES = ["none", "quarantine", "reject"];
/** Values of tags, in lower case. */
const VALUES: Record<string, readonly string[]> = {
  p: POLICIES,
  sp: POLICIES,
  np: POLICIES,
  adkim: ["r", "s"],
  aspf: ["r", "s"],
  psd: ["y", "n", "u"],
  t: ["y", "n"],
};
const FAILURE_OPTIONS = ["0", "1", "d", "s"];

export async function readDmarc(domain: string, dns: Dns): Promise<Dmarc> {
  const above = registrableOf(domain);
  const places = above !== undefined && above !== domain ? [domain, above] : [domain];
  const none = { present: false, valid: false, record: null, policy: null, tags: {}, domain: null };
  const errors: string[] = [];
  for (const place of places) {
    const found = await findRecord(dns, `_dmarc.${place}`, "DMARC1");
    errors.push(...found.errors);
    if (found.record !== undefined) return judge(found.record, found.errors, { place, isOwn: place === domain });
    if (found.errors.length > 0) break;
  }
  return { ...none, errors };
}

function judge(record: string, others: string[], { place, isOwn }: { place: string; isOwn: boolean }): Dmarc {
  const { tags, errors: syntax } = readTags(record);
  const errors = [...others, ...syntax, ...wrongValues(tags), ...wrongAddresses(tags)];
  const p = tags.get("p")?.toLowerCase();
  if (p === undefined && !tags.has("rua")) errors.push("p is missing.");
  const valid = errors.length === 0;
  // A record that only asks for reports has the policy none.
  const own = (p ?? "none") as Policy;
  const policy = isOwn ? own : ((tags.get("sp")?.toLowerCase() ?? own) as Policy);
  return { present: true, valid, record, policy: valid ? policy : null, tags: lowered(tags), domain: place, errors };
}

function wrongValues(tags: Map<string, string>): string[] {
  const errors = [...tags].flatMap(([name, value]) => {
    const allowed = Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;
    return !allowed || allowed.includes(value.toLowerCase()) ? [] : [`${name} must be ${allowed.join(", ")}.`];
  });
  const options = tags.get("fo")?.toLowerCase().split(":") ?? [];
  const isWrong = options.some((option) => !FAILURE_OPTIONS.includes(option.trim()));
  return isWrong ? [...errors, `fo must be made of ${FAILURE_OPTIONS.join(", ")} with colons between.`] : errors;
}

const wrongAddresses = (tags: Map<string, string>): string[] =>
  ["rua", "ruf"].flatMap((tag) => {
    const value = tags.get(tag);
    return value === undefined ? [] : readAddresses(tag, value).errors;
  });

/** Words of the standard are compared without regard to case. */
const lowered = (tags: Map<string, string>): Record<string, string> =>
  asObject(
    new Map([...tags].map(([name, value]) => [name, Object.hasOwn(VALUES, name) ? value.toLowerCase() : value])),
  );
