/** What the models of one call cost, added up and told to the meter with the host's margin. */
import type { Context } from "../../capability/types.js";
import { type Attos, attosToMicros, timesFactor } from "../../engines/models/price.js";
import { fromMicros, type Micros } from "../../lib/money.js";
import { type ChatCompletion, costOfCompletion } from "./chat.js";

/** No call costs less, in millionths of a dollar: a settlement has its own price. */
const LEAST: Micros = 1000n;
const DEFAULT_MARKUP = "1.2";

/** The host's factor on what models cost. Below 1 every call would lose money, so that less is read as 1. */
export function markupOf(ctx: Context): string {
  const set = ctx.setting("AI_MARKUP");
  if (set === undefined || !/^\d{1,3}(\.\d{1,6})?$/.test(set)) return DEFAULT_MARKUP;
  return Number(set) < 1 ? "1" : set;
}

/** A cost as a price: with the margin, rounded up, and within the bounds of the catalogue. */
export function priceOf(cost: Attos, { min, max }: { min: Micros; max: Micros }, ctx: Context): Micros {
  const price = attosToMicros(timesFactor(cost, markupOf(ctx)));
  return price < min ? min : price > max ? max : price;
}

export interface Spending {
  /** Counts a completion of the model that was asked for. */
  add(model: string, completion: ChatCompletion): Promise<void>;
  /** Counts an amount that is known otherwise. */
  addCost(cost: Attos): void;
  /** Tells the meter. Where the cost of a part is not known nothing is told, and the quote is what was used. */
  report(): void;
}

export function trackSpending(ctx: Context): Spending {
  let total: Attos = 0n;
  let unknown = false;
  return {
    async add(model, completion) {
      const cost = await costOfCompletion(model, completion, ctx);
      if (cost === undefined) unknown = true;
      else total += cost;
    },
    addCost(cost) {
      total += cost;
    },
    report() {
      if (unknown) return;
      const used = attosToMicros(timesFactor(total, markupOf(ctx)));
      ctx.meter.add(fromMicros(used < LEAST ? LEAST : used));
    },
  };
}
