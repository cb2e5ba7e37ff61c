/** The example of Stripe's webhook, over HTTP: bodies of its documentation, signed by its scheme, forged, late and doubled. */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createApp } from "../examples/stripe/app.js";
import { isStripes } from "../examples/stripe/signature.js";
import { NETWORK } from "./support/shop.js";
import { TREASURY } from "./support/wallets.js";

const secret = "whsec_test_secret";
let now = Date.UTC(2026, 5, 1);
const { app, handle } = createApp({
  payment: {
    treasury: { [NETWORK]: TREASURY },
    facilitator: {
      supported: async () => ({ kinds: [{ x402Version: 2, scheme: "exact", network: NETWORK }] }),
      verify: async () => ({ isValid: false }),
      settle: async () => ({ success: false }),
    } as never,
  },
  webhookSecret: secret,
  now: () => now,
});
const server = createServer(app).listen(0, "127.0.0.1");
await once(server, "listening");
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(async () => {
  server.close();
  await handle.close();
});

/** An event as https://docs.stripe.com/api/checkout/sessions/object shows it, without the members that nobody reads here. */
function eventOf(session: object = {}, type = "checkout.session.completed", id = "evt_1NG8Du2eZvKYlo2CUI79vXWy") {
  return {
    id,
    object: "event",
    api_version: "2019-02-19",
    created: 1686089970,
    data: {
      object: {
        id: "cs_test_a11YYufWQzNY63zpQ6QSNRQhkUpVph4WRmzW0zWJO2znZKdVujZ0N0S22u",
        object: "checkout.session",
        amount_subtotal: 2198,
        amount_total: 2198,
        client_reference_id: "user_1",
        currency: "usd",
        livemode: false,
        mode: "payment",
        payment_intent: "pi_1GszdL2eZvKYlo2C4nORvlio",
        payment_status: "paid",
        status: "complete",
        ...session,
      },
    },
    livemode: false,
    pending_webhooks: 0,
    request: { id: null, idempotency_key: null },
    type,
  };
}

const sign = (body: string, at = Math.floor(now / 1000), key = secret) =>
  createHmac("sha256", key).update(`${at}.${body}`).digest("hex");
const headerOf = (body: string, at = Math.floor(now / 1000), key = secret) => `t=${at},v1=${sign(body, at, key)}`;

async function tell(body: string, signature: string | undefined) {
  const headers = { "content-type": "application/json", ...(signature ? { "stripe-signature": signature } : {}) };
  const response = await fetch(`${origin}/hooks/stripe`, { method: "POST", headers, body });
  return { status: response.status, text: await response.text() };
}
const balance = async (user = "user_1") => (await handle.accounts.balance(user)).availableUsd;

beforeEach(() => {
  now += 86_400_000;
});

describe("Stripe's webhook", () => {
  it("tops up once, under the payment's id, however often and by whichever events it is told", async () => {
    const body = JSON.stringify(eventOf(), null, 2);
    expect(await tell(body, headerOf(body))).toEqual({
      status: 200,
      text: "Booked as pi_1GszdL2eZvKYlo2C4nORvlio.",
    });
    const again = JSON.stringify(eventOf({}, "checkout.session.async_payment_succeeded", "evt_2"));
    const doubled = await Promise.all(
      [body, body, again].map((one) => tell(one, headerOf(one)).then(({ status }) => status)),
    );
    expect(doubled).toEqual([200, 200, 200]);
    expect(await balance()).toBe("21.98");
    expect(await handle.accounts.entries("user_1")).toMatchObject([
      { kind: "topup", usd: "21.98", reference: "pi_1GszdL2eZvKYlo2C4nORvlio" },
    ]);
  });

  it("books nothing for a forged, changed, late, early or unsigned one", async () => {
    const body = JSON.stringify(eventOf({ payment_intent: "pi_forged", client_reference_id: "user_2" }));
    const at = Math.floor(now / 1000);
    const forged = [
      undefined,
      "",
      `t=${at}`,
      `v1=${sign(body)}`,
      `t=${at},v1=`,
      `t=${at},v1=${sign(body).slice(0, 62)}`,
      `t=${at},v1=${"0".repeat(64)}`,
      headerOf(body, at, "whsec_other"),
      `t=${at},v0=${sign(body)}`,
      `t=${at - 1},v1=${sign(body)}`,
      `t=${at},t=${at - 301},v1=${sign(body, at - 301)}`,
      headerOf(body, at - 301),
      headerOf(body, at + 301),
      headerOf(`${body} `),
      `t=NaN,v1=${sign(body)}`,
    ];
    for (const signature of forged) expect([signature, (await tell(body, signature)).status]).toEqual([signature, 400]);
    expect((await tell(`${body}\n`, headerOf(body))).status).toBe(400);
    await expect(handle.accounts.balance("user_2")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("takes one of several signatures, as while a secret is rolled, and a clock that is a little off", async () => {
    const body = JSON.stringify(eventOf({ payment_intent: "pi_rolled", client_reference_id: "user_3" }));
    const at = Math.floor(now / 1000) - 299;
    const header = `t=${at},v1=${sign(body, at, "whsec_new")},v1=${sign(body, at)},v0=6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39`;
    expect((await tell(body, header)).status).toBe(200);
    expect(await balance("user_3")).toBe("21.98");
  });

  it("waits for money that is on its way, and tells a person of money that it cannot book", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    const later = { payment_intent: "pi_later", client_reference_id: "user_4", amount_total: 500 };
    for (const [session, type, text] of [
      [{ ...later, payment_status: "unpaid" }, "checkout.session.completed", "Not paid yet."],
      [later, "checkout.session.expired", "Nothing to book."],
      [{ ...later, currency: "eur" }, "checkout.session.completed", "Not booked."],
      [{ ...later, client_reference_id: null }, "checkout.session.completed", "Not booked."],
    ] as const) {
      const body = JSON.stringify(eventOf(session, type));
      expect(await tell(body, headerOf(body))).toEqual({ status: 200, text });
    }
    expect(said).toHaveBeenCalledTimes(2);
    await expect(handle.accounts.balance("user_4")).rejects.toMatchObject({ code: "NOT_FOUND" });
    const paid = JSON.stringify(eventOf(later, "checkout.session.async_payment_succeeded"));
    expect((await tell(paid, headerOf(paid))).status).toBe(200);
    expect(await balance("user_4")).toBe("5");
  });
});

it("a signature as Stripe's documentation writes it is read with its spaces, and takes no work from a long header", () => {
  const body = Buffer.from('{"id":"evt_1"}');
  const at = Math.floor(now / 1000);
  const told = { body, secret, now };
  expect(isStripes({ ...told, signature: `t=${at}, v1=${sign(body.toString())}` })).toBe(true);
  const long = `t=${at},${"v1=00,".repeat(100_000)}v1=${sign(body.toString())}`;
  expect(isStripes({ ...told, signature: long })).toBe(false);
});
