/** Failing work paid by voucher: it charges nothing, so that it has a bound, over all channels and other ways of paying of a payer. */
import { describe, expect, it } from "vitest";
import { CapabilityError } from "../../../src/errors.js";
import { createCredits } from "../../../src/payment/refund/credit.js";
import type { Store } from "../../../src/stores/store.js";
import type { ChannelChain } from "../../support/channel-chain.js";
import { type ChannelShop, receiptOf, sharedStore, WORK } from "../../support/channel-shop.js";
import { onChannelChain } from "../../support/on-channel-chain.js";

let chain: ChannelChain;
const shops = onChannelChain((started) => {
  chain = started;
});

const open = shops.openUnasked;

const fail = async () => {
  throw new CapabilityError("UPSTREAM_ERROR", "The work failed.");
};

const failures = (shop: ChannelShop) => shop.behaviours.push(...Array.from({ length: 100 }, () => fail));

/** Until one is refused for its failures; says after how many. */
async function untilRefused(ask: () => Promise<Response>): Promise<Response> {
  for (let calls = 0; calls < 60; calls++) {
    const answer = await ask();
    if (answer.status === 429) return answer;
    await answer.text();
  }
  throw new Error("none of 60 calls was refused");
}

describe("failing work over a channel", () => {
  it("ends after twenty an hour with 429, and the channel is as good as before once the hour is over", async () => {
    const shop = open();
    const buyer = await chain.buyer(shop.fetch);
    expect((await buyer.fetch(`${WORK}?n=1`)).status).toBe(200);
    failures(shop);
    const refused = await untilRefused(() => buyer.fetch(`${WORK}?n=2`));
    expect(await refused.json()).toMatchObject({ code: "TOO_MANY_FAILURES", status: 429 });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3000);
    expect(shop.runs()).toBe(21);
    shop.behaviours.length = 0;
    shop.ahead.ms = 3_601_000;
    const again = await buyer.fetch(`${WORK}?n=2`);
    expect([again.status, receiptOf(again).extra.channelState.chargedCumulativeAmount]).toEqual([200, "2000"]);
  });

  it("is counted over all channels of a wallet, over instances, and with its credit", async () => {
    const store = sharedStore();
    const [one, other] = [open({ store }), open({ store })];
    const buyer = await chain.buyer(one.fetch);
    const second = await chain.buyer(other.fetch, { account: buyer.account, salt: `0x${"01".repeat(32)}` });
    for (const shop of [one, other]) failures(shop);
    const token = await createCredits(store, () => Date.now()).issue("earlier", buyer.account.address, 1_000_000n);
    const byCredit = () => one.fetch(`${WORK}?n=3`, { headers: { "x-svc-credit": token } });
    const asks = [() => buyer.fetch(`${WORK}?n=2`), () => second.fetch(`${WORK}?n=2`), byCredit];
    let calls = 0;
    await untilRefused(() => (asks[calls++ % 3] as (typeof asks)[0])());
    expect(one.runs() + other.runs()).toBe(20);
    for (const ask of asks) expect((await ask()).status).toBe(429);
    expect(one.runs() + other.runs()).toBe(20);
  });

  it("makes no deposit once the budget is spent", async () => {
    const store = sharedStore();
    const shop = open({ store });
    const buyer = await chain.buyer(shop.fetch);
    failures(shop);
    const token = await createCredits(store, () => Date.now()).issue("earlier", buyer.account.address, 1_000_000n);
    await untilRefused(() => shop.fetch(`${WORK}?n=3`, { headers: { "x-svc-credit": token } }));
    const settled = shop.events.filter(({ outcome }) => outcome === "deposited").length;
    expect((await buyer.fetch(`${WORK}?n=2`)).status).toBe(429);
    expect(shop.events.filter(({ outcome }) => outcome === "deposited")).toHaveLength(settled);
  });

  it("costs a call that succeeds one read more, beside the write that it waits for anyway", async () => {
    const asked: string[] = [];
    const store = sharedStore();
    const note = (what: string, key: string) => void asked.push(`${what} ${key.split(":")[0]}`);
    const counting: Store = {
      ...store,
      async get(key) {
        note("get", key);
        return store.get(key);
      },
      async put(key, ...rest) {
        note("put", key);
        return store.put(key, ...rest);
      },
    };
    const shop = open({ store: counting });
    const buyer = await chain.buyer(shop.fetch);
    for (const n of [1, 2]) await buyer.fetch(`${WORK}?n=${n}`);
    asked.length = 0;
    expect((await buyer.fetch(`${WORK}?n=3`)).status).toBe(200);
    expect(asked).toEqual(["get failures", "put channel", "put reply"]);
  });
});
