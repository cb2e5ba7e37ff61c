/** A reseller of somebody's endpoint, in batches too: what is paid there comes back from its buyers (ATK-7). */
import { batchRun } from "../../../src/capabilities/batch/index.js";
import { createClient } from "../../../src/client/index.js";
import { createHandler } from "../../../src/handler/handler.js";
import { resold } from "../../../src/resell/index.js";
import { createMemoryStore } from "../../../src/stores/memory/memory.js";
import { doubled } from "../../support/doubled.js";
import { quoteOf, TREASURY, toHeader } from "../../support/wallets.js";
import { contractWallet, NETWORK, signFor, TREASURIES } from "../wallets.js";
import type { Market } from "./world.js";

const PRICE = 1000n;
/** As much may go unanswered. */
const UNANSWERED_USD = "0.005";
const MOST_LOST = 5000n;

const logger = { debug() {}, info() {}, warn() {}, error() {} };

interface Sent {
  payload: { authorization: { from: string; nonce: string } };
}

export async function resell(world: Market): Promise<void> {
  const { random, timeline } = world;
  const [failure, lost, leaves] = [random.pick([0, 0.1, 0.4]), random.pick([0, 0.1, 0.3]), random.pick([0, 0.2])];
  const clock = () => new Date(timeline.now);
  let serial = 0;

  /** Settles what it is sent, and adds it up. */
  const payments = () => {
    const settled = new Map<string, bigint>();
    const facilitator = {
      supported: async () => ({ kinds: [{ x402Version: 2, scheme: "exact", network: NETWORK }] }),
      verify: async ({ payload }: Sent) => ({ isValid: true, payer: payload.authorization.from }),
      async settle({ payload }: Sent, { amount }: { amount: string }) {
        await timeline.sleep(random.int(10, 2000));
        const { from: payer, nonce } = payload.authorization;
        settled.set(nonce, BigInt(amount));
        return { success: true, transaction: nonce, network: NETWORK, payer };
      },
    };
    const sum = () => [...settled.values()].reduce((all, amount) => all + amount, 0n);
    return { facilitator: facilitator as never, sum };
  };
  const [there, here] = [payments(), payments()];

  const their = doubled(async (n) => {
    await timeline.sleep(random.int(1, 400));
    return n % 13 !== 0 && !random.chance(failure);
  });
  const shared = { trial: false as const, clock, logger };
  const origin = createHandler({
    ...{ ...shared, capabilities: [their], store: createMemoryStore({ clock }) },
    payment: { treasury: { [NETWORK]: TREASURY }, facilitator: there.facilitator, rpc: false },
  });
  const wallet = contractWallet(1);
  const sign = (terms: never) => signFor(terms, { wallet, now: timeline.now, serial: serial++ });
  const client = createClient({
    baseUrl: "http://origin.test",
    fetch: async (input, init) => {
      await timeline.sleep(random.int(1, 100));
      if (random.chance(lost / 2)) throw new TypeError("fetch failed");
      const answer = await origin(new Request(input, init));
      if (random.chance(lost)) throw new TypeError("fetch failed");
      return answer;
    },
    pay: {
      createPaymentPayload: async ({ accepts: [terms] }: { accepts: never[] }) => (await sign(terms as never)).payment,
    } as never,
  });
  const shop = createHandler({
    ...{ ...shared, store: createMemoryStore({ clock }), pricing: { markup: 1.5 } },
    capabilities: [...resold([their], client, { maxUnansweredUsd: UNANSWERED_USD }), batchRun],
    payment: { treasury: { [NETWORK]: TREASURIES[1] }, facilitator: here.facilitator, rpc: false },
  });

  /** Buys a batch, of which more often than not one call fails, and asks again for an answer that did not come. */
  async function buyer(id: number): Promise<void> {
    const own = contractWallet(100 + id);
    for (let i = random.int(2, 8); i > 0; i--) {
      const calls = Array.from({ length: random.int(1, 6) }, () => random.int(1, 1000));
      if (random.chance(0.6)) calls.push(13);
      const body = JSON.stringify({ calls: calls.map((n) => ({ endpoint: "their.work", params: { n } })) });
      const post = (headers: Record<string, string>, signal?: AbortSignal) =>
        shop(
          new Request("http://shop.test/api/batch/run", {
            ...{ method: "POST", body, headers: { "content-type": "application/json", ...headers } },
            ...(signal ? { signal } : {}),
          }),
        );
      const [terms] = quoteOf(await post({})).accepts;
      if (!terms) continue;
      const { payment } = await signFor(terms, { wallet: own, now: timeline.now, serial: serial++ });
      for (let tries = 0; tries < 3; tries++) {
        const leaving = random.chance(leaves) ? new AbortController() : undefined;
        if (leaving) timeline.at(random.int(1, 3000), () => leaving.abort());
        const { status } = await post({ "payment-signature": toHeader(payment as never) }, leaving?.signal);
        timeline.note(() => `buyer ${id}: ${calls.length} calls, ${status}`);
        if (status < 500) break;
        await timeline.sleep(random.int(500, 5000));
      }
      await timeline.sleep(random.int(0, 20_000));
    }
  }

  await Promise.all(Array.from({ length: random.int(1, 4) }, (_, id) => buyer(id)));
  await timeline.sleep(600_000);
  await shop.reconcile();
  const [paid, earned] = [there.sum(), here.sum()];
  const cost = (earned * 2n) / 3n;
  timeline.note(() => `${paid} were paid there, ${earned} came in here`);
  if (paid > cost + MOST_LOST + PRICE) world.fail("ATK-7", `${paid} were paid there, ${earned} came in here`);
}
