import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/client/index.js";
import { bodyOf } from "../support/body.js";
import { payerOf, wireTo } from "../support/client.js";
import { openShop } from "../support/shop.js";
import { alice } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const fails = () => Response.json({ isValid: false, invalidReason: "invalid_exact_evm_transaction_simulation_failed" });

describe("a wallet without tokens on the network of its payment", () => {
  function open(owned: bigint) {
    const shop = openShop();
    shop.facilitator.showChain();
    shop.facilitator.fund(alice.address, owned);
    return shop;
  }

  it("is told so, whatever the facilitator calls it", async () => {
    const shop = open(0n);
    const refused = await shop.pay(WORK, await shop.payFor(WORK));
    expect(refused.status).toBe(402);
    expect(await bodyOf(refused)).toMatchObject({
      error: "This wallet has 0 USDC on Base; 0.001 needed.",
      extensions: { code: "PAYMENT_REFUSED" },
    });
    expect(shop.runs()).toBe(0);
  });

  it("is told so where the facilitator only simulated a transfer", async () => {
    const shop = open(400n);
    const { fetch } = shop.facilitator;
    const simulating: typeof fetch = (input, init) =>
      String(input).endsWith("/verify") ? Promise.resolve(fails()) : fetch(input, init);
    const other = openShop({ facilitator: { ...shop.facilitator, fetch: simulating } });
    const refused = await other.pay(WORK, await other.payFor(WORK));
    expect((await bodyOf(refused)).error).toBe("This wallet has 0.0004 USDC on Base; 0.001 needed.");
  });

  it("that has enough, or that no node knows, is told the facilitator's reason", async () => {
    const shop = open(5000n);
    shop.facilitator.faults.verify.push("refuse");
    const refused = await shop.pay(WORK, await shop.payFor(WORK));
    expect((await bodyOf(refused)).error).toContain("unexpected_state");
    shop.facilitator.fund(alice.address, 0n);
    shop.facilitator.showChain(false);
    expect((await bodyOf(await shop.pay(WORK, await shop.payFor(WORK)))).error).toContain("insufficient_funds");
  });

  describe("of our client", () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
    afterEach(() => void vi.useRealTimers());

    it("is told so by the error", async () => {
      const shop = open(0n);
      vi.setSystemTime(shop.clock.seconds() * 1000);
      const { fetch } = wireTo((request) => shop.handle(request));
      const client = createClient({ baseUrl: "http://shop.test", fetch, pay: payerOf().client });
      const call = client.$call("test.work" as never, { n: 1 } as never);
      await expect(call).rejects.toThrow("This wallet has 0 USDC on Base; 0.001 needed.");
    });
  });
});
