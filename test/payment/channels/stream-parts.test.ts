/** Streams that a channel pays by one voucher after the other, on a chain and with real signatures. */
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChannelChain, startChannelChain } from "../../support/channel-chain.js";
import { type ChannelShop, type ChannelShopOptions, openChannelShop, sharedStore } from "../../support/channel-shop.js";
import { fated } from "../../support/mortal-store.js";
import { partBuyer, TALK, talker } from "../../support/part-buyer.js";

let chain: ChannelChain;
const shops: ChannelShop[] = [];
beforeAll(async () => {
  chain = await startChannelChain();
});
afterAll(async () => {
  for (const { handle } of shops) await handle.close();
  await chain.stop();
});

function openShop(options: ChannelShopOptions = {}, before?: (word: number) => Promise<void> | void) {
  const { capability, state } = talker(before);
  const shop = openChannelShop(chain, { more: [capability], ...options });
  if (options.more === undefined) shops.push(shop);
  return { ...shop, state };
}

/** A channel with a deposit, of which $0.001 is charged, and its buyer. */
async function open(options: ChannelShopOptions = {}, before?: (word: number) => Promise<void> | void) {
  const shop = openShop(options, before);
  const stock = await chain.buyer(shop.fetch);
  expect((await stock.fetch("http://shop.test/api/test/work?n=1")).status).toBe(200);
  return { ...shop, account: stock.account, buyer: await partBuyer(shop.fetch, stock.account, 1000n) };
}

const earned = async ({ handle }: Pick<ChannelShop, "handle">) => (await handle.ledger()).channels?.earnedUsd;
const paidBy = (response: Response) => response.status;

describe("STR-11 a stream is paid by vouchers, a chunk at a time", () => {
  it("asks for the next voucher when the last is used up, and charges what was sent", async () => {
    const shop = await open();
    const { buyer } = shop;
    expect(buyer.offer.extra.minPart).toBe("200");
    const stream = await buyer.begin(await buyer.voucher(2000n));
    expect(stream.response.status).toBe(200);
    for (const part of [4000n, 6000n, 8000n, 10_000n]) {
      const ask = await stream.asked();
      const due = `0.00${Number(part) / 1000 - 2}`;
      expect(ask).toEqual({
        stream: stream.id,
        dueUsd: due,
        paidUsd: due,
        next: String(part),
        nextUsd: `0.0${String(part).padStart(5, "0")}`.replace(/0+$/, ""),
        waitSeconds: 30,
      });
      // Not a chunk ahead of what is paid, and one is made.
      expect(shop.state.made).toBe(Number(part) / 2000);
      const taken = await buyer.hand(stream.id, await buyer.voucher(part));
      expect(taken.status).toBe(200);
      expect(await taken.json()).toMatchObject({ stream: stream.id, message: "Voucher taken" });
    }
    const told = await stream.end();
    expect(told.chunks).toHaveLength(5);
    expect(told.isWhole).toBe(true);
    expect(told.meta).toMatchObject({
      costUsd: "0.01",
      usage: { authorizedUsd: "0.01", usedUsd: "0.01", settledUsd: "0.01", method: "channel" },
    });
    expect(await earned(shop)).toBe("0.011");
    // The stock buyer of the same wallet goes on from there.
    const next = await partBuyer(shop.fetch, shop.account, 11_000n);
    expect((await (await next.begin(await next.voucher(20_000n), 2)).end()).meta.costUsd).toBe("0.004");
  });

  it("takes a voucher that was handed over before it was asked for", async () => {
    const shop = await open();
    const { buyer } = shop;
    const stream = await buyer.begin(await buyer.voucher(2000n), 5);
    expect(paidBy(await buyer.hand(stream.id, await buyer.voucher(20_000n)))).toBe(200);
    const told = await stream.end();
    expect(told.chunks).toHaveLength(5);
    expect(stream.text()).not.toContain("event: payment");
    expect(told.meta.costUsd).toBe("0.01");
  });

  it("ends with what was paid for when no voucher comes in time", async () => {
    const shop = await open({ channels: { voucherWaitSeconds: 1 } });
    const { buyer } = shop;
    const first = await buyer.voucher(4000n);
    const stream = await buyer.begin(first);
    const told = await stream.end();
    expect(told.chunks).toHaveLength(2);
    expect(told.error.code).toBe("SPENDING_LIMIT");
    expect(told.meta).toMatchObject({ costUsd: "0.004", usage: { authorizedUsd: "0.004" } });
    expect(shop.state.made).toBe(3);
    expect(await earned(shop)).toBe("0.005");
    // Late, for a stream that is over.
    const late = await buyer.hand(stream.id, await buyer.voucher(6000n));
    expect(late.status).toBe(402);
    expect(((await late.json()) as { error: string }).error).toMatch(/No stream of this name/);
    // The same payment gets the same events again.
    const again = await (await buyer.begin(first)).end();
    expect(again.chunks).toHaveLength(2);
    expect(await earned(shop)).toBe("0.005");
  });

  it("charges a reader that leaves what it took, and what it had made beyond that counts as its failure", async () => {
    const shop = await open();
    const { buyer } = shop;
    const left = new AbortController();
    const stream = await buyer.begin(await buyer.voucher(2000n), 5, { signal: left.signal });
    await stream.asked();
    left.abort();
    await shop.handle.close();
    expect(await earned(shop)).toBe("0.003");
    expect((await shop.store.get(`failures:${shop.account.address.toLowerCase()}`))?.value).toContain("2000");
  });

  it("wants the whole price for a chunk whose cost is not reported", async () => {
    const shop = await open();
    const { buyer } = shop;
    const stream = await buyer.begin(await buyer.voucher(2000n), 5, { silent: true });
    expect(await stream.asked()).toMatchObject({ dueUsd: "0", next: "20000" });
    expect(paidBy(await buyer.hand(stream.id, await buyer.voucher(20_000n)))).toBe(200);
    const told = await stream.end();
    expect(told.chunks).toHaveLength(5);
    expect(told.meta.costUsd).toBe("0.01");
  });

  it("is sold by one voucher for the whole price alone where the host waits for none", async () => {
    const shop = await open({ channels: { voucherWaitSeconds: 0 } });
    const { buyer } = shop;
    expect(buyer.offer.extra).not.toHaveProperty("minPart");
    expect((await buyer.begin(await buyer.voucher(2000n))).response.status).toBe(402);
    expect((await (await buyer.begin(await buyer.voucher(20_000n))).end()).isWhole).toBe(true);
  });

  it("begins with no less than the smallest part, and an answer at once is paid whole", async () => {
    const { buyer, fetch } = await open();
    expect((await buyer.begin(await buyer.voucher(199n))).response.status).toBe(402);
    expect((await buyer.begin(await buyer.voucher(2000n, {}, 20_000n))).response.status).toBe(402);
    const header = await buyer.voucher(2000n);
    expect((await fetch(`${TALK}?words=3`, { headers: { "payment-signature": header } })).status).toBe(402);
  });
});

