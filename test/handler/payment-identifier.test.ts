import { ExactEvmScheme } from "@x402/evm/exact/client";
import { appendPaymentIdentifierToExtensions, generatePaymentId } from "@x402/extensions/payment-identifier";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../support/clock.js";
import { openShop, type Shop } from "../support/shop.js";
import { alice } from "../support/wallets.js";

/** A stock buyer that names its purchases; it signs anew for each request. */
function buyer(shop: Shop, paymentId: string) {
  const client = new x402Client().register("eip155:*", new ExactEvmScheme(alice));
  client.onBeforePaymentCreation(async ({ paymentRequired }) => {
    appendPaymentIdentifierToExtensions(paymentRequired.extensions ?? {}, paymentId);
  });
  const fetch = wrapFetchWithPayment((input, init) => shop.handle(new Request(input, init)), client);
  return (path: string) => fetch(`http://shop.test/api${path}`);
}

/** Official buyers sign by the system's clock. */
const open = () => openShop({ clock: fakeClock(new Date().toISOString()) });

describe("PAY-36 the payment-identifier extension", () => {
  it("is declared, so that an official buyer's second signature under its id buys nothing twice", async () => {
    const shop = open();
    const buy = buyer(shop, generatePaymentId());
    const first = await buy("/test/work?n=1");
    const second = await buy("/test/work?n=1");
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(await second.text()).toBe(await first.text());
    expect(shop.runs()).toBe(1);
    expect(shop.facilitator.settled).toHaveLength(1);
  });

  it("sells another request under the same id to nobody, and the same request under another id anew", async () => {
    const shop = open();
    const buy = buyer(shop, generatePaymentId());
    await buy("/test/work?n=1");
    const other = await buy("/test/work?n=2");
    expect(other.status).toBe(402);
    expect(await other.json()).toMatchObject({ extensions: { code: "PAYMENT_ALREADY_USED" } });
    expect((await buyer(shop, generatePaymentId())("/test/work?n=1")).status).toBe(200);
    expect(shop.runs()).toBe(2);
    expect(shop.facilitator.settled).toHaveLength(2);
  });
});
