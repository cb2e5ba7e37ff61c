/** State of wallets that is changed for a voucher: the deposit is what is paid before, and each purchase changes once. */
import "../../support/typescript-workers.js";
import { rm } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { batchRun } from "../../../src/capabilities/batch/index.js";
import { storeKvGet, storeKvIncrement, storeKvPut } from "../../../src/capabilities/store/index.js";
import type { Store } from "../../../src/stores/store.js";
import { type ChannelChain, startChannelChain } from "../../support/channel-chain.js";
import { type ChannelShop, craft, openChannelShop, receiptOf, sharedStore } from "../../support/channel-shop.js";
import { freshFolder } from "../../support/fresh-folder.js";
import { quoteOf } from "../../support/wallets.js";

const INCREMENT = "http://shop.test/api/store/kv-increment";
const GET = "http://shop.test/api/store/kv-get";
const BATCH = "http://shop.test/api/batch/run";
let chain: ChannelChain;
let dataDir = "";
const shops: ChannelShop[] = [];
beforeAll(async () => {
  [chain, dataDir] = await Promise.all([startChannelChain(), freshFolder()]);
});
afterEach(async () => {
  for (const { handle } of shops.splice(0)) await handle.close();
});
afterAll(async () => {
  await chain.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Fails the next writes whose key begins so, before or after they are done. */
function failing(store: Store) {
  const faults: { key: string; done: boolean }[] = [];
  const put: Store["put"] = async (key, ...rest) => {
    const at = faults.findIndex((fault) => key.startsWith(fault.key));
    const [fault] = at < 0 ? [] : faults.splice(at, 1);
    if (fault && !fault.done) throw new Error("connection reset");
    const version = await store.put(key, ...rest);
    if (fault) throw new Error("connection reset");
    return version;
  };
  return { store: { ...store, put }, faults };
}

async function open() {
  const { store, faults } = failing(sharedStore());
  const more = [storeKvIncrement, storeKvGet, storeKvPut, batchRun];
  const shop = openChannelShop(chain, { store, more, wallets: { dataDir } });
  shops.push(shop);
  const buyer = await chain.buyer(shop.fetch);
  const post = (url: string, input: object, headers = {}, info = {}) =>
    shop.handle(new Request(url, { method: "POST", body: JSON.stringify(input), headers }), info);
  await post(INCREMENT, {});
  const buy = (url: string, input: object) => buyer.fetch(url, { method: "POST", body: JSON.stringify(input) });
  /** A voucher for the next call, so that it can be sent more than once. */
  async function voucher(url: string, input: object, charged: bigint): Promise<Record<string, string>> {
    const offer = quoteOf(await post(url, input)).accepts.find(({ scheme }) => scheme === "batch-settlement");
    if (!offer) throw new Error("no channel is offered");
    const { header } = await craft(offer, buyer.account, charged + BigInt(offer.amount));
    return { "payment-signature": header };
  }
  return { shop, buyer, faults, post, buy, voucher };
}

const countOf = async (response: Response) =>
  ((await response.json()) as { data: { items: { value: unknown }[] } }).data.items[0]?.value;
const chargedOf = (response: Response) =>
  BigInt(String(receiptOf(response).extra.channelState.chargedCumulativeAmount));

describe("a wallet's state, for a voucher", () => {
  it("is the payer's, changed and read for what is announced", async () => {
    const { buy, shop } = await open();
    const input = { ns: "plain", key: "n" };
    const first = await buy(INCREMENT, input);
    expect(first.status).toBe(200);
    expect(await countOf(first)).toBe(1);
    expect(receiptOf(first)).toMatchObject({ success: true, payer: expect.stringMatching(/^0x/) });
    expect(await countOf(await buy(INCREMENT, input))).toBe(2);
    expect(await countOf(await buy(GET, input))).toBe(2);
    const many = await buy(BATCH, {
      calls: [1, 2].map(() => ({ endpoint: "store.kv-increment", params: input })),
    });
    expect(many.status).toBe(200);
    expect(await countOf(await buy(GET, input))).toBe(4);
    expect((await shop.handle.ledger()).channels?.lostUsd).toBe("0");
  });

  it("WAL-11 is changed once where the charge or its answer is lost, and charged once", async () => {
    const { buy, faults, post, voucher, shop } = await open();
    const input = { ns: "lost", key: "n" };
    let charged = chargedOf(await buy(INCREMENT, input));
    for (const [i, done] of [false, true].entries()) {
      const headers = await voucher(INCREMENT, input, charged);
      // Tried twice by itself.
      faults.push({ key: "reply:", done }, { key: "reply:", done });
      const lost = await post(INCREMENT, input, headers);
      expect(lost.status).toBe(502);
      shop.ahead.ms += 120_000;
      const again = await post(INCREMENT, input, headers);
      expect(again.status).toBe(200);
      expect(await countOf(again)).toBe(i + 2);
      expect(chargedOf(again)).toBeGreaterThan(charged);
      charged = chargedOf(again);
    }
    expect(await countOf(await buy(GET, input))).toBe(3);
  });

  it("CH-14 is changed anew for an agent that signs the same ceiling again, later than two minutes or after another call", async () => {
    const { post, voucher, buy, shop } = await open();
    const count = { ns: "agent", key: "n" };
    let charged = chargedOf(await buy(INCREMENT, count));
    /** The answer to a voucher, and what the same one brings `after` that. */
    const twice = async (input: object, headers: object, after: () => Promise<unknown>) => {
      const sent = { ...(await voucher(INCREMENT, input, charged)), ...headers };
      const first = await post(INCREMENT, input, sent);
      expect(first.status).toBe(200);
      charged = chargedOf(first);
      const text = await first.text();
      await after();
      const again = await post(INCREMENT, input, sent);
      return { again, isSame: again.status === 200 && (await again.text()) === text };
    };
    const soon = await twice(count, {}, async () => {
      shop.ahead.ms += 119_000;
    });
    expect(soon.isSame).toBe(true);
    expect(soon.again.headers.get("x-svc-replay")).toBe("1");
    const isCorrected = (response: Response) => {
      expect(response.status).toBe(402);
      expect(quoteOf(response).error).toMatch(/cumulative_amount_mismatch/);
    };
    const late = await twice(count, {}, async () => {
      shop.ahead.ms += 121_000;
    });
    isCorrected(late.again);
    const bought = await twice(count, {}, async () => {
      charged = chargedOf(await post(GET, count, await voucher(GET, count, charged)));
    });
    isCorrected(bought.again);
    // A stock buyer signs anew then, and its change is made.
    const fresh = await buy(INCREMENT, count);
    expect(fresh.status).toBe(200);
    expect(await countOf(fresh)).toBe(5);
    charged = chargedOf(fresh);
    const named = await twice(count, { "idempotency-key": "shift-2" }, async () => {
      shop.ahead.ms += 600_000;
    });
    expect(named.isSame).toBe(true);
    // What reads stays as it was bought.
    const read = { ...(await voucher(GET, count, charged)) };
    const first = await post(GET, count, read);
    charged = chargedOf(first);
    const text = await first.text();
    await buy(INCREMENT, count);
    shop.ahead.ms += 600_000;
    expect(await (await post(GET, count, read)).text()).toBe(text);
  });

  it("WAL-12 is charged where it is changed but cannot be answered, and the same voucher fetches the answer", async () => {
    const { buy, post, voucher, shop } = await open();
    const input = { ns: "large", key: "n" };
    const charged = chargedOf(await buy(INCREMENT, input));
    const headers = await voucher(INCREMENT, input, charged);
    const small = { maxResponseBytes: 10 };
    for (let i = 0; i < 2; i++) expect((await post(INCREMENT, input, headers, small)).status).toBe(502);
    const { earnedUsd } = (await shop.handle.ledger()).channels ?? {};
    for (let i = 0; i < 2; i++) {
      const answer = await post(INCREMENT, input, headers);
      expect(answer.status).toBe(200);
      expect(await countOf(answer)).toBe(2);
    }
    expect((await shop.handle.ledger()).channels?.earnedUsd).toBe(earnedUsd);
    expect(await countOf(await buy(GET, input))).toBe(2);
  });
});
