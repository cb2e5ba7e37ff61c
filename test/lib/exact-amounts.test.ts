import { describe, expect, it } from "vitest";
import { createClient } from "../../src/client/index.js";
import { boundMicros, exactMicros } from "../../src/lib/money.js";
import { paymentOptions, pricingOptions, trialOptions } from "../../src/payment/networks/option-checks.js";
import { bodyOf } from "../support/body.js";
import { openShop } from "../support/shop.js";
import { TREASURY } from "../support/wallets.js";

/** Finer than the millionth of a dollar that money is counted in. */
const FINE = "0.0000000001";
const payment = { treasury: { "eip155:8453": TREASURY }, facilitator: { url: "https://facilitator.test" } };

describe("an amount finer than a millionth", () => {
  it("is no price that is rounded up without a word", async () => {
    const { handle, get } = openShop();
    await expect(handle.setPrice("test.work", FINE)).rejects.toThrow(/six decimals/);
    await handle.setPrice("test.work", "0.0020000000");
    expect((await bodyOf(await get("/test/work?n=1"))).accepts[0]?.amount).toBe("2000");
    expect(() => openShop({ pricing: { overrides: { "test.work": "0.0010000001" } } })).toThrow(/six decimals/);
  });

  it.each([
    ["pricing", () => pricingOptions("pricing", { overrides: { "test.work": FINE } })],
    ["payment.maxUnsettledUsd", () => paymentOptions("payment", { ...payment, maxUnsettledUsd: FINE })],
    ["payment.minReturnUsd", () => paymentOptions("payment", { ...payment, minReturnUsd: "0.0050000001" })],
    ["payment.maxFailures", () => paymentOptions("payment", { ...payment, maxFailures: { usd: FINE } })],
    ["trial.maxQuoteUsd", () => trialOptions("trial", { maxQuoteUsd: FINE })],
  ])("is refused in %s", (_, check) => {
    expect(check).toThrow(TypeError);
  });

  it("is refused by the host's own bookings and limits", async () => {
    const { handle } = openShop({ accounts: { keys: true } });
    await handle.accounts.topUp("ada", "1", { reference: "pay_1" });
    await expect(handle.accounts.topUp("ada", "1.0000000001", { reference: "pay_2" })).rejects.toThrow(TypeError);
    await expect(handle.accounts.adjust("ada", FINE, { reference: "fix_1" })).rejects.toThrow(TypeError);
    await expect(handle.accounts.setLimits("ada", { usdPerDay: FINE })).rejects.toThrow(TypeError);
    await expect(handle.refund({ requestId: "x" }, { usd: FINE })).rejects.toThrow();
  });

  it("is a bound of a caller as it is written, and never more", async () => {
    const { get } = openShop();
    const call = (limit: string) => get("/test/work?n=1", { "x-402-max-usd": limit });
    expect((await call("0.00100000000000001")).status).toBe(402);
    expect((await call("0.00099999999999999")).status).toBe(400);
    expect(() => createClient({ baseUrl: "https://shop.test", maxPerCallUsd: 0.1 + 0.2 })).not.toThrow();
    expect([boundMicros(FINE), boundMicros("0.30000000000000004")]).toEqual([0n, 300_000n]);
  });

  it("keeps its digits where it is exact", () => {
    expect([exactMicros("0.000001"), exactMicros("12.5000000000")]).toEqual([1n, 12_500_000n]);
    expect(() => exactMicros("1e-7")).toThrow(RangeError);
  });
});
