/** Processes that end, freeze or lose their store at each step of a call: charged once, or not at all, and never stuck. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChannelChain, startChannelChain } from "../../support/channel-chain.js";
import { type ChannelShop, craft, offerOf, openChannelShop, sharedStore, WORK } from "../../support/channel-shop.js";
import { fated } from "../../support/mortal-store.js";

const LEASE_MS = 60_000;
const MAX_STEPS = 12;
let chain: ChannelChain;
const shops: ChannelShop[] = [];
beforeAll(async () => {
  chain = await startChannelChain();
});
afterAll(async () => {
  for (const { handle } of shops) await handle.close();
  await chain.stop();
});

async function open(options: Parameters<typeof openChannelShop>[1] = {}, mortal = false): Promise<ChannelShop> {
  const shop = openChannelShop(chain, options);
  // One that is dead never ends what it began.
  if (!mortal) shops.push(shop);
  await shop.fetch(WORK);
  return shop;
}

const send = (shop: ChannelShop, header: string, n = 2) =>
  shop.fetch(`${WORK}?n=${n}`, { headers: { "payment-signature": header } });
const earned = async (shop: ChannelShop) => (await shop.handle.ledger()).channels?.earnedUsd;

/** A living instance whose buyer owes 1000, and the means to send its next voucher. */
async function begin() {
  const ahead = { ms: 0 };
  const store = sharedStore(ahead);
  const living = await open({ store, ahead });
  const buyer = await chain.buyer(living.fetch);
  expect((await buyer.fetch(`${WORK}?n=1`)).status).toBe(200);
  const offer = await offerOf(living.fetch);
  const voucher = async (ceiling: bigint) => (await craft(offer, buyer.account, ceiling)).header;
  return { ahead, store, living, voucher };
}

describe("a call of a process that", () => {
  it.each([false, true])(
    "CH-21 is killed at a step of it, %s for the step itself, is served by the next, charged once",
    async (done) => {
      const { ahead, store, living, voucher } = await begin();
      const steps: string[] = [];
      for (let step = 0; step < MAX_STEPS; step++) {
        const charged = BigInt((await earned(living))?.slice(2).padEnd(6, "0") ?? 0);
        const header = await voucher(charged + 1000n);
        const fate = { left: Number.POSITIVE_INFINITY, done, forGood: true };
        const mortal = fated(store, fate);
        const dying = await open({ store: mortal.store, ahead }, true);
        mortal.asked.length = 0;
        fate.left = step;
        const answer = send(dying, header);
        const at = await Promise.race([mortal.failed, answer.then(() => undefined)]);
        steps.push(at ?? "none");
        const before = living.runs();
        // Locked no longer than the lease.
        ahead.ms += LEASE_MS;
        expect((await send(living, header)).status, steps.at(-1)).toBe(200);
        const runs = dying.runs() + living.runs() - before;
        // Its outcome was saved, so it is not made again.
        expect(runs, steps.at(-1)).toBeLessThanOrEqual(at === undefined || (done && at === "put reply") ? 1 : 2);
        expect(await earned(living)).toBe(`0.${String(charged + 1000n).padStart(6, "0")}`.replace(/0+$/, ""));
        if (at === undefined) break;
      }
      // The same steps as of a call that goes well: read, its process signed, reserved, saved.
      const read = ["get failures", "get channel", "get reply"];
      expect(new Set(steps)).toEqual(new Set([...read, "put owner", "put channel", "put reply", "none"]));
    },
    20_000,
  );

  it.each([2, 7])(
    "CH-22 froze past its lease is fenced off by call %i: neither its charge nor its answer counts",
    async (n) => {
      const { ahead, store, living, voucher } = await begin();
      const frozen = await open({ store, ahead });
      let thaw = () => {};
      frozen.behaviours.push(
        () =>
          new Promise<void>((resolve) => {
            thaw = resolve;
          }),
      );
      const header = await voucher(2000n);
      const late = send(frozen, header);
      await expect.poll(() => frozen.runs()).toBe(1);
      ahead.ms += LEASE_MS;
      expect((await send(living, header, n)).status).toBe(200);
      thaw();
      expect((await late).status).toBe(502);
      expect(await earned(living)).toBe("0.002");
      expect((await send(living, await voucher(3000n), 4)).status).toBe(200);
    },
  );

  it.each([false, true])(
    "CH-24 loses its store at a step of it, %s for the step itself, gives no answer without a charge and charges none without an answer",
    async (done) => {
      const { ahead, store, living, voucher } = await begin();
      for (let step = 0; step < MAX_STEPS; step++) {
        const charged = BigInt((await earned(living))?.slice(2).padEnd(6, "0") ?? 0);
        const header = await voucher(charged + 1000n);
        const fate = { left: Number.POSITIVE_INFINITY, done, forGood: false };
        const failing = fated(store, fate);
        const shop = await open({ store: failing.store, ahead });
        failing.asked.length = 0;
        fate.left = step;
        const { status } = await send(shop, header);
        const failedAt = failing.asked[step];
        expect([200, 502]).toContain(status);
        const reserved = failing.asked.includes("put reply");
        expect(shop.runs(), failedAt).toBe(reserved ? 1 : 0);
        const next = `0.${String(charged + 1000n).padStart(6, "0")}`.replace(/0+$/, "");
        if (status === 200) expect(await earned(living), failedAt).toBe(next);
        ahead.ms += LEASE_MS;
        expect((await send(living, header)).status, failedAt).toBe(200);
        expect(await earned(living), failedAt).toBe(next);
        if (failedAt === undefined) break;
      }
    },
    20_000,
  );

  it("CH-17 finds the channel free at the same moment as another one's is one of them", async () => {
    const { ahead, store, voucher } = await begin();
    let looking = 2;
    let go = () => {};
    const both = new Promise<void>((resolve) => {
      go = resolve;
    });
    /** Nobody goes on before both have looked. */
    const together: typeof store.get = async (key) => {
      const found = await store.get(key);
      if (!key.startsWith("channel:") || looking === 0) return found;
      if (--looking === 0) go();
      await both;
      return found;
    };
    const twins = [];
    for (let i = 0; i < 2; i++) twins.push(await open({ store: { ...store, get: together }, ahead }));
    const header = await voucher(2000n);
    const answers = await Promise.all(twins.map((twin) => send(twin, header)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(twins.map((twin) => twin.runs()).sort()).toEqual([0, 1]);
  });

  it("CH-25 takes longer than its payment's maxTimeoutSeconds is one run and one charge, for its copies too", async () => {
    const { living, voucher } = await begin();
    const header = await voucher(2000n);
    const payment = JSON.parse(Buffer.from(header, "base64").toString());
    payment.accepted.maxTimeoutSeconds = 1;
    const hasty = Buffer.from(JSON.stringify(payment)).toString("base64");
    let end = () => {};
    living.behaviours.push(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    const first = send(living, hasty);
    await expect.poll(() => living.runs()).toBe(2);
    living.ahead.ms += 5000;
    const copy = send(living, hasty);
    end();
    expect([(await first).status, (await copy).status]).toEqual([200, 200]);
    expect(living.runs()).toBe(2);
    expect(await earned(living)).toBe("0.002");
  });
});