describe("a stream in parts whose price changes", () => {
  it.each(["0.02", "0.5", "0.000001"])("to %s while it runs is charged what was sent", async (usd) => {
    const change = { wanted: false };
    const shop = await open({}, async (word) => {
      if (word === 2 && change.wanted) await shop.handle.setPrice("test.talk" as never, usd);
    });
    const { buyer } = shop;
    change.wanted = true;
    const stream = await buyer.begin(await buyer.voucher(2000n), 3);
    for (const part of [4000n, 6000n]) {
      expect(await stream.asked()).toMatchObject({ next: String(part) });
      expect(paidBy(await buyer.hand(stream.id, await buyer.voucher(part)))).toBe(200);
    }
    const told = await stream.end();
    expect([told.isWhole, told.chunks.length]).toEqual([true, 3]);
    expect(told.meta).toMatchObject({ costUsd: "0.006", quotedUsd: "0.02" });
    expect(await earned(shop)).toBe("0.007");
  });

  it.each([false, true])(
    "before its end, where it tells what it used (silent: %s), asks for no more",
    async (silent) => {
      const shop = await open();
      const { buyer } = shop;
      const signed = await buyer.voucher(20_000n);
      await shop.handle.setPrice("test.talk" as never, "0.02");
      const told = await (await buyer.begin(signed, 3, { silent })).end();
      expect(told.meta).toMatchObject({ costUsd: "0.006", quotedUsd: "0.02" });
      expect(await earned(shop)).toBe("0.007");
    },
  );

  it("goes on as quoted where its first voucher was signed before", async () => {
    const shop = await open();
    const { buyer } = shop;
    const first = await buyer.voucher(2000n);
    await shop.handle.setPrice("test.talk" as never, "0.5");
    const stream = await buyer.begin(first, 3, { silent: true });
    expect(await stream.asked()).toMatchObject({ next: "20000" });
    expect(paidBy(await buyer.hand(stream.id, await buyer.voucher(20_000n)))).toBe(200);
    expect((await stream.end()).meta).toMatchObject({ costUsd: "0.006", quotedUsd: "0.02" });
  });
});

