/** The price of a single voucher, given back by its request id, and events of sales by voucher. */
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, it } from "vitest";
import { bodyOf } from "../../support/body.js";
import type { ChannelChain } from "../../support/channel-chain.js";
import { AUTHORIZER, WORK } from "../../support/channel-shop.js";
import { newTreasury, onChannelChain } from "../../support/on-channel-chain.js";

let chain: ChannelChain;
const shops = onChannelChain((started) => {
  chain = started;
});
const requestIdOf = async (response: Response) => ((await bodyOf(response)).meta as { requestId: string }).requestId;

it("is given back once, to the channel's payer, and nothing of its neighbours", async () => {
  const shop = await shops.open({ channels: { refundable: true } });
  const buyer = await chain.buyer(shop.fetch);
  const ids: string[] = [];
  for (const n of [1, 2, 3]) ids.push(await requestIdOf(await buyer.fetch(`${WORK}?n=${n}`)));
  const requestId = ids[1] ?? "";
  const back = await shop.handle.refund({ requestId });
  // No refund wallet: credit, with a token for the buyer.
  expect(back).toMatchObject({
    state: "credited",
    usd: "0.001",
    payer: buyer.account.address.toLowerCase(),
    endpoint: "test.work",
  });
  expect(await shop.handle.refund({ requestId })).toEqual(back);
  await expect(shop.handle.refund({ requestId }, { usd: "0.0005" })).rejects.toThrow("given back already");
  await expect(shop.handle.refund({ requestId: "another" })).rejects.toThrow("No sale");
  expect((await shop.handle.ledger()).total).toMatchObject({ creditedUsd: "0.001" });
});

it("cannot be told from the others where the host did not ask for it", async () => {
  const shop = await shops.open();
  const buyer = await chain.buyer(shop.fetch);
  const requestId = await requestIdOf(await buyer.fetch(`${WORK}?n=1`));
  await expect(shop.handle.refund({ requestId })).rejects.toThrow("No sale");
});

it("is told to the host's webhooks as a sale and as a refund", async () => {
  const heard: { type: string; data: object }[] = [];
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const shop = await shops.open({
    channels: { refundable: true },
    webhooks: [{ url: "https://host.test/hooks", secret }],
    fetch: async (input, init) => {
      if (!String(input).startsWith("https://host.test/")) return fetch(input, init);
      heard.push(JSON.parse(String(init?.body)));
      return new Response(null, { status: 204 });
    },
  });
  const buyer = await chain.buyer(shop.fetch);
  const requestId = await requestIdOf(await buyer.fetch(`${WORK}?n=1`));
  await shop.handle.tick();
  await shop.handle.refund({ requestId });
  await shop.handle.tick();
  const facts = { endpoint: "test.work", requestId, network: chain.network };
  expect(heard).toMatchObject([
    { type: "sale", data: { ...facts, usd: "0.001" } },
    { type: "refund", data: { ...facts, refundedUsd: "0.001" } },
  ]);
});

it("goes back on chain from the host's refund wallet, exactly its price, once", async () => {
  const refunds = privateKeyToAccount(generatePrivateKey());
  await chain.mint(refunds.address, 1_000_000n);
  const shop = await shops.open({
    payment: {
      treasury: { [chain.network]: newTreasury() },
      facilitator: chain.facilitator,
      rpc: { [chain.network]: chain.rpcUrl },
      schemes: ["exact", "batch-settlement"],
      channels: { signer: AUTHORIZER, refundable: true },
      refunds: { [chain.network]: refunds },
    },
  });
  const buyer = await chain.buyer(shop.fetch);
  const ids: string[] = [];
  for (const n of [1, 2]) ids.push(await requestIdOf(await buyer.fetch(`${WORK}?n=${n}`)));
  const before = await chain.balanceOf(buyer.account.address);
  const [requestId = ""] = ids;
  const back = await shop.handle.refund({ requestId });
  expect(back).toMatchObject({ state: "returned", usd: "0.001", transaction: expect.stringMatching(/^0x/) });
  expect(await shop.handle.refund({ requestId })).toEqual(back);
  expect((await chain.balanceOf(buyer.account.address)) - before).toBe(1000n);
  expect(await chain.balanceOf(refunds.address)).toBe(999_000n);
  expect((await shop.handle.ledger()).total).toMatchObject({ returnedUsd: "0.001", creditedUsd: "0" });
});
