/** Who may buy by voucher: asked before a deposit or a charge, of the deposit's wallet as well as of the key that signs. */
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import type { PolicyRequest } from "../../../src/payment/admission/options.js";
import type { ChannelChain } from "../../support/channel-chain.js";
import { WORK } from "../../support/channel-shop.js";
import { onChannelChain } from "../../support/on-channel-chain.js";

let chain: ChannelChain;
const shops = onChannelChain((started) => {
  chain = started;
});
const open = shops.openUnasked;
const NO = { allow: false, code: "EMBARGO", reason: "No." } as const;

async function expectRefused(response: Response, reasonCode: string) {
  expect([response.status, await response.json()]).toMatchObject([403, { code: "NOT_ALLOWED", reasonCode }]);
}

describe("a policy and vouchers", () => {
  it("refuses before the deposit is made, and before a later voucher is charged", async () => {
    const asked: PolicyRequest[] = [];
    let allow = false;
    const shop = open({
      policy: (request) => {
        asked.push(request);
        return allow ? { allow: true } : NO;
      },
    });
    const buyer = await chain.buyer(shop.fetch);
    await expectRefused(await buyer.fetch(`${WORK}?n=1`), "EMBARGO");
    expect([shop.runs(), shop.events.filter(({ kind }) => kind === "channel")]).toEqual([0, []]);
    const { address } = buyer.account;
    expect(asked).toMatchObject([{ via: "voucher", payer: address, channelPayer: address, endpoint: "test.work" }]);
    allow = true;
    for (let n = 1; n <= 2; n++) expect((await buyer.fetch(`${WORK}?n=${n}`)).status).toBe(200);
    allow = false;
    await expectRefused(await buyer.fetch(`${WORK}?n=3`), "EMBARGO");
    allow = true;
    // Nothing was charged by the refusal, so the buyer's next voucher is in step.
    expect((await buyer.fetch(`${WORK}?n=4`)).status).toBe(200);
    expect([shop.runs(), asked.length]).toEqual([3, 5]);
  });

  it("refuse a denied wallet that signs by another key", async () => {
    const voucherSigner = privateKeyToAccount(generatePrivateKey());
    const free = open();
    const buyer = await chain.buyer(free.fetch, { voucherSigner });
    const shop = open({ store: free.store, payers: { deny: [buyer.account.address] } });
    expect((await buyer.fetch(`${WORK}?n=1`)).status).toBe(200);
    const again = await chain.buyer(shop.fetch, { account: buyer.account, voucherSigner });
    await expectRefused(await again.fetch(`${WORK}?n=2`), "PAYER_DENIED");
    expect(shop.runs()).toBe(0);
  });

  it("refuse a denied key that signs for another wallet", async () => {
    const voucherSigner = privateKeyToAccount(generatePrivateKey());
    const shop = open({ payers: { deny: [`${chain.network}:${voucherSigner.address}`] } });
    const buyer = await chain.buyer(shop.fetch, { voucherSigner });
    await expectRefused(await buyer.fetch(`${WORK}?n=1`), "PAYER_DENIED");
    expect(shop.events.filter(({ kind }) => kind === "channel")).toEqual([]);
  });
});
