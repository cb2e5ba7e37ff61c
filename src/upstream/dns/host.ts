/** The host's own resolver: that of Node, or where there is none, one over HTTPS (RFC 8484). */
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { within } from "../../lib/abort.js";
import { onWorkers } from "../../lib/packages/platform.js";
import { type Dns, DnsFailure, guardedDns, type RecordType, type Resolve } from "./dns.js";
import { readDnsMessage, writeDnsQuestion } from "./message.js";

const QUERY_MS = 4_000;
/** All questions of a call, below the twenty seconds that RFC 7208 gives: later ones fail. */
const ALL_MS = 15_000;
const OVER_HTTPS = "https://cloudflare-dns.com/dns-query";
const MAX_RECORDS = 100;

type DnsContext = Pick<Context, "outbound" | "fetch" | "signal">;

/** Answers of the host's own function, else of its resolver. */
export function hostDns(ctx: DnsContext): Dns {
  const resolve = ctx.outbound.resolve ?? (onWorkers() ? overHttps(ctx) : bySystem);
  const until = performance.now() + ALL_MS;
  return guardedDns(ctx, async (name, type) => {
    if (performance.now() > until) throw new DnsFailure(name, type);
    try {
      const found = await within(QUERY_MS, () => resolve(name, type), ctx.signal);
      return found.slice(0, MAX_RECORDS);
    } catch (error) {
      if (ctx.signal.aborted || CapabilityError.is(error)) throw error;
      throw new DnsFailure(name, type);
    }
  });
}

/** The name or the record does not exist, or the name could not be one. */
const NOTHING = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"]);

const bySystem: Resolve = async (name, type) => {
  const { Resolver } = await import("node:dns/promises");
  const resolver = new Resolver({ timeout: QUERY_MS / 2, tries: 2 });
  try {
    return await ASK[type](resolver, name);
  } catch (error) {
    if (error instanceof Error && "code" in error && NOTHING.has(String(error.code))) return [];
    throw error;
  }
};

type SystemResolver = import("node:dns/promises").Resolver;

const ASK: Record<RecordType, (resolver: SystemResolver, name: string) => ReturnType<Resolve>> = {
  A: (resolver, name) => resolver.resolve4(name),
  AAAA: (resolver, name) => resolver.resolve6(name),
  PTR: (resolver, name) => resolver.resolvePtr(name),
  TXT: async (resolver, name) => (await resolver.resolveTxt(name)).map((strings) => strings.join("")),
  MX: async (resolver, name) =>
    (await resolver.resolveMx(name)).map(({ priority, exchange }) => ({ preference: priority, host: exchange })),
};

/** Questions are posted: what a caller asks for stands in no address. */
function overHttps(ctx: DnsContext): Resolve {
  return async (name, type) => {
    const answer = await ctx.fetch(OVER_HTTPS, {
      method: "POST",
      headers: { accept: "application/dns-message", "content-type": "application/dns-message" },
      body: writeDnsQuestion(name, type) as Uint8Array<ArrayBuffer>,
      signal: ctx.signal,
    });
    if (!answer.ok) throw new DnsFailure(name, type);
    return readDnsMessage(new Uint8Array(await answer.arrayBuffer()), type);
  };
}
