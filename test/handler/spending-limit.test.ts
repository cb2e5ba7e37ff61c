import { expect, it } from "vitest";
import { bodyOf } from "../support/body.js";
import { openShop } from "../support/shop.js";

const DEAR = "/test/dear?n=1";

it("a caller that names the most it pays is told of a higher price by an error, which no fetch pays", async () => {
  const shop = openShop();
  const response = await shop.get(DEAR, { "x-402-max-usd": "0.01" });
  expect([response.status, response.headers.has("payment-required")]).toEqual([400, false]);
  expect(await bodyOf(response)).toMatchObject({ code: "SPENDING_LIMIT", detail: expect.stringContaining("0.5 USD") });
});

it.each(["0.5", "10"])("a limit of %s is above the price: the quote is told", async (limit) => {
  expect((await openShop().get(DEAR, { "x-402-max-usd": limit })).status).toBe(402);
});

it("a limit does not stand in the way of a trial, nor of a payment that is there", async () => {
  const shop = openShop();
  expect((await shop.get("/test/work?n=1&trial=1", { "x-402-max-usd": "0" })).status).toBe(200);
  const used = await shop.get("/test/work?n=1&trial=1", { "x-402-max-usd": "0" });
  expect((await bodyOf(used)).code).toBe("SPENDING_LIMIT");
});

it("a limit that is no amount is refused", async () => {
  const response = await openShop().get(DEAR, { "x-402-max-usd": "a cent" });
  expect(await bodyOf(response)).toMatchObject({ status: 400, issues: [{ path: "X-402-Max-Usd" }] });
});
