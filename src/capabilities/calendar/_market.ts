/** Shared by the stock market calendars: a range of days, and a second provider. */
import type { Source } from "../../capability/output.js";
import { type Provider, sourceOf } from "../../capability/provider.js";
import type { Context, Settings } from "../../capability/types.js";
import type { DayRange } from "../../engines/holidays/days.js";
import { invalid } from "../../errors.js";
import { finnhub } from "../../providers/finnhub/provider.js";
import { nasdaq } from "../../providers/nasdaq/provider.js";
import { failover } from "../../upstream/failover.js";

/** Finnhub, and its substitute. */
export const marketOrigins = (host: Settings): readonly Provider[] =>
  takesNasdaq(host) ? [finnhub, nasdaq] : [finnhub];

const takesNasdaq = ({ setting }: Settings) => setting("NASDAQ_FALLBACK") !== "off";

/** Throws INVALID_INPUT for a range that ends before it begins. */
export function checkWindow(window: DayRange): DayRange {
  if (window.to < window.from) throw invalid("to", `must not be before from, which is ${window.from}`);
  return window;
}

interface Sources<T> {
  finnhub(): Promise<T>;
  /** Undefined if the range is too long for it. */
  nasdaq: (() => Promise<T>) | undefined;
}

/** Finnhub's answer, or Nasdaq's while Finnhub is down, unless the host excludes Nasdaq. */
export async function readMarket<T>(ctx: Context, sources: Sources<T>): Promise<{ answer: T; source?: Source }> {
  const instead = takesNasdaq(ctx) ? sources.nasdaq : undefined;
  return failover<{ answer: T; source?: Source }>(
    async () => ({ answer: await sources.finnhub() }),
    instead && (async () => ({ answer: await instead(), source: sourceOf(nasdaq) })),
  );
}
