/** Adds up the cost of a call's models, and reports it to the meter with the host's margin. */
import type { Context } from "../../capability/types.js";
import { type Attos, attosToMicros, timesFactor } from "../../engines/models/price.js";
import { fromMicros, type Micros } from "../../lib/money.js";
import { type ChatCompletion, costOfCompletion } from "./chat.js";

/** Minimum price of a call in millionths of a dollar, because a settlement has its own cost. */
const LEAST: Micros = 1000n;
const DEFAULT_MARKUP = "1.2";

/** The host's factor on the cost of models. Below 1 every call would lose money, so lower values count as 1. */
export function markupOf(ctx: Context): string {
  const set = ctx.setting("AI_MARKUP");
  if (set === undefined || !/^\d{1,3}(\.\d{1,6})?$/.test(set)) return DEFAULT_MARKUP;
  return Number(set) < 1 ? "1" : set;
}

/** The price for a cost: with the margin, rounded up, and within the bounds of the catalogue. */
export function modelPrice(cost: Attos, { min, max }: { min: Micros; max: Micros }, ctx: Context): Micros {
  const price = attosToMicros(timesFactor(cost, markupOf(ctx)));
  return price < min ? min : price > max ? max : price;
}

/** Reports a cost so far, in place of what was reported before. */
export const reportCost = (cost: Attos, ctx: Context): void => ctx.meter.set(priceText(cost, ctx));

/** Reports what is due if the work breaks off now. */
export const oweCost = (cost: Attos, ctx: Context): void => ctx.meter.owe(priceText(cost, ctx));

function priceText(cost: Attos, ctx: Context): string {
  const used = attosToMicros(timesFactor(cost, markupOf(ctx)));
  return fromMicros(used < LEAST ? LEAST : used);
}

export interface ModelSpending {
  /** Counts a completion of the requested model. */
  add(model: string, completion: ChatCompletion): Promise<void>;
  /** Counts an amount known from another source. */
  addCost(cost: Attos): void;
  /** Reports to the meter. If the cost of a part is unknown, nothing is reported, and the quote counts as used. */
  report(): void;
}

/** The sum of all trackers of a call: one that fails has cost it, too. */
const spent = /* @__PURE__ */ new WeakMap<Context["meter"], Attos>();

export function trackSpending(ctx: Context): ModelSpending {
  let total: Attos = 0n;
  let unknown = false;
  const count = (cost: Attos) => {
    total += cost;
    const all = (spent.get(ctx.meter) ?? 0n) + cost;
    spent.set(ctx.meter, all);
    oweCost(all, ctx);
  };
  return {
    async add(model, completion) {
      const cost = await costOfCompletion(model, completion, ctx);
      if (cost === undefined) unknown = true;
      else count(cost);
    },
    addCost: count,
    report() {
      if (unknown) return;
      ctx.meter.add(priceText(total, ctx));
    },
  };
}
