/** A 402 is one object until its header and its body are written: nothing of it is read back, or written twice. */

import { generateKeyPairSync } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import { openShop } from "../support/shop.js";

const key = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }) as never;
const WORK = "/test/work?n=1";

/** How often a 402 was written as JSON, and read from it, while `work` was done. */
async function counted(work: () => Promise<Response>) {
  const is402 = (value: unknown) => typeof value === "object" && value !== null && "x402Version" in value;
  const { parse } = JSON;
  const written = vi.spyOn(JSON, "stringify");
  let read = 0;
  vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => {
    const value: unknown = parse(text, reviver);
    if (is402(value)) read++;
    return value;
  });
  const response = await work();
  const counts = { written: written.mock.calls.filter(([value]) => is402(value)).length, read };
  vi.restoreAllMocks();
  return { response, ...counts };
}
afterEach(() => vi.restoreAllMocks());

it("a plain 402 comes from its template", async () => {
  const shop = openShop();
  await shop.get(WORK);
  expect(await counted(() => shop.get(WORK))).toMatchObject({ written: 0, read: 0 });
});

it("a 402 that gives a reason and signs its offers is written once as header and once as body", async () => {
  const shop = openShop({ signing: { key } });
  await shop.get(WORK);
  const { response, ...counts } = await counted(() => shop.pay(WORK, "no payment"));
  expect(response.status).toBe(402);
  const header = JSON.parse(Buffer.from(response.headers.get("payment-required") ?? "", "base64").toString());
  const body = (await response.json()) as { error: string; extensions: object };
  expect(Object.keys(header.extensions)).toEqual(["bazaar", "payment-identifier", "offer-receipt"]);
  expect(Object.keys(body.extensions)).toEqual(["bazaar", "payment-identifier", "code", "offer-receipt"]);
  expect(header.error).toBe(body.error);
  expect(counts).toEqual({ written: 2, read: 0 });
});
