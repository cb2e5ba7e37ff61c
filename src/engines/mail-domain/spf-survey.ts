/** An SPF record judged for itself, whoever sends: its syntax, and what it would ask of the DNS at most. */
import { type Dns, DnsFailure } from "../../upstream/dns/dns.js";
import { MAX_LOOKUPS, MAX_VOID_LOOKUPS } from "../spf/budget.js";
import { isSpf, type Mechanism, parseSpf, type Qualifier, SpfError, type SpfRecord } from "../spf/record.js";
import { isAskable } from "../spf/sender.js";
import type { TagRecord } from "./tags.js";

export interface SpfSurvey extends TagRecord {
  lookups: number;
}

export interface SpfFindings {
  survey: SpfSurvey;
  /** Verdict of the record on all others; undefined if it says nothing. */
  all: Qualifier | undefined;
  usesPtr: boolean;
}

const MAX_DEPTH = 10;
/** No record asks more after it is known to ask too much. */
const MAX_COUNTED = 30;

export async function surveySpf(domain: string, dns: Dns): Promise<SpfFindings> {
  const walk = new Walk(dns);
  try {
    const texts = (await dns.ask(domain, "TXT")).filter(isSpf);
    const [text, ...more] = texts;
    if (text === undefined) return walk.findings(null);
    if (more.length > 0) walk.errors.push(`${domain} has ${texts.length} SPF records.`);
    const record = walk.parse(text, domain);
    if (record) await walk.follow(domain, record, [domain]);
    walk.judgeCounts();
    return walk.findings(text, record && (await walk.allOf(record)), record);
  } catch (error) {
    if (!(error instanceof DnsFailure)) throw error;
    walk.errors.push(error.message);
    return walk.findings(null);
  }
}

class Walk {
  readonly errors: string[] = [];
  #lookups = 0;
  #voids = 0;

  constructor(private readonly dns: Dns) {}

  parse(text: string, domain: string): SpfRecord | undefined {
    try {
      return parseSpf(text);
    } catch (error) {
      if (!(error instanceof SpfError)) throw error;
      this.errors.push(`${domain}: ${error.message}`);
      return undefined;
    }
  }

  async follow(domain: string, { mechanisms, redirect }: SpfRecord, path: string[]): Promise<void> {
    for (const mechanism of mechanisms) {
      if (mechanism.name === "all") return;
      if (mechanism.name !== "ip4" && mechanism.name !== "ip6") await this.#ask(domain, mechanism, path);
    }
    if (redirect === undefined) return;
    this.#lookups++;
    await this.#include(redirect, path, "redirects to");
  }

  async #ask(domain: string, { name, target }: Mechanism, path: string[]): Promise<void> {
    if (++this.#lookups > MAX_COUNTED) return;
    if (name === "include") return this.#include(target ?? "", path, "includes");
    const host = target ?? domain;
    // The values of macros are known when somebody sends.
    if (host.includes("%") || !isAskable(host)) return;
    if (name === "mx" && (await this.dns.ask(host, "MX")).length === 0) this.#voids++;
    if (name === "a" && !(await this.#hasAddress(host))) this.#voids++;
  }

  async #hasAddress(host: string): Promise<boolean> {
    return (await this.dns.ask(host, "A")).length > 0 || (await this.dns.ask(host, "AAAA")).length > 0;
  }

  async #include(target: string, path: string[], how: string): Promise<void> {
    const domain = target.toLowerCase().replace(/\.$/, "");
    if (domain.includes("%")) return;
    if (path.includes(domain)) return void this.errors.push(`${path.at(-1)} ${how} ${domain}, which leads back to it.`);
    if (path.length > MAX_DEPTH || this.#lookups > MAX_COUNTED) return;
    const [text, ...more] = isAskable(domain) ? (await this.dns.ask(domain, "TXT")).filter(isSpf) : [];
    if (text === undefined || more.length > 0)
      return void this.errors.push(
        `${path.at(-1)} ${how} ${domain}, which has ${text === undefined ? "no" : "more than one"} SPF record.`,
      );
    const record = this.parse(text, domain);
    if (record) await this.follow(domain, record, [...path, domain]);
  }

  /** The word on all others, also of the record that this one redirects to. */
  async allOf(record: SpfRecord, depth = 0): Promise<Qualifier | undefined> {
    const all = record.mechanisms.find(({ name }) => name === "all")?.result;
    if (all !== undefined || record.redirect === undefined || depth === MAX_DEPTH || !isAskable(record.redirect))
      return all;
    const [text] = (await this.dns.ask(record.redirect, "TXT")).filter(isSpf);
    const next = text === undefined ? undefined : new Walk(this.dns).parse(text, record.redirect);
    return next && this.allOf(next, depth + 1);
  }

  judgeCounts(): void {
    if (this.#lookups > MAX_LOOKUPS) this.errors.push(`${this.#lookups} terms ask the DNS, and ${MAX_LOOKUPS} may.`);
    if (this.#voids > MAX_VOID_LOOKUPS)
      this.errors.push(`${this.#voids} terms find nothing in the DNS, and ${MAX_VOID_LOOKUPS} may.`);
  }

  findings(text: string | null, all?: Qualifier, record?: SpfRecord): SpfFindings {
    const { errors } = this;
    const present = text !== null;
    const usesPtr = record?.mechanisms.some(({ name }) => name === "ptr") ?? false;
    const survey = { present, valid: present && errors.length === 0, record: text, lookups: this.#lookups, errors };
    return { survey, all, usesPtr };
  }
}
