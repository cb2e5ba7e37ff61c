/**
 * Rates of tokens that are not dollars: asked of the host once a minute, told to all instances by the store before the
 * first offer has one, and left out when they are too old.
 */
import { z } from "zod";
import { atMost } from "../../lib/abort.js";
import { once } from "../../lib/lazy.js";
import type { Logger } from "../../lib/logger.js";
import type { Micros } from "../../lib/money.js";
import { HOUR_MS, MINUTE_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import { update } from "../../stores/update.js";

const REFRESH_MS = MINUTE_MS;
const ASK_MS = 5000;
/** A rate that could not be refreshed for so long prices nothing any more. */
const STALE_MS = 10 * MINUTE_MS;
/** Quotes at a former rate are honoured so long, as those at a former price. */
const FORMER_MS = HOUR_MS;
const MOST_FORMER = 200;
/** Payments at an unknown rate make a process read the store at most so often. */
const READ_EVERY_MS = 1000;
const RATE = /^\d{1,12}(?:\.\d{1,18})?$/;
const MICRO_DIGITS = 6;

/** Dollars for a token, as decimal text such as "1.0832". */
export type AskRate = () => string | Promise<string>;

const quoted = once(() => z.array(z.object({ rate: z.string(), at: z.number() })));
type Quoted = z.infer<ReturnType<typeof quoted>>;

export interface Rate {
  /** The units of a price now, rounded up; undefined while none is fresh. */
  units(price: Micros): bigint | undefined;
  /** Whether so many units are a price at the rate of now, or at one of the last hour on any instance. */
  isPrice(units: bigint, price: Micros): Promise<boolean>;
  /** The worth of units now, rounded down. Throws while none is fresh. */
  worth(units: bigint): Micros;
}

export interface Rates {
  /** The rate of a token. */
  of(token: { network: string; address: string; decimals: number; ask: AskRate }): Rate;
  /** Grows with each change of a rate. */
  readonly revision: number;
  /** Asks anew where that is due. Resolves at once where a fresh rate is known, else with the first answer. Never rejects. */
  refresh(): Promise<void> | undefined;
}

export interface RatesOptions {
  store: Store;
  /** Names the host: others may use the same store. */
  host: string;
  logger: Logger;
  now: () => number;
}

interface Known {
  rate: string;
  at: number;
}

/** `price * 10^decimals / rate`, rounded up. */
export function unitsAt(rate: string, price: Micros, decimals: number): bigint {
  const { digits, scale } = parsed(rate);
  const divisor = digits * 10n ** BigInt(MICRO_DIGITS);
  // guard: rates: an amount is rounded up | - + divisor - 1n | rated-assets
  return (price * 10n ** BigInt(decimals + scale) + divisor - 1n) / divisor;
}

function worthAt(rate: string, units: bigint, decimals: number): Micros {
  const { digits, scale } = parsed(rate);
  return (units * digits * 10n ** BigInt(MICRO_DIGITS)) / 10n ** BigInt(decimals + scale);
}

function parsed(rate: string): { digits: bigint; scale: number } {
  const [whole = "", fraction = ""] = rate.split(".");
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

function assertRate(rate: unknown): string {
  if (typeof rate === "string" && RATE.test(rate) && parsed(rate).digits > 0n) return rate;
  throw new TypeError('a rate must be dollars for a token as text above 0, such as "1.0832"');
}

export function createRates({ store, host, logger, now }: RatesOptions): Rates {
  let revision = 0;
  const refreshers: (() => Promise<void> | undefined)[] = [];

  function of({ network, address, decimals, ask }: Parameters<Rates["of"]>[0]): Rate {
    const key = `rates:${host}:${network}:${address.toLowerCase()}`;
    let current: Known | undefined;
    let former: Quoted = [];
    let askedAt = Number.NEGATIVE_INFINITY;
    let asking: Promise<void> | undefined;
    let readAt = Number.NEGATIVE_INFINITY;
    let isTold = false;

    // guard: rates: an old rate prices nothing | at <= -> at <= 100 * | rated-assets
    const fresh = () => (current && now() - current.at <= STALE_MS ? current.rate : undefined);

    async function renew(): Promise<void> {
      const rate = assertRate(await atMost(ASK_MS, async () => ask()));
      const at = now();
      // Stored first, so that another instance knows it when its offers come back.
      former = await update(store, { key, ttlMs: FORMER_MS + STALE_MS }, (found) => {
        const before = found === undefined ? [] : quoted().parse(JSON.parse(found));
        const others = before.filter((one) => one.rate !== rate && one.at > at - FORMER_MS - STALE_MS);
        const all = [...others, { rate, at }].slice(-MOST_FORMER);
        return { value: JSON.stringify(all), result: all };
      });
      if (current?.rate !== rate || isTold) revision++;
      current = { rate, at };
      isTold = false;
    }

    function failed(error: unknown): void {
      if (fresh() !== undefined || isTold) return;
      isTold = true;
      revision++;
      logger.error(
        { network, asset: address, error },
        `payment.assets["${network}"].rate: no fresh rate, so nothing is offered there`,
      );
    }

    refreshers.push(() => {
      if (performance.now() - askedAt >= REFRESH_MS || (fresh() === undefined && !asking && !isTold)) {
        askedAt = performance.now();
        asking ??= renew()
          .catch(failed)
          .finally(() => {
            asking = undefined;
          });
      }
      return fresh() === undefined && !isTold ? asking : undefined;
    });

    async function readFormer(): Promise<void> {
      if (performance.now() - readAt < READ_EVERY_MS) return;
      readAt = performance.now();
      const found = await store.get(key);
      if (found) former = quoted().parse(JSON.parse(found.value));
    }

    // guard: rates: a former rate ends | - at > now() - FORMER_MS - STALE_MS && | rated-assets
    const isFormer = (units: bigint, price: Micros) =>
      former.some(({ rate, at }) => at > now() - FORMER_MS - STALE_MS && unitsAt(rate, price, decimals) === units);

    return {
      units(price) {
        const rate = fresh();
        return rate === undefined ? undefined : unitsAt(rate, price, decimals);
      },
      async isPrice(units, price) {
        const rate = fresh();
        if (rate !== undefined && unitsAt(rate, price, decimals) === units) return true;
        if (isFormer(units, price)) return true;
        await readFormer();
        return isFormer(units, price);
      },
      worth(units) {
        const rate = fresh();
        if (rate === undefined) throw new Error(`the rate of ${address} is too old`);
        return worthAt(rate, units, decimals);
      },
    };
  }

  return {
    of,
    get revision() {
      return revision;
    },
    refresh() {
      const waiting = refreshers.flatMap((each) => each() ?? []);
      return waiting.length > 0 ? Promise.all(waiting).then(() => {}) : undefined;
    },
  };
}
