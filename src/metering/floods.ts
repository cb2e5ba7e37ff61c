/**
 * Bounds what callers who pay nothing cost a process: a bucket of tokens for each address (IPv6: each /64) and one for the
 * network around it (an IPv4 /24, an IPv6 /48). Memory is bounded, and no store is asked.
 */
import { CapabilityError } from "../errors.js";
import { networkOf } from "../lib/network.js";
import type { CallOutcome } from "../payment/events/events.js";
import type { FloodOptions } from "./flood-options.js";

const PER_SECOND = 5;
const BURST = 100;
/** A network has as much as so many of its addresses. */
const NETWORK = 8;
const MAX_TRACKED = 20_000;
const MAX_LAG_MS = 250;

/** The cost of an answer, of one token for being asked. Whoever pays costs nothing. */
const COSTS: Readonly<Record<CallOutcome, number>> = {
  ...{ paid: 0, account: 0, free: 0, replayed: 0, pending: 0 },
  challenged: 1,
  failed: 2,
  refused: 4,
  trial: 6,
};

interface Bucket {
  tokens: number;
  at: number;
}

export interface Floods {
  /**
   * Takes a token of the caller, and says how its call ended. Throws RATE_LIMITED. Whoever claims to pay is refused later
   * than whoever does not: after as much again, since a claim costs more to judge.
   */
  admit(address: string | undefined, claimsToPay: boolean): (outcome: CallOutcome, hasInput: boolean) => void;
  /** The same for a request, by its headers. */
  admitCall(call: FloodCall): ReturnType<Floods["admit"]>;
}

/** A request with what its adapter and its host know. */
export interface FloodCall {
  info: { clientAddress?: string | undefined };
  request: { headers: { has(name: string): boolean } };
  host: { brand: { slug: string }; payments: { edge?: { header: string } } };
}

/** Headers by which a caller may be entitled; whether it is takes more to judge. */
const ENTITLING = ["payment-signature", "x-payment", "authorization", "sign-in-with-x", "cookie"];

function claimsToPay({ host: { brand, payments }, request: { headers } }: FloodCall): boolean {
  const edge = payments.edge ? [payments.edge.header] : [];
  return [...ENTITLING, `x-${brand.slug}-credit`, ...edge].some((name) => headers.has(name));
}

export interface FloodsSources {
  /** Milliseconds by which the event loop is late. */
  lagMs(): number;
  /** Milliseconds of a clock that only goes on. */
  now?: () => number;
}

export function createFloods(
  { perSecond = PER_SECOND, burst = BURST, maxTracked = MAX_TRACKED, maxLagMs = MAX_LAG_MS }: FloodOptions,
  { lagMs, now = () => performance.now() }: FloodsSources,
): Floods {
  const addresses = new Map<string, Bucket>();
  const networks = new Map<string, Bucket>();
  /** Of those who come while every place is taken. */
  const others: Bucket = { tokens: burst * NETWORK, at: now() };

  function bucketOf(buckets: Map<string, Bucket>, key: string, factor: number): Bucket {
    const known = buckets.get(key);
    if (known) return filled(known, factor);
    if (buckets.size >= maxTracked) forget(buckets, factor);
    // guard: floods: a flood of addresses takes no more memory | never | metering/floods
    if (buckets.size >= maxTracked) return filled(others, NETWORK);
    const made = { tokens: burst * factor, at: now() };
    buckets.set(key, made);
    return made;
  }

  function filled(bucket: Bucket, factor: number): Bucket {
    const at = now();
    bucket.tokens = Math.min(burst * factor, bucket.tokens + ((at - bucket.at) / 1000) * perSecond * factor);
    bucket.at = at;
    return bucket;
  }

  /** A bucket that is full says nothing. A few are looked at for each caller who comes. */
  function forget(buckets: Map<string, Bucket>, factor: number): void {
    let looked = 0;
    for (const [key, bucket] of buckets) {
      if (filled(bucket, factor).tokens >= burst * factor) buckets.delete(key);
      looked += 1;
      if (looked >= SWEEP) return;
      // Looked at last, the next time.
      if (buckets.has(key)) {
        buckets.delete(key);
        buckets.set(key, bucket);
      }
    }
  }

  return {
    admitCall(call) {
      return this.admit(call.info.clientAddress, claimsToPay(call));
    },
    admit(address, claimsToPay) {
      // Without addresses all callers would be one.
      if (address === undefined || address === "") return () => {};
      const own = networkOf(address);
      const all = [
        { bucket: bucketOf(addresses, own, 1), factor: 1 },
        { bucket: bucketOf(networks, aroundOf(own), NETWORK), factor: NETWORK },
      ];
      const isLate = lagMs() > maxLagMs;
      for (const { bucket, factor } of all) {
        const least = leastOf(burst * factor, { claimsToPay, isLate });
        // guard: floods: who asks too much for nothing is refused | never | metering/floods
        if (bucket.tokens < least) throw tooMuch((least - bucket.tokens) / (perSecond * factor));
      }
      const take = (tokens: number) => {
        // Below twice its burst it would take minutes to come back.
        for (const { bucket, factor } of all) bucket.tokens = Math.max(-burst * factor, bucket.tokens - tokens);
      };
      take(1);
      return (outcome, hasInput) => take(COSTS[outcome] + (outcome === "challenged" && hasInput ? 1 : 0) - 1);
    },
  };
}

const SWEEP = 64;

/** While a process is late, those are served first who asked for little so far. */
function leastOf(burst: number, { claimsToPay, isLate }: { claimsToPay: boolean; isLate: boolean }): number {
  if (claimsToPay) return 1 - burst;
  return isLate ? burst / 2 : 1;
}

/** The IPv4 /24 or the IPv6 /48 around a caller's own network. */
function aroundOf(own: string): string {
  const [first = "", second = "", third = ""] = own.split(own.includes(":") ? ":" : ".");
  return `${first} ${second} ${third}`;
}

const tooMuch = (seconds: number) =>
  new CapabilityError(
    "RATE_LIMITED",
    "Too many calls that pay nothing come from this address or its network. Paid calls are answered.",
    { retryAfter: Math.max(1, Math.ceil(seconds)), excused: true },
  );
