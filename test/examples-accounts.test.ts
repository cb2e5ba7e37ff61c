/** The example of accounts, over HTTP: a login, a webhook whose signature is checked, keys, a limit and a statement. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, expect, it } from "vitest";
import { createApp } from "../examples/accounts/app.js";
import { createSessions } from "../examples/accounts/sessions.js";
import { NETWORK } from "./support/shop.js";
import { TREASURY } from "./support/wallets.js";

const webhookSecret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const sessions = createSessions();
const nobody = { supported: async () => ({ kinds: [{ x402Version: 2, scheme: "exact", network: NETWORK }] }) };
const { app, handle } = createApp({
  payment: {
    treasury: { [NETWORK]: TREASURY },
    facilitator: {
      ...nobody,
      verify: async () => ({ isValid: false }),
      settle: async () => ({ success: false }),
    } as never,
  },
  webhookSecret,
  sessions,
});
const server = createServer(app).listen(0, "127.0.0.1");
await once(server, "listening");
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(async () => {
  server.close();
  await handle.close();
});

const cookie = sessions.begin("user_1").split(";")[0] ?? "";
const UNIT = "/api/convert/unit?value=1&from=kg&to=lb";
const ask = (path: string, init: RequestInit = {}) => fetch(origin + path, init);
const asUser = (path: string, method = "GET") => ask(path, { method, headers: { cookie } });

/** Tells of a payment as a provider does, under these signatures. */
function tell(data: object, secret = webhookSecret) {
  const body = JSON.stringify({ type: "payment.succeeded", data });
  const [id, at] = [randomUUID(), new Date()];
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  };
  return ask("/hooks/payments", { method: "POST", headers, body });
}

it("tops an account up by a signed webhook, and sells to its login and its key within a limit", async () => {
  const poor = (await (await asUser(UNIT)).json()) as Record<string, unknown>;
  expect(poor).toMatchObject({ code: "BALANCE_TOO_SMALL", topUpUrl: "https://shop.example/top-up" });

  const paid = { id: "pay_1", user: "user_1", usd: "5.00" };
  expect((await tell(paid, `whsec_${Buffer.alloc(24, 8).toString("base64")}`)).status).toBe(400);
  for (let times = 0; times < 3; times++) expect((await tell(paid)).status).toBe(204);
  expect(await (await asUser("/balance")).json()).toEqual({ availableUsd: "5", heldUsd: "0" });

  const bought = (await (await asUser(UNIT)).json()) as { meta: { caller: string; costUsd: string } };
  expect(bought.meta).toMatchObject({ caller: "account", account: "user_1" });
  expect((await ask("/keys", { method: "POST" })).status).toBe(401);
  const { key } = (await (await asUser("/keys", "POST")).json()) as { key: string };
  const byKey = () => ask(UNIT, { headers: { authorization: `Bearer ${key}` } });
  const statuses: number[] = [];
  for (let calls = 0; calls < 8; calls++) statuses.push((await byKey()).status);
  // 0.005 USD a day buy so many.
  const within = Math.floor(0.005 / Number(bought.meta.costUsd));
  expect(statuses).toEqual([...Array(8).keys()].map((call) => (call < within ? 200 : 402)));

  const today = new Date().toISOString().slice(0, 10);
  const statement = JSON.stringify(await (await asUser(`/statement?from=${today}&to=${today}`)).json());
  expect(statement).toContain("convert.unit");
});
