/** The host's prices: the catalogue's, marked up or overridden, exact in micro-dollars. */

import type { AnyCapability, Context, Facts } from "../../capability/types.js";
import { keepNewest } from "../../lib/bounded.js";
import { exactMicros, fromMicros, type Micros, multiply, toMicros } from "../../lib/money.js";

export interface PricingOptions {
  /**
   * Factor on every catalogue price, rounded up to a millionth of a dollar: 1.2 adds 20 percent. Below 1 it is a
   * discount on fixed prices; prices that follow the cost of the work are never lowered.
   */
  markup?: number;
  /** Fixed prices by capability id, in decimal USD, without markup. */
  overrides?: Record<string, string>;
}

/** Prices from a time on, in epoch milliseconds. */
export interface RuledPrices extends PricingOptions {
  from: number;
}

/** Prices that were set while the host runs, as of a time in epoch milliseconds. */
export interface PriceChanges {
  /** The price set for that time; undefined if the host's options hold. */
  at(id: string, time: number): Micros | undefined;
  /** The prices that replaced those of the options for that time; undefined if the options hold. */
  ruled(time: number): RuledPrices | undefined;
  /** The same as known now: changes that are made later are not in it. */
  known(): Pick<PriceChanges, "at" | "ruled">;
  /**
   * Moments at which a quote that is valid for so long may have been given, by an instance whose clock may differ by
   * three minutes: before the last changes of its price, the youngest first, and after those to come. At most 20.
   */
  momentsAround(of: Pick<AnyCapability, "id" | "composite">, time: number, validMs: number): number[];
}

/** The prices of one moment. What is ordered by them is billed by them, whatever changes meanwhile. */
export interface Prices {
  /** Whether a call costs what it uses: not if the host set its own price, which holds for every input and usage. */
  byUsage(capability: AnyCapability): boolean;
  /** The price of this input. */
  quote(capability: AnyCapability, input: unknown, ctx: Context): Promise<Micros>;
  /** Applies the host's markup to an amount at catalogue prices, rounded up. */
  withMarkup(amount: Micros, capability: Pick<AnyCapability, "price">): Micros;
}

export interface Pricing {
  /** The price that catalogues list. */
  listed(capability: AnyCapability): Facts["price"];
  /** The quote without an input: the fixed price, or the minimum of a dynamic one. */
  atLeast(capability: AnyCapability): Micros;
  /** The prices of now, or of another time (epoch milliseconds). */
  at(time?: number): Prices;
}

const UNCHANGED: PriceChanges = {
  at: () => undefined,
  ruled: () => undefined,
  known: () => UNCHANGED,
  momentsAround: () => [],
};

/** HostRules of the last hour whose prices are kept ready. */
const MAX_BASES = 24;

/** Prices without those that were set one by one. */
interface Base {
  markup: number;
  overrides: ReadonlyMap<string, Micros>;
  minima: WeakMap<AnyCapability, Micros>;
}

function baseOf(options: PricingOptions): Base {
  const markup = options.markup ?? 1;
  if (!(Number.isFinite(markup) && markup > 0)) throw new TypeError("pricing.markup must be a positive number.");
  const overrides = new Map<string, Micros>();
  for (const [id, usd] of Object.entries(options.overrides ?? {})) overrides.set(id, readOverride(id, usd));
  return { markup, overrides, minima: new WeakMap() };
}

function markedUp({ markup }: Base, micros: Micros, { price }: Pick<AnyCapability, "price">): Micros {
  const factor = price.mode === "dynamic" ? Math.max(1, markup) : markup;
  return factor === 1 ? micros : multiply(micros, factor);
}

export function createPricing(
  options: PricingOptions = {},
  { changes = UNCHANGED, now = () => 0 }: { changes?: PriceChanges; now?: () => number } = {},
): Pricing {
  const written = baseOf(options);
  const bases = new Map<number, Base>();
  /** The prices that hold at a time: of the options, or of the rules that replaced them. */
  function base(time: number, { ruled }: Pick<PriceChanges, "ruled"> = changes): Base {
    const rules = ruled(time);
    if (!rules) return written;
    const known = bases.get(rules.from);
    if (known) return known;
    const made = baseOf(rules);
    keepNewest(bases, rules.from, made, MAX_BASES);
    return made;
  }

  return {
    listed(capability) {
      const current = base(now());
      const own = changes.at(capability.id, now()) ?? current.overrides.get(capability.id);
      if (own !== undefined) return { mode: "fixed", usd: fromMicros(own) };
      if (current.markup === 1) return capability.price;
      const usd = (price: string) => fromMicros(markedUp(current, toMicros(price), capability));
      return capability.price.mode === "fixed"
        ? { mode: "fixed", usd: usd(capability.price.usd) }
        : { mode: "dynamic", minUsd: usd(capability.price.minUsd), maxUsd: usd(capability.price.maxUsd) };
    },
    atLeast(capability) {
      const set = changes.at(capability.id, now());
      if (set !== undefined) return set;
      const { minima } = base(now());
      const known = minima.get(capability);
      if (known !== undefined) return known;
      const listed = this.listed(capability);
      const least = toMicros(listed.mode === "fixed" ? listed.usd : listed.minUsd);
      minima.set(capability, least);
      return least;
    },
    at(time = now()) {
      const seen = changes.known();
      const current = base(time, seen);
      const ownPrice = ({ id }: AnyCapability) => seen.at(id, time) ?? current.overrides.get(id);
      return {
        byUsage: (capability) => capability.billing === "upto" && ownPrice(capability) === undefined,
        withMarkup: (amount, capability) => markedUp(current, amount, capability),
        async quote(capability, input, ctx) {
          const own = ownPrice(capability);
          if (own !== undefined) return own;
          // The quote of a composed capability sums this host's prices, so its markup is already included.
          const quoted = await capability.quote(input, ctx);
          return capability.composite ? quoted : markedUp(current, quoted, capability);
        },
      };
    },
  };
}

function readOverride(id: string, usd: string): Micros {
  let micros: Micros;
  try {
    micros = exactMicros(usd);
  } catch (cause) {
    throw new TypeError(
      `pricing.overrides["${id}"] must be a decimal amount in USD such as "0.002", with at most six decimals.`,
      { cause },
    );
  }
  if (micros === 0n)
    throw new TypeError(`pricing.overrides["${id}"] must be above zero; payment: false makes calls free.`);
  return micros;
}
