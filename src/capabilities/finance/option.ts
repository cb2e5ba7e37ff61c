import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const amount = () => z.number().min(1e-9).max(1e12);
const rate = () => z.number().min(-1).max(10);

export const financeOption = /* @__PURE__ */ defineCapability({
  id: "finance.option",
  summary: "Price a European or American option with its Greeks, or find the volatility that its price implies.",
  keywords: [
    "black scholes",
    "option pricing",
    "call option",
    "put option",
    "implied volatility",
    "greeks",
    "delta",
    "gamma",
    "vega",
    "theta",
    "rho",
    "binomial tree",
    "derivatives",
    "early exercise",
  ],
  price: "0.001",
  method: "POST",
  offline: true,
  source: { provider: "built-in", url: "https://en.wikipedia.org/wiki/Black%E2%80%93Scholes_model", license: "MIT" },
  input: () =>
    z.strictObject({
      type: z.enum(["call", "put"]).describe("Right to buy (call) or to sell (put)"),
      style: z
        .enum(["european", "american"])
        .default("european")
        .describe("Whether it is exercised at the end only (european) or at any time (american)"),
      spot: amount().describe("Price of the underlying now"),
      strike: amount().describe("Price at which it may be bought or sold"),
      rate: rate().describe("Risk-free rate a year, continuously compounded, as a fraction: 0.05 is 5 %"),
      dividendYield: rate().default(0).describe("Continuous yield of the underlying a year, as a fraction"),
      years: z.number().min(0).max(50).describe("Time until expiry in years, 0 to 50"),
      volatility: z.number().min(0).max(100).optional().describe("A year, as a fraction: 0.2 is 20 %"),
      price: z.number().min(0).max(1e12).optional().describe("Price of the option, to find its volatility"),
    }),
  output: one(() =>
    z.object({
      value: z.number().nullable().describe("Null if no volatility gives the price"),
      impliedVolatility: z.number().nullable().describe("Of a given price; null without one, or if there is none"),
      reason: z.string().nullable().describe("Why no volatility is implied"),
      greeks: z
        .object({
          delta: z.number().describe("By the spot"),
          gamma: z.number().describe("Of delta, by the spot"),
          vega: z.number().describe("By volatility, for 1.00; a hundredth of it is for a percentage point"),
          theta: z.number().describe("By time, for a year; negative where the option loses value"),
          rho: z.number().describe("By the rate, for 1.00"),
          dividendRho: z.number().describe("By the dividend yield, for 1.00"),
        })
        .nullable(),
      method: z
        .enum(["black-scholes-merton", "binomial-tree"])
        .describe("Closed formula for european; for american two trees of 500 and 1,000 steps, extrapolated"),
    }),
  ),
  example: { type: "put", style: "american", spot: 100, strike: 105, rate: 0.04, years: 0.5, volatility: 0.25 },
  check({ volatility, price }) {
    if (volatility === undefined && price === undefined)
      throw invalid("volatility", "is needed to price the option, or its price to find the volatility");
    if (volatility !== undefined && price !== undefined)
      throw invalid("price", "must be left out when a volatility is given: each follows from the other");
  },
  async run({ volatility, price, ...contract }, ctx) {
    const { runInWorker } = await workers();
    // A tree has half a million nodes; a formula is done at once.
    const isSmall = contract.style === "european";
    const priced = await runInWorker(
      ctx,
      "finance.option",
      { contract, volatility, price },
      { field: "style", isSmall },
    );
    const way: Way = contract.style === "european" ? "black-scholes-merton" : "binomial-tree";
    return { item: { ...priced, method: way }, meta: method() };
  },
});

type Way = "black-scholes-merton" | "binomial-tree";

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));