describe("STR-12 a voucher that does not pay for the stream is refused, and changes nothing", () => {
  const others: [string, (shop: Awaited<ReturnType<typeof open>>, id: string) => Promise<Response>][] = [
    ["a copy of the last", async ({ buyer }, id) => buyer.hand(id, await buyer.voucher(4000n))],
    ["one that shrinks", async ({ buyer }, id) => buyer.hand(id, await buyer.voucher(3000n))],
    ["one that rises too little", async ({ buyer }, id) => buyer.hand(id, await buyer.voucher(4001n))],
    ["one above the price of the stream", async ({ buyer }, id) => buyer.hand(id, await buyer.voucher(20_001n))],
    [
      "a stranger's signature",
      async ({ buyer }, id) =>
        buyer.hand(id, await buyer.voucher(8000n, { signer: privateKeyToAccount(generatePrivateKey()) })),
    ],
    [
      "another buyer's channel",
      async ({ fetch, buyer }, id) => {
        const stock = await chain.buyer(fetch);
        expect((await stock.fetch("http://shop.test/api/test/work?n=1")).status).toBe(200);
        const other = await partBuyer(fetch, stock.account, 1000n);
        return buyer.hand(id, await other.voucher(8000n));
      },
    ],
    [
      "another channel of the same buyer",
      async ({ buyer }, id) =>
        buyer.hand(id, await buyer.voucher(8000n, { config: { salt: `0x${"01".repeat(32)}` } as never })),
    ],
    ["one for another stream", async ({ buyer }) => buyer.hand(crypto.randomUUID(), await buyer.voucher(8000n))],
    ["a refund", async ({ buyer }, id) => buyer.hand(id, await buyer.voucher(8000n, { payload: { type: "refund" } }))],
    [
      "a payment by another scheme",
      async ({ buyer }, id) => {
        const exact = Buffer.from(
          JSON.stringify({ x402Version: 2, accepted: { ...buyer.offer, scheme: "exact" }, payload: {} }),
        ).toString("base64");
        return buyer.hand(id, exact);
      },
    ],
  ];

  it.each(others)("%s", async (_, send) => {
    const shop = await open();
    const { buyer } = shop;
    const stream = await buyer.begin(await buyer.voucher(2000n), 3);
    await stream.asked();
    expect(paidBy(await buyer.hand(stream.id, await buyer.voucher(4000n)))).toBe(200);
    await stream.asked();
    const { channelId } = JSON.parse(Buffer.from(await buyer.voucher(1n), "base64").toString()).payload.voucher;
    const key = `channel:${chain.network}:${channelId}`;
    const before = await shop.store.get(key);
    const refused = await send(shop, stream.id);
    expect(refused.status).toBe(402);
    expect(Buffer.from(refused.headers.get("payment-required") ?? "", "base64").toString()).not.toContain(
      "voucherState",
    );
    expect(await shop.store.get(key)).toEqual(before);
    expect(paidBy(await buyer.hand(stream.id, await buyer.voucher(6000n)))).toBe(200);
    expect((await stream.end()).meta.costUsd).toBe("0.006");
    expect(await shop.store.get(key)).toBeDefined();
  });

  it("a copy of the one for the whole price", async () => {
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { buyer } = await open({}, (word) => (word === 3 ? held : undefined));
    const stream = await buyer.begin(await buyer.voucher(2000n), 3);
    await stream.asked();
    const whole = await buyer.voucher(20_000n);
    expect(paidBy(await buyer.hand(stream.id, whole))).toBe(200);
    expect(paidBy(await buyer.hand(stream.id, whole))).toBe(402);
    goOn();
    expect((await stream.end()).meta.costUsd).toBe("0.006");
  });

  it("takes one of two that come at once, and neither is counted twice", async () => {
    const shop = await open();
    const { buyer } = shop;
    const stream = await buyer.begin(await buyer.voucher(2000n), 3);
    await stream.asked();
    const header = await buyer.voucher(6000n);
    const taken = await Promise.all(Array.from({ length: 6 }, () => buyer.hand(stream.id, header)));
    expect(taken.map(paidBy).sort()).toEqual([200, 402, 402, 402, 402, 402]);
    expect((await stream.end()).meta.costUsd).toBe("0.006");
  });
});

