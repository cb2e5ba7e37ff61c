/** A host trusts its node for what it shows; what even a node that lies cannot do. */
import { afterEach, describe, expect, it } from "vitest";
import { FACILITATOR_URL, fakeFacilitator } from "../support/facilitator.js";
import { NETWORK, openShop, type Shop } from "../support/shop.js";
import { alice, mallory, TREASURY } from "../support/wallets.js";

const NODE = "https://mainnet.base.org";
const USED = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;

const shops: Shop[] = [];
afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.handle.close();
});

/** Its node shows every authorization of Alice as used, and paid by one and the same transfer. */
function open() {
  const facilitator = fakeFacilitator();
  let nonce = "";
  const mark = () => ({
    ...{ address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", transactionHash: `0x${"77".repeat(32)}` },
    ...{ topics: [USED, topic(alice.address), nonce], data: "0x", logIndex: "0x5" },
  });
  const moved = () => ({
    ...mark(),
    ...{ topics: [TRANSFER, topic(alice.address), topic(TREASURY)], data: "0x3e8", logIndex: "0x6" },
  });
  function lie(method: string, params: unknown[]): unknown {
    if (method === "eth_getBlockByNumber") return { number: "0x10", hash: `0x${"10".repeat(32)}`, timestamp: "0x1" };
    if (method === "eth_call") return `0x${"1".padStart(64, "0")}`;
    if (method === "eth_getTransactionReceipt") return { status: "0x1", logs: [mark(), moved()] };
    nonce = (params[0] as { topics: string[] }).topics[2] ?? "";
    return [mark()];
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (String(input) !== NODE) return facilitator.fetch(input, init);
    const { method, params } = JSON.parse(String(init?.body)) as { method: string; params: unknown[] };
    return Response.json({ jsonrpc: "2.0", id: 1, result: lie(method, params) });
  };
  const payment = {
    treasury: { [NETWORK]: TREASURY },
    facilitator: { url: FACILITATOR_URL },
    rpc: { [NETWORK]: NODE },
  };
  const shop = openShop({ facilitator, fetch, payment });
  shops.push(shop);
  return shop;
}

describe("a node that lies", () => {
  it("lets no transfer count for two payments", async () => {
    const shop = open();
    shop.facilitator.faults.settle.push("drop", "drop");
    const statuses: number[] = [];
    for (const n of [1, 2]) {
      const path = `/test/work?n=${n}`;
      statuses.push((await shop.pay(path, await shop.payFor(path))).status);
    }
    expect(statuses).toEqual([200, 502]);
    expect((await shop.handle.ledger()).total.calls).toBe(1);
  });

  it("makes up no signature: nothing runs for what somebody else signed", async () => {
    const shop = open();
    const payment = await shop.payFor("/test/work?n=1", { wallet: mallory });
    const { authorization } = payment.payload;
    const forged = {
      ...payment,
      payload: { ...payment.payload, authorization: { ...authorization, from: alice.address } },
    };
    expect((await shop.pay("/test/work?n=1", forged)).status).toBe(402);
    expect(shop.runs()).toBe(0);
  });
});
