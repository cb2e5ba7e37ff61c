/** European options by Black, Scholes and Merton, with a continuous dividend yield. */
import { cumulative, density } from "./normal.js";

/** Rates, yield and volatility are fractions a year: 0.05 is 5 %. */
export interface Option {
  type: "call" | "put";
  spot: number;
  strike: number;
  rate: number;
  dividendYield: number;
  years: number;
  volatility: number;
}

/** Changes of the value: by spot, by spot twice, by volatility and by rates for 1.00 (100 %), by time for a year. */
export interface Greeks {
  delta: number;
  gamma: number;
  vega: number;
  theta: number;
  rho: number;
  dividendRho: number;
}

export interface Valuation {
  value: number;
  greeks: Greeks;
}

interface Terms {
  sign: number;
  /** Spot and strike, discounted by yield and by rate. */
  asset: number;
  cash: number;
  deviation: number;
  d1: number;
  d2: number;
}

export function europeanValue(option: Option): number {
  const { sign, asset, cash, d1, d2 } = termsOf(option);
  return Math.max(0, sign * (asset * cumulative(sign * d1) - cash * cumulative(sign * d2)));
}

export function europeanOption(option: Option): Valuation {
  const { sign, asset, cash, deviation, d1, d2 } = termsOf(option);
  const { spot, rate, dividendYield, years, volatility } = option;
  const [ofAsset, ofCash] = [asset * cumulative(sign * d1), cash * cumulative(sign * d2)];
  // Without time or volatility there is nothing that bends.
  const bend = deviation > 0 ? asset * density(d1) : 0;
  const decay = deviation > 0 ? (bend * volatility) / (2 * Math.sqrt(years)) : 0;
  return {
    value: Math.max(0, sign * (ofAsset - ofCash)),
    greeks: {
      delta: (sign * ofAsset) / spot,
      gamma: deviation > 0 ? bend / (spot * spot * deviation) : 0,
      vega: bend * Math.sqrt(years),
      theta: sign * (dividendYield * ofAsset - rate * ofCash) - decay,
      rho: sign * years * ofCash,
      dividendRho: -sign * years * ofAsset,
    },
  };
}

function termsOf({ type, spot, strike, rate, dividendYield, years, volatility }: Option): Terms {
  const [asset, cash] = [spot * Math.exp(-dividendYield * years), strike * Math.exp(-rate * years)];
  const deviation = volatility * Math.sqrt(years);
  const moneyness = Math.log(asset / cash);
  const middle = deviation > 0 ? moneyness / deviation : moneyness === 0 ? 0 : Math.sign(moneyness) * Infinity;
  const sign = type === "call" ? 1 : -1;
  return { sign, asset, cash, deviation, d1: middle + deviation / 2, d2: middle - deviation / 2 };
}
