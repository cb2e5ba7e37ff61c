/** A stock buyer of channels reads a stream: one voucher reserves the most, and what was used is charged. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { legacy } from "../../../src/capability/output.js";
import { defineOwnCapability } from "../../../src/capability/own/own.js";
import { type ChannelChain, startChannelChain } from "../../support/channel-chain.js";
import { openChannelShop } from "../../support/channel-shop.js";
import { readEvents } from "../../support/events.js";

let chain: ChannelChain;
beforeAll(async () => {
  chain = await startChannelChain();
});
afterAll(() => chain.stop());

const talk = defineOwnCapability({
  id: "test.talk",
  summary: "Talks, by the word.",
  price: "0.02",
  billing: "upto",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ words: z.int().min(1).max(100).describe("How many") }),
  output: legacy(() => z.object({ words: z.number() })),
  example: { words: 3 },
  async *stream({ words }, { meter }) {
    for (let word = 1; word <= words; word++) {
      meter.add("0.002");
      yield { word };
    }
    return { words };
  },
});

it("STR-8 a stock buyer of channels pays for the words of each stream by voucher", async () => {
  const shop = openChannelShop(chain, { more: [talk] });
  const buyer = await chain.buyer(shop.fetch);
  for (const words of [3, 4, 2]) {
    const response = await buyer.fetch(`http://shop.test/api/test/talk?words=${words}`, {
      headers: { accept: "text/event-stream" },
    });
    expect(response.status).toBe(200);
    const told = readEvents(await response.text());
    expect(told.chunks).toHaveLength(words);
    expect(told.meta.usage).toMatchObject({ usedUsd: `0.00${2 * words}`, method: "channel" });
  }
  expect((await shop.handle.ledger()).channels).toBeDefined();
  await shop.handle.close();
});
