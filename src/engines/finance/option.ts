/** Worth of an option, or the volatility its price implies. */
import { americanOption, americanValue } from "./american-option.js";
import { europeanOption, europeanValue, type Greeks, type Option } from "./black-scholes.js";
import { impliedVolatility } from "./implied-volatility.js";

export interface Contract extends Omit<Option, "volatility"> {
  style: "european" | "american";
}

export interface PricedContract {
  value: number | null;
  impliedVolatility: number | null;
  greeks: Greeks | null;
  reason: string | null;
}

export function optionPrice(contract: Contract, volatility: number): PricedContract {
  const valuate = contract.style === "european" ? europeanOption : americanOption;
  return { ...valuate({ ...contract, volatility }), impliedVolatility: null, reason: null };
}

export function volatilityOf(contract: Contract, price: number): PricedContract {
  const valuate = contract.style === "european" ? europeanValue : americanValue;
  const implied = impliedVolatility((volatility) => valuate({ ...contract, volatility }), price);
  if ("reason" in implied) return { value: null, impliedVolatility: null, greeks: null, reason: implied.reason };
  return { ...optionPrice(contract, implied.volatility), impliedVolatility: implied.volatility };
}

export interface OptionTask {
  contract: Contract;
  /** One of the two. */
  volatility: number | undefined;
  price: number | undefined;
}

export const optionTask = ({ contract, volatility, price }: OptionTask): PricedContract =>
  volatility === undefined ? volatilityOf(contract, price ?? 0) : optionPrice(contract, volatility);