describe("STR-13 a stream in parts over two instances, and after a crash", () => {
  it("takes its vouchers at another instance", async () => {
    const store = sharedStore();
    const shop = await open({ store });
    const second = openShop({ store });
    const { buyer } = shop;
    const stream = await buyer.begin(await buyer.voucher(2000n), 3);
    for (const part of [4000n, 6000n]) {
      await stream.asked();
      expect(paidBy(await buyer.hand(stream.id, await buyer.voucher(part), second.fetch))).toBe(200);
    }
    const told = await stream.end();
    expect(told.chunks).toHaveLength(3);
    expect(told.meta.costUsd).toBe("0.006");
    expect(await earned(second)).toBe("0.007");
  });

  it("is charged what was sent when its process dies, by the round of another instance, and once", async () => {
    const ahead = { ms: 0 };
    const store = sharedStore(ahead);
    const living = await open({ store, ahead });
    const fate = { left: Number.POSITIVE_INFINITY, done: false, forGood: true };
    const mortal = fated(store, fate);
    const { capability } = talker();
    const dying = openShop({ store: mortal.store, ahead, more: [capability] });
    const buyer = await partBuyer(dying.fetch, living.account, 1000n);
    const first = await buyer.voucher(2000n);
    const stream = await buyer.begin(first, 5);
    await stream.asked();
    expect(paidBy(await buyer.hand(stream.id, await buyer.voucher(4000n), living.fetch))).toBe(200);
    expect(await stream.asked()).toMatchObject({ dueUsd: "0.004" });
    expect(paidBy(await buyer.hand(stream.id, await buyer.voucher(6000n), living.fetch))).toBe(200);
    fate.left = 0;
    await mortal.failed;

    // The reserve holds until the lease is over, and then what was sent is charged.
    expect(await earned(living)).toBe("0.001");
    ahead.ms += 120_000;
    await living.handle.reconcile();
    expect(await earned(living)).toBe("0.005");
    const late = await buyer.hand(stream.id, await buyer.voucher(8000n), living.fetch);
    expect(late.status).toBe(402);
    // The same payment tells what became of it, and is not charged again.
    const back = await partBuyer(living.fetch, living.account, 1000n);
    const told = await (await back.begin(first, 5)).end();
    expect(told.error.detail).toMatch(/stopped in the middle/);
    expect(told.meta).toMatchObject({ costUsd: "0.004" });
    expect(await earned(living)).toBe("0.005");
    // The channel sells on, and the voucher that came last is there to claim with.
    const next = await partBuyer(living.fetch, living.account, 5000n);
    expect((await (await next.begin(await next.voucher(20_000n), 2)).end()).meta.costUsd).toBe("0.004");
    const before = (await chain.account("0x209693Bc6afc0C5328bA36FaF03C514EF312287C")).claimed;
    ahead.ms += 86_400_000 / 2;
    await living.handle.reconcile();
    const { claimed } = await chain.account("0x209693Bc6afc0C5328bA36FaF03C514EF312287C");
    expect(claimed - before).toBeGreaterThanOrEqual(9000n);
  });

  it.each([false, true])(
    "dies at a step, %s for the step itself: charged at most what was sent, and never twice",
    async (done) => {
      const ahead = { ms: 0 };
      const store = sharedStore(ahead);
      const living = await open({ store, ahead });
      const charged = async () => BigInt(Math.round(Number(await earned(living)) * 1e6));
      let steps = 0;
      for (let isWhole = false; !isWhole; steps++) {
        const fate = { left: Number.POSITIVE_INFINITY, done, forGood: true };
        const mortal = fated(store, fate);
        const dying = openShop({ store: mortal.store, ahead, more: [talker().capability] });
        const before = await charged();
        const buyer = await partBuyer(dying.fetch, living.account, before);
        const first = await buyer.voucher(2000n);
        fate.left = steps;
        const play = async () => {
          const stream = await buyer.begin(first, 2);
          sofar = stream.text;
          for (const part of [4000n]) {
            await stream.asked();
            await buyer.hand(stream.id, await buyer.voucher(part), living.fetch);
          }
          return (await stream.end()).isWhole;
        };
        let sofar = () => "";
        isWhole = await Promise.race([play(), mortal.failed.then(() => false)]);
        const sent = BigInt(sofar().split('{"word":').length - 1) * 2000n;
        ahead.ms += 120_000;
        await living.handle.reconcile();
        const once = (await charged()) - before;
        expect(once, `step ${steps}`).toBeLessThanOrEqual(isWhole ? 4000n : sent);
        if (once === 0n) continue;
        // The same payment is not charged again, and runs nothing.
        const back = await partBuyer(living.fetch, living.account, before);
        const { made } = living.state;
        expect((await (await back.begin(first, 2)).end()).meta.costUsd).toBe(`0.00${once / 1000n}`);
        expect(living.state.made).toBe(made);
        expect((await charged()) - before).toBe(once);
      }
      expect(steps).toBeGreaterThan(8);
    },
  );
});
