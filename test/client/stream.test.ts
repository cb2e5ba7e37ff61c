/** The client reads streams, and pays for them through a channel by itself, on a chain and with the official payer. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, type StreamedAnswer } from "../../src/client/index.js";
import { createHandler } from "../../src/handler/handler.js";
import { type ChannelChain, startChannelChain } from "../support/channel-chain.js";
import { type ChannelShop, openChannelShop } from "../support/channel-shop.js";
import { talker } from "../support/part-buyer.js";

let chain: ChannelChain;
const shops: ChannelShop[] = [];
beforeAll(async () => {
  chain = await startChannelChain();
});
afterAll(async () => {
  for (const { handle } of shops) await handle.close();
  await chain.stop();
});

async function open(options: Partial<Parameters<typeof createClient>[0]> = {}, shopOptions = {}) {
  const { capability, state } = talker();
  const shop = openChannelShop(chain, { more: [capability], ...shopOptions });
  shops.push(shop);
  const sent: Headers[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    sent.push(request.headers);
    return shop.fetch(request);
  };
  const { payer, account, fetch: payingFetch } = await chain.buyer(fetch);
  const client = createClient<typeof capability>({ baseUrl: "http://shop.test", fetch, pay: payer, ...options });
  /** The streams that vouchers were handed over for. */
  const vouchers = () => sent.flatMap((headers) => headers.get("payment-stream") ?? []);
  return { ...shop, state, client, account, payingFetch, sent, vouchers };
}

async function all<Chunk>(answer: StreamedAnswer<Chunk>): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return chunks;
}

const earned = async ({ handle }: Pick<ChannelShop, "handle">) => (await handle.ledger()).channels?.earnedUsd;

describe("STR-15 the client streams", () => {
  it("through a channel: vouchers follow as the stream asks, and the payer knows what was charged", async () => {
    const shop = await open();
    const answer = shop.client.test.talk.stream({ words: 5 });
    expect(await all(answer)).toEqual([1, 2, 3, 4, 5].map((word) => ({ word })));
    expect(await answer.meta).toMatchObject({ costUsd: "0.01", usage: { authorizedUsd: "0.01", method: "channel" } });
    expect(shop.vouchers()).toHaveLength(4);
    expect(shop.client.$spending()).toEqual({ spentUsd: "0.01", heldUsd: "0" });
    // Each further call signs what follows, without a correction.
    const before = shop.sent.length;
    expect(await all(shop.client.test.talk.stream({ words: 1 }))).toHaveLength(1);
    expect(shop.sent).toHaveLength(before + 2);
    expect(await shop.client.test.talk({ words: 2 })).toEqual({ words: 2 });
    expect(await shop.client.test.talk({ words: 3 })).toEqual({ words: 3 });
    expect(await earned(shop)).toBe("0.022");
  });

  it("ends the work when its reader leaves the loop, and pays for what arrived", async () => {
    const shop = await open();
    const answer = shop.client.test.talk.stream({ words: 100 });
    for await (const { word } of answer) if (word === 2) break;
    await expect(answer.meta).rejects.toThrow(/left before its end/);
    await shop.handle.close();
    expect(Number(await earned(shop))).toBeGreaterThanOrEqual(0.004);
    expect(shop.state.made).toBeLessThanOrEqual(4);
  });

  it("reads what a stream costs that a fetch pays for, and what an error says", async () => {
    const shop = await open({ pay: undefined } as never);
    const client = createClient({ baseUrl: "http://shop.test", fetch: shop.payingFetch }) as typeof shop.client;
    const answer = client.test.talk.stream({ words: 3 });
    expect(await all(answer)).toHaveLength(3);
    expect((await answer.meta).costUsd).toBe("0.006");
    // More than the price covers.
    const longer = client.test.talk.stream({ words: 50 });
    await expect(all(longer)).rejects.toMatchObject({ code: "SPENDING_LIMIT" });
    expect((await longer.meta).costUsd).toBe("0.02");
  });

  it("signs nothing above its limit, whatever the stream asks", async () => {
    const shop = await open({ maxPerCallUsd: "0.01" });
    await expect(all(shop.client.test.talk.stream({ words: 3 }))).rejects.toMatchObject({ code: "SPENDING_LIMIT" });
    expect(await earned(shop)).toBe("0");
  });

  it.each([
    ["above the price", "30000"],
    ["that is no number", "0x10"],
    ["that shrinks", "1"],
  ])("hands over no voucher for a sum %s", async (_, next) => {
    const answers = (request: Request): Response | undefined => {
      if (!request.headers.has("payment-signature")) return undefined;
      const events = [
        'data: {"word":1}',
        `event: payment\ndata: {"stream":"x","next":"${next}"}`,
        'event: meta\ndata: {"meta":{"costUsd":"0.002"},"headers":{}}',
      ];
      return new Response(`${events.join("\n\n")}\n\n`, { headers: { "content-type": "text/event-stream" } });
    };
    const shop = await open();
    const handed: string[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const request = new Request(input, init);
      handed.push(...(request.headers.get("payment-stream") ? ["one"] : []));
      return answers(request) ?? shop.fetch(request);
    };
    const { payer } = await chain.buyer(fetch);
    const client = createClient({ baseUrl: "http://shop.test", fetch, pay: payer }) as typeof shop.client;
    expect(await all(client.test.talk.stream({ words: 3 }))).toEqual([{ word: 1 }]);
    expect(handed).toEqual([]);
  });

  it("resumes a stream whose connection broke with the same payment", async () => {
    const shop = await open();
    let cut = true;
    const payments = new Set<string>();
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const request = new Request(input, init);
      const payment = request.headers.get("payment-signature");
      if (payment && !request.headers.has("payment-stream")) payments.add(payment);
      const response = await shop.fetch(request);
      if (!payment || !cut || !response.body) return response;
      cut = false;
      await response.text();
      return new Response('data: {"word":1}\n\n', { headers: { "content-type": "text/event-stream" } });
    };
    const { payer } = await chain.buyer(fetch);
    const client = createClient({ baseUrl: "http://shop.test", fetch, pay: payer }) as typeof shop.client;
    await expect(all(client.test.talk.stream({ words: 1 }))).rejects.toThrow(/broke off/);
    expect(await all(client.test.talk.stream({ words: 1 }))).toEqual([{ word: 1 }]);
    expect(payments.size).toBe(1);
    expect(await earned(shop)).toBe("0.002");
  });

  it("gives the whole as one chunk where a service does not stream", async () => {
    const { capability } = talker();
    const handle = createHandler({ capabilities: [capability], payment: false });
    const fetch: typeof globalThis.fetch = (input, init) => {
      const request = new Request(input, init);
      request.headers.delete("accept");
      return handle(request);
    };
    const client = createClient<typeof capability>({ baseUrl: "http://shop.test", fetch });
    const answer = client.test.talk.stream({ words: 3 });
    expect(await all(answer)).toEqual([{ words: 3 }]);
    expect((await answer.meta).caller).toBe("free");
    await handle.close();
  });
});
