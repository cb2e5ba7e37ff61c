/** A zone that a caller gives: names with their records, in place of the DNS. */
import { type Dns, type DnsAnswer, DnsFailure, type MxRecord, type RecordType } from "./dns.js";

export interface ZoneRecord {
  type: string;
  value?: string | (string | number)[] | null | undefined;
}

/** Names in any case, with or without a final dot. A record of type TIMEOUT lets all questions fail that those before it do not answer. */
export type Zone = Record<string, ZoneRecord[]>;

const MAX_ALIASES = 10;
const plain = (name: string): string => name.toLowerCase().replace(/\.$/, "");

export function zoneDns(zone: Zone): Dns {
  const names = new Map<string, ZoneRecord[]>();
  for (const [name, records] of Object.entries(zone)) {
    const key = plain(name);
    names.set(key, [...(names.get(key) ?? []), ...records]);
  }
  return {
    async ask<Type extends RecordType>(name: string, type: Type) {
      const seen = new Set<string>();
      for (let at: string | undefined = plain(name); at !== undefined && seen.size <= MAX_ALIASES; ) {
        if (seen.has(at)) return [];
        seen.add(at);
        const records: ZoneRecord[] = names.get(at) ?? [];
        const found = recordsOf(at, records, type);
        if (found.length > 0) return found as DnsAnswer<Type>;
        at = aliasIn(records);
      }
      return [];
    },
  };
}

const aliasIn = (records: ZoneRecord[]): string | undefined => {
  const target = records.find(({ type }) => type === "CNAME")?.value;
  return typeof target === "string" ? plain(target) : undefined;
};

function recordsOf(name: string, records: ZoneRecord[], type: RecordType): (MxRecord | string)[] {
  // Records of the type SPF, which RFC 7208 no longer asks for, count as TXT where a name has none.
  const kind = type === "TXT" && !records.some((record) => record.type === "TXT") ? "SPF" : type;
  const end = records.findIndex(
    (record) => record.type === "TIMEOUT" || (record.type === kind && record.value === "TIMEOUT"),
  );
  const answers = (end < 0 ? records : records.slice(0, end)).filter((record) => record.type === kind);
  const found = answers.flatMap(({ value }): (MxRecord | string)[] => {
    if (value === undefined || value === null || value === "NONE") return [];
    return type === "MX" ? readMx(value) : [readText(value, type)];
  });
  if (end >= 0 && found.length === 0) throw new DnsFailure(name, type);
  return found;
}

function readText(value: string | (string | number)[], type: RecordType): string {
  const text = Array.isArray(value) ? value.join("") : value;
  return type === "PTR" ? plain(text) : text;
}

/** `[10, "mx.example.com"]`, or the same as text. */
function readMx(value: string | (string | number)[]): MxRecord[] {
  const [preference, host] = Array.isArray(value) ? value : value.trim().split(/\s+/);
  const number = Number(preference);
  if (!Number.isInteger(number) || number < 0 || number > 65_535) return [];
  return [{ preference: number, host: plain(String(host ?? "")) }];
}
