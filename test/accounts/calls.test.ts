import { describe, expect, it } from "vitest";
import { bodyOf } from "../support/body.js";
import { openShop, type ShopOptions } from "../support/shop.js";

async function open(options: ShopOptions = {}) {
  const shop = openShop({ accounts: { keys: true, topUpUrl: "https://shop.test/top-up" }, trial: false, ...options });
  const { accounts } = shop.handle;
  await accounts.topUp("ada", "0.0025", { reference: "pay_1" });
  const { key, id } = await accounts.createKey("ada");
  const call = (path = "/test/work?n=1", headers: Record<string, string> = {}) =>
    shop.get(path, { authorization: `Bearer ${key}`, ...headers });
  return { ...shop, accounts, key, id, call };
}

describe("a call by account", () => {
  it("is charged its price, and 402 tells what is missing", async () => {
    const { call, accounts } = await open();
    const first = await call();
    const body = await bodyOf(first);
    expect(first.status, JSON.stringify(body)).toBe(200);
    expect(body.meta).toMatchObject({ caller: "account", account: "ada", costUsd: "0.001" });
    expect(await accounts.balance("ada")).toEqual({ availableUsd: "0.0015", heldUsd: "0" });
    expect((await call()).status).toBe(200);
    const poor = await call();
    expect(poor.status).toBe(402);
    expect(await poor.json()).toMatchObject({
      x402Version: 2,
      code: "BALANCE_TOO_SMALL",
      missingUsd: "0.0005",
      topUpUrl: "https://shop.test/top-up",
      accepts: [{ scheme: "exact" }],
    });
    expect((await accounts.entries("ada")).map(({ kind, usd }) => [kind, usd])).toEqual([
      ["topup", "0.0025"],
      ["sale", "-0.001"],
      ["sale", "-0.001"],
    ]);
  });
});
