/** check_host() of RFC 7208: whether an address may send mail for a domain. */
import { type Dns, DnsFailure } from "../../upstream/dns/dns.js";
import { addressBytes } from "./address.js";
import { LookupBudget } from "./budget.js";
import { expandDomain, expandExplanation } from "./macros.js";
import { matchMechanism } from "./mechanisms.js";
import { isSpf, type Mechanism, parseSpf, SpfError, type SpfRecord } from "./record.js";
import { isAskable, type Sender, senderOf, valuesFor } from "./sender.js";

export const isAddress = (text: string): boolean => addressBytes(text) !== undefined;

export type SpfResult = "none" | "neutral" | "pass" | "fail" | "softfail" | "temperror" | "permerror";

export interface SpfStep {
  domain: string;
  term: string;
  /** `match`, `no match`, the result of an included or redirected domain, or what is wrong. */
  outcome: string;
}

export interface SpfVerdict {
  result: SpfResult;
  explanation: string | null;
  mechanism: string | null;
  lookups: number;
  voidLookups: number;
  trace: SpfStep[];
}

export interface SpfQuestion {
  ip: string;
  mailFrom: string;
  helo: string;
  dns: Dns;
  now: Date;
}

interface Found {
  result: SpfResult;
  mechanism?: Mechanism;
  /** Where a failure explains itself. */
  explains?: { domain: string; exp: string };
}

const MAX_DEPTH = 10;
const MAX_TRACE = 200;

export async function checkSpf(question: SpfQuestion): Promise<SpfVerdict> {
  const sender = senderOf(question);
  const check = new SpfCheck(sender, question.dns, question.now);
  const found = isAskable(sender.domain) ? await check.verdict(sender.domain) : { result: "none" as const };
  const explanation = found.explains ? await check.explain(found.explains).catch(() => undefined) : undefined;
  return {
    result: found.result,
    explanation: explanation ?? null,
    mechanism: found.mechanism?.text ?? null,
    lookups: check.budget.lookups,
    voidLookups: check.budget.voidLookups,
    trace: check.trace,
  };
}

class SpfCheck {
  readonly budget = new LookupBudget();
  readonly trace: SpfStep[] = [];

  constructor(
    private readonly sender: Sender,
    private readonly dns: Dns,
    private readonly now: Date,
  ) {}

  /** The result of errors too. */
  async verdict(domain: string): Promise<Found> {
    try {
      return await this.#judge(domain, 0);
    } catch (error) {
      const result = error instanceof SpfError ? error.result : error instanceof DnsFailure ? "temperror" : undefined;
      if (result === undefined) throw error;
      this.#note(domain, "", (error as Error).message);
      return { result };
    }
  }

  /** The text of a failure; undefined if it cannot be had. */
  async explain({ domain, exp }: { domain: string; exp: string }): Promise<string | undefined> {
    const values = this.#values(domain);
    const name = await expandDomain(exp, values);
    const [text, ...more] = isAskable(name) ? await this.dns.ask(name, "TXT") : [];
    if (text === undefined || more.length > 0 || /[^\x20-\x7e]/.test(text)) return undefined;
    return expandExplanation(text, values);
  }

  async #judge(domain: string, depth: number): Promise<Found> {
    if (depth > MAX_DEPTH) throw new SpfError("permerror", `More than ${MAX_DEPTH} records include one another.`);
    const record = await this.#recordOf(domain);
    if (!record) return { result: "none" };
    for (const mechanism of record.mechanisms) {
      if (!(await this.#isMatch(domain, mechanism, depth))) continue;
      const { result } = mechanism;
      const explains = result === "fail" && record.exp !== undefined ? { explains: { domain, exp: record.exp } } : {};
      return { result, mechanism, ...explains };
    }
    return record.redirect === undefined ? { result: "neutral" } : this.#redirect(domain, record.redirect, depth);
  }

  async #recordOf(domain: string): Promise<SpfRecord | undefined> {
    const records = (await this.dns.ask(domain, "TXT")).filter(isSpf);
    if (records.length > 1) throw new SpfError("permerror", `${domain} has ${records.length} SPF records.`);
    return records[0] === undefined ? undefined : parseSpf(records[0]);
  }

  async #redirect(from: string, target: string, depth: number): Promise<Found> {
    this.budget.countLookup();
    const domain = await expandDomain(target, this.#values(from));
    const found: Found = isAskable(domain) ? await this.#judge(domain, depth + 1) : { result: "none" };
    this.#note(from, `redirect=${target}`, found.result);
    if (found.result === "none") throw new SpfError("permerror", `${domain} has no SPF record to redirect to.`);
    return found;
  }

  async #isMatch(domain: string, mechanism: Mechanism, depth: number): Promise<boolean> {
    const { name, text } = mechanism;
    const counts = name !== "all" && name !== "ip4" && name !== "ip6";
    if (counts) this.budget.countLookup();
    if (name === "include") return this.#includes(domain, mechanism, depth);
    const place = { domain, sender: this.sender, values: this.#values(domain), dns: this.dns, budget: this.budget };
    const isMatch = await matchMechanism(mechanism, place);
    this.#note(domain, text, isMatch ? "match" : "no match");
    return isMatch;
  }

  async #includes(domain: string, { text, target = "" }: Mechanism, depth: number): Promise<boolean> {
    const included = await expandDomain(target, this.#values(domain));
    const { result }: Found = isAskable(included) ? await this.#judge(included, depth + 1) : { result: "none" };
    this.#note(domain, text, result);
    if (result === "none") throw new SpfError("permerror", `${included}, which ${domain} includes, has no SPF record.`);
    return result === "pass";
  }

  #values(domain: string) {
    return valuesFor({ domain, sender: this.sender, dns: this.dns, now: this.now });
  }

  #note(domain: string, term: string, outcome: string): void {
    if (this.trace.length < MAX_TRACE) this.trace.push({ domain, term, outcome });
  }
}
