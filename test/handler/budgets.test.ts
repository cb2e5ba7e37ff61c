/** Work that was done uses a budget, whoever breaks it off. */
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { failing, openShop } from "../support/shop.js";
import { toHeader } from "../support/wallets.js";

describe("work that comes to nothing", () => {
  it("of one payer is done a few times an hour and no more, until the hour is over", async () => {
    const shop = openShop();
    const payment = await shop.payFor("/test/dear?n=1", { authorization: { validBefore: "4102444800" } });
    const statuses: number[] = [];
    for (let i = 0; i < 10; i++) {
      shop.behaviours.push(failing());
      statuses.push((await shop.pay("/test/dear?n=1", payment)).status);
    }
    expect([statuses, shop.runs()]).toEqual([[502, 502, 429, 429, 429, 429, 429, 429, 429, 429], 2]);
    expect((await bodyOf(await shop.pay("/test/dear?n=1", payment))).code).toBe("TOO_MANY_FAILURES");
    shop.behaviours.length = 0;
    shop.clock.advance(3601);
    expect((await shop.pay("/test/dear?n=1", payment)).status).toBe(200);
  });

  it("uses the deployment's budget of trials, and gives the caller its own trial back", async () => {
    const shop = openShop({ trial: { deploymentBudgetUsd: "0.003" } });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) {
      shop.behaviours.push(failing());
      const headers = { "x-svc-trial": "1" };
      statuses.push((await shop.get("/test/work?n=1", headers, `203.0.113.${i}`)).status);
    }
    expect([statuses, shop.runs()]).toEqual([[502, 502, 502, 402, 402], 3]);
  });
});

describe("a store that is frozen", () => {
  it("ends a call in 502 with OVERLOADED, and nothing runs", async () => {
    const memory = createMemoryStore();
    const shop = openShop({ store: { ...memory, get: () => new Promise(() => {}) } });
    const response = await shop.pay("/test/work?n=1", await shop.payFor("/test/work?n=1"));
    expect([response.status, (await bodyOf(response)).code, shop.runs()]).toEqual([502, "OVERLOADED", 0]);
  }, 20_000);
});

describe("what goes to a facilitator", () => {
  it("is what was checked: nothing that came beside it", async () => {
    const shop = openShop();
    const payment = await shop.payFor("/test/work?n=1");
    const smuggled = { ...payment, payload: { ...payment.payload, permit2Authorization: { nonce: "1" }, note: "x" } };
    const headers = { "payment-signature": toHeader(smuggled) };
    expect((await shop.get("/test/work?n=1", headers)).status).toBe(200);
    for (const { body } of shop.facilitator.calls)
      expect(Object.keys(body.paymentPayload.payload).sort()).toEqual(["authorization", "signature"]);
  });
});
