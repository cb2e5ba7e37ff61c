import { describe, expect, it } from "vitest";
import { aiChat } from "../../../src/capabilities/ai/index.js";
import { convertUnit } from "../../../src/capabilities/convert/index.js";
import { createPricing } from "../../../src/payment/pricing/pricing.js";

describe("pricing.markup", () => {
  it("raises every price, rounded up", () => {
    const pricing = createPricing({ markup: 1.2 });
    expect(pricing.listed(convertUnit)).toEqual({ mode: "fixed", usd: "0.0012" });
    expect(pricing.at().withMarkup(3n, convertUnit)).toBe(4n);
    expect(pricing.at().withMarkup(1000n, aiChat)).toBe(1200n);
  });

  it("below one lowers fixed prices, and never what follows from the cost of the work", () => {
    const pricing = createPricing({ markup: 0.5 });
    expect(pricing.listed(convertUnit)).toEqual({ mode: "fixed", usd: "0.0005" });
    expect(pricing.listed(aiChat)).toEqual({ mode: "dynamic", minUsd: "0.001", maxUsd: "50" });
    expect(pricing.at().withMarkup(1000n, aiChat)).toBe(1000n);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("cannot be %d", (markup) => {
    expect(() => createPricing({ markup })).toThrow("pricing.markup");
  });
});
