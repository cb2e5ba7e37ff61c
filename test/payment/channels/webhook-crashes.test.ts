/** Webhooks of processes that die at each step of a voucher, a refund or the look at a loss: told once, and only what was. */
import { describe, expect, it } from "vitest";
import type { ChannelConfig } from "../../../src/payment/rails/evm/channel-typed-data.js";
import type { ChannelChain } from "../../support/channel-chain.js";
import { type ChannelShop, craft, offerOf, openChannelShop, sharedStore, WORK } from "../../support/channel-shop.js";
import { fated } from "../../support/mortal-store.js";
import { newTreasury, onChannelChain } from "../../support/on-channel-chain.js";

const MAX_STEPS = 40;
const LOSSES = 15;
const DELAY = 900;
const URL = "https://host.test/hooks";
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** How far the chain's clock, and with it those of the services, is ahead. */
const ahead = { ms: 0 };
let chain: ChannelChain;
const shops = onChannelChain((started) => {
  chain = started;
});

interface Heard {
  id: string;
  type: string;
  data: { usd?: string; refundedUsd?: string; channelUsd?: string };
}

/** Processes of one service whose host listens. */
async function town() {
  const heard: Heard[] = [];
  const store = sharedStore(ahead);
  const options = {
    ...{ ahead, treasury: newTreasury(), maxTimeoutSeconds: 10_000_000 },
    channels: { withdrawDelaySeconds: DELAY },
    webhooks: [{ url: URL, secret }],
    fetch: (async (input, init) => {
      if (String(input) !== URL) return fetch(input, init);
      heard.push({ id: new Headers(init?.headers).get("webhook-id") ?? "", ...JSON.parse(String(init?.body)) });
      return new Response(null, { status: 204 });
    }) as typeof globalThis.fetch,
  };
  const living = await shops.open({ ...options, store });
  const dying = async (step: number, done: boolean) => {
    const fate = { left: Number.POSITIVE_INFINITY, done, forGood: true };
    const mortal = fated(store, fate);
    // One that is dead never ends what it began.
    const shop = openChannelShop(chain, { ...options, store: mortal.store });
    await shop.fetch(WORK);
    fate.left = step;
    return { shop, failed: mortal.failed };
  };
  const rest = async () => {
    for (let i = 0; i < 4; i++) {
      ahead.ms += 120_000;
      await living.handle.tick();
    }
  };
  const ids = (type: string) => [...new Set(heard.filter((one) => one.type === type).map(({ id }) => id))];
  return { heard, living, dying, rest, ids };
}
type Town = Awaited<ReturnType<typeof town>>;

/** Does something in a process that dies at its step 0, 1, 2 ..., until it needs no more steps. */
async function atEachStep({ dying, rest }: Town, done: boolean, act: (shop: ChannelShop) => Promise<unknown>) {
  for (let step = 0; step < MAX_STEPS; step++) {
    const { shop, failed } = await dying(step, done);
    const work = act(shop);
    const at = await Promise.race([failed, work.then(() => undefined)]);
    await rest();
    if (at === undefined) return step;
  }
  throw new Error("it has more steps than that");
}

const send = (shop: ChannelShop, header: string, n: number) =>
  shop.fetch(`${WORK}?n=${n}`, { headers: { "payment-signature": header } });
const channelsOf = async ({ living }: Town) => (await living.handle.ledger()).channels;
const micros = (usd = "0") => Math.round(Number(usd) * 1e6);

describe.each([false, true])("a process that dies, %s for the step itself,", (done) => {
  it("in a sale by voucher, tells of it exactly if it was charged", async () => {
    const own = await town();
    const buyer = await chain.buyer(own.living.fetch);
    expect((await buyer.fetch(`${WORK}?n=1`)).status).toBe(200);
    const offer = await offerOf(own.living.fetch);
    let n = 1;
    const steps = await atEachStep(own, done, async (shop) => {
      const charged = micros((await channelsOf(own))?.earnedUsd);
      const { header } = await craft(offer, buyer.account, BigInt(charged + 1000));
      n++;
      return send(shop, header, n);
    });
    expect(steps).toBeGreaterThan(2);
    await own.rest();
    expect(own.ids("sale")).toHaveLength(micros((await channelsOf(own))?.earnedUsd) / 1000);
    expect(own.heard.every(({ type, data }) => type === "sale" && data.usd === "0.001")).toBe(true);
  }, 120_000);

  it("in a channel's refund, tells of it exactly if it was made", async () => {
    const own = await town();
    const ids: string[] = [];
    const offer = await offerOf(own.living.fetch);
    await atEachStep(own, done, async (shop) => {
      const buyer = await chain.buyer(own.living.fetch);
      await buyer.fetch(`${WORK}?n=1`);
      const { header, payload } = await craft(offer, buyer.account, 1000n, { payload: { type: "refund" } });
      ids.push(payload.voucher.channelId);
      return shop.fetch(WORK, { headers: { "payment-signature": header } });
    });
    await own.rest();
    const states = await Promise.all(ids.map((id) => chain.stateOf(id)));
    const returned = states.filter(({ balance }) => balance < 1_000_000n).length;
    expect(returned).toBeGreaterThan(0);
    expect(own.ids("refund")).toHaveLength(returned);
  }, 120_000);

  it("while it sees a loss, tells of it once", async () => {
    const own = await town();
    const offer = await offerOf(own.living.fetch);
    const lose = async (shop: ChannelShop) => {
      const buyer = await chain.buyer(own.living.fetch);
      await buyer.fetch(`${WORK}?n=1`);
      const { payload } = await craft(offer, buyer.account, 1n);
      const config = payload.channelConfig as ChannelConfig;
      await chain.withdraw.begin(buyer.account, config, 1_000_000n);
      await chain.passTime(DELAY + 1);
      ahead.ms += (DELAY + 1) * 1000;
      await chain.withdraw.end(buyer.account, config);
      return shop.handle.tick();
    };
    // A round looks at each channel that was lost before, so its steps grow.
    for (let step = 0; step < LOSSES; step++) {
      const { shop, failed } = await own.dying(2 * step, done);
      await Promise.race([failed, lose(shop)]);
      await own.rest();
    }
    for (let i = 0; i < 3; i++) await own.rest();
    const lost = own.heard.filter(({ type }) => type === "channel.loss");
    const sums = new Map(lost.map(({ id, data }) => [id, micros(data.channelUsd)]));
    expect([...sums.values()].reduce((all, one) => all + one, 0)).toBe(micros((await channelsOf(own))?.lostUsd));
    expect(sums.size).toBeGreaterThan(0);
  }, 240_000);
});
