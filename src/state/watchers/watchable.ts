/** Decides which endpoints may be watched, prices watchers, and calls endpoints. */
import { missing } from "../../capability/define.js";
import type { AnyCapability, Context } from "../../capability/types.js";
import { CapabilityError, invalid } from "../../errors.js";
import { type Micros, toMicros } from "../../lib/money.js";

/** Highest price of a watchable call in USD. */
const MAX_USD = "0.01";
const BASE_USD = "0.05";
const MAX_TOTAL_USD = "50";
/** Polls that the base price covers. */
const FREE_POLLS = 100;
/** Fraction of an endpoint's price: polls need no settlement, and equal ones are shared. */
const POLL_RATE = "0.1";

type Finder = Pick<Context, "find" | "wallets" | "secret" | "setting">;

/** Throws INVALID_INPUT naming `endpoint`. */
export function watchable(ctx: Finder, endpoint: string): AnyCapability {
  const capability = ctx.find(endpoint);
  const objection = capability ? objectionTo(capability, ctx) : "is not an endpoint of this service";
  if (objection || !capability) throw invalid("endpoint", `"${endpoint}" ${objection}`);
  return capability;
}

function objectionTo(capability: AnyCapability, ctx: Finder): string | undefined {
  const { price, billing, shape, wallet, composite, deprecated } = capability;
  if (wallet) return "works on the state of a wallet, which cannot be watched";
  if (composite) return "is made of other calls: watch one of them";
  if (price.mode !== "fixed" || billing !== "exact") return "has no fixed price, and cannot be watched";
  if (toMicros(price.usd) > toMicros(MAX_USD)) return `costs more than ${MAX_USD} USD a call, and cannot be watched`;
  if (shape !== "normalized") return "has a result of its own format, which cannot be watched";
  if (deprecated) return "is about to be removed, and cannot be watched";
  if (missing(capability, ctx).length > 0) return "is not configured here";
  if (ctx.wallets?.watch?.allow?.(capability) === false) return "may not be watched here";
  return undefined;
}

/** Its answer as plain data. Rejects as a call of it does. */
export async function ask(ctx: Context, endpoint: string, params: Record<string, unknown>): Promise<unknown> {
  const result = await ctx.call(watchable(ctx, endpoint), params);
  return JSON.parse(JSON.stringify(result)) as unknown;
}

export interface Watch {
  endpoint: string;
  everySeconds: number;
  expiresInSeconds: number;
}

/** Polls after the first hundred at a tenth of the endpoint's price, in advance. */
export function watchPrice(ctx: Finder, { endpoint, everySeconds, expiresInSeconds }: Watch): Micros {
  const { price } = watchable(ctx, endpoint);
  const list = price.mode === "fixed" ? toMicros(price.usd) : 0n;
  const rate = toMicros(ctx.wallets?.watch?.pollRate ?? POLL_RATE);
  const [every, whole] = [BigInt(everySeconds), toMicros("1")];
  const beyond = BigInt(Math.max(0, expiresInSeconds - FREE_POLLS * everySeconds));
  const total = toMicros(BASE_USD) + dividedUp(beyond * list * rate, every * whole);
  if (total > toMicros(MAX_TOTAL_USD))
    throw invalid("expiresInSeconds", `costs more than ${MAX_TOTAL_USD} USD at this interval: choose a longer one`);
  return total;
}

const dividedUp = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

/** Number of paid polls; the last at the latest at the end of its time. */
export const pollsOf = ({ everySeconds, expiresInSeconds }: Omit<Watch, "endpoint">): number =>
  Math.floor(expiresInSeconds / everySeconds);

/** Refuses a stale answer, because a failed upstream is not a change. */
export function assertFresh(data: unknown): void {
  type Marks = { staleSeconds?: number };
  const { meta, staleSeconds } = data as Marks & { meta?: Marks };
  if ((meta?.staleSeconds ?? staleSeconds) !== undefined)
    throw new CapabilityError("UPSTREAM_ERROR", "The upstream failed, and an outdated answer replaced it.");
}
