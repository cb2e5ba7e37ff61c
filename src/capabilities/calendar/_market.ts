/** What the calendars of the stock market share: a window of days, and two providers of which one stands in. */

import type { Source } from "../../capability/output.js";
import { defineProvider, sourceOf } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError, invalid } from "../../errors.js";
import { finnhub } from "../../providers/finnhub/index.js";
import { nasdaq } from "../../providers/nasdaq/index.js";

const GROUP = 5;

/** Both days are part of it. */
export interface Window {
  /** YYYY-MM-DD. */
  from: string;
  to: string;
}

/** Finnhub, with the terms of what may come in its place. */
export const marketProvider = /* @__PURE__ */ defineProvider({
  ...finnhub,
  terms: `${finnhub.terms} While it is down, Nasdaq's calendar stands in unless NASDAQ_FALLBACK is off. ${nasdaq.terms}`,
});

/** Throws INVALID_INPUT for a window that ends before it begins. */
export function checkWindow(window: Window): Window {
  if (window.to < window.from) throw invalid("to", `must not be before from, which is ${window.from}`);
  return window;
}

interface Sources<T> {
  finnhub(): Promise<T>;
  /** Undefined where the window is too wide for it. */
  nasdaq: (() => Promise<T>) | undefined;
}

/** Finnhub's answer, or Nasdaq's while Finnhub is down: not when it refuses the key, or asks for patience. */
export async function readMarket<T>(ctx: Context, sources: Sources<T>): Promise<{ answer: T; source?: Source }> {
  try {
    return { answer: await sources.finnhub() };
  } catch (error) {
    const down = CapabilityError.is(error) && error.status === 502 && error.code !== "PROVIDER_NOT_CONFIGURED";
    if (!down || !sources.nasdaq || ctx.secret("NASDAQ_FALLBACK") === "off") throw error;
    // The first failure says more than the second one.
    const answer = await sources.nasdaq().catch(() => Promise.reject(error));
    return { answer, source: sourceOf(nasdaq) };
  }
}

/** Reads a few at a time, so that a source that is down is not asked for every day of a window. */
export async function readInGroups<Part, T>(parts: Part[], read: (part: Part) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let start = 0; start < parts.length; start += GROUP)
    results.push(...(await Promise.all(parts.slice(start, start + GROUP).map(read))));
  return results;
}
