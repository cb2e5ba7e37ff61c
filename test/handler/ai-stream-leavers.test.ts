/** Readers of ai.chat that leave, or take their time: what they pay, and what they hold up. */
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, it, vi } from "vitest";
import { CHAT, EVENTS, openAiShop } from "../support/ai-shop.js";
import { readUntil } from "../support/events.js";
import { type Asked, modelRow } from "../support/model-server.js";
import { bob } from "../support/wallets.js";

/** Each is a token or more in the smallest vocabularies, and three or four bytes. */
const ODD = "ꙮ𒐫ߘ᠀".repeat(400);
const isStreamed = ({ body }: Asked) => body.stream === true;
const DEAR = { input: "0.00001", output: "0.00005" };

type Shop = Awaited<ReturnType<typeof openAiShop>>;

/** Opens a stream that is paid for, reads until `enough`, and leaves. */
async function leaveAfter(shop: Shop, body: object, enough: (text: string) => boolean): Promise<void> {
  const leaving = new AbortController();
  const response = await shop.post(body, { ...EVENTS, ...(await shop.sign(body)) }, leaving.signal);
  expect(response.status).toBe(200);
  if (response.body) await readUntil(response.body.getReader(), enough);
  leaving.abort();
  await vi.waitFor(() => expect(shop.paid()).toHaveLength(1));
}

describe("a reader that leaves a stream of words", () => {
  const body = { ...CHAT, messages: [{ role: "user", content: ODD }] };
  const isBegun = (text: string) => text.includes("one");

  it("pays for a prompt of odd characters what the gateway bills for it, though it leaves after the first word", async () => {
    const shop = await openAiShop({ words: ["one"], ending: "stall" });
    await leaveAfter(shop, body, isBegun);
    const [paid = 0n] = shop.paid();
    // Every byte may be a token: so the price was quoted, and less was billed by three.
    const billed = BigInt(Buffer.byteLength(ODD)) * 10n;
    expect(paid).toBeGreaterThanOrEqual((billed * 12n) / 10n);
    expect(paid).toBeLessThanOrEqual(BigInt(Math.ceil((Buffer.byteLength(ODD) + 24) * 10 + 1000 * 50) * 1.2));
  });

  it("pays for odd characters of the answer as for those of the prompt", async () => {
    const shop = await openAiShop({ words: [ODD.slice(0, 100), "one"], ending: "stall" });
    await leaveAfter(shop, CHAT, isBegun);
    expect(shop.paid()[0]).toBeGreaterThanOrEqual((BigInt(Buffer.byteLength(ODD.slice(0, 100))) * 50n * 12n) / 10n);
  });

  it("pays what the gateway told, if it told it before the reader left", async () => {
    const usage = { prompt_tokens: 1200, completion_tokens: 900, total_tokens: 2100, cost: 0.007 };
    const shop = await openAiShop({ words: ["one", ..."x".repeat(30)], usage });
    const payment = await shop.sign(body);
    const response = await shop.handle(
      new Request("http://shop.test/api/ai/chat", {
        method: "POST",
        headers: { "content-type": "application/json", ...EVENTS, ...payment },
        body: JSON.stringify(body),
      }),
    );
    const reader = response.body?.getReader();
    await reader?.read();
    // The gateway has long ended.
    await new Promise((resolve) => setTimeout(resolve, 200));
    await reader?.cancel();
    await vi.waitFor(() => expect(shop.paid()).toEqual([8400n]));
  });

  it("pays for thoughts that a model hides as for all that it may say", async () => {
    const models = [{ ...modelRow("test/dear", DEAR), tags: ["reasoning"] }];
    const hidden = await openAiShop({ words: ["one"], ending: "stall" }, { models });
    await leaveAfter(hidden, CHAT, isBegun);
    expect(hidden.paid()).toEqual([60_312n]);
    const shown = await openAiShop({ words: [{ reasoning: "hm" }, "one"], ending: "stall" }, { models });
    await leaveAfter(shown, CHAT, isBegun);
    expect(shown.paid()).toEqual([1000n]);
  });

  it("does not count as a failure of the gateway, however many leave", async () => {
    const shop = await openAiShop(({ body: { messages } }) =>
      messages[0]?.content === "stay" ? { words: ["one"] } : { words: ["one"], ending: "stall" },
    );
    for (let n = 0; n < 7; n++) {
      const leaving = new AbortController();
      const response = await shop.post(CHAT, { ...EVENTS, ...(await shop.sign()) }, leaving.signal);
      if (response.body) await readUntil(response.body.getReader(), isBegun);
      leaving.abort();
      await vi.waitFor(() => expect(shop.paid()).toHaveLength(n + 1));
    }
    const stays = { ...CHAT, messages: [{ role: "user", content: "stay" }] };
    expect((await shop.post(stays, { ...EVENTS, ...(await shop.sign(stays)) })).status).toBe(200);
  });
});

describe("readers that take their time", () => {
  const slow = async (shop: Shop, wallet = privateKeyToAccount(generatePrivateKey())) => {
    const payment = await shop.sign(CHAT, wallet);
    const response = await shop.handle(
      new Request("http://shop.test/api/ai/chat", {
        method: "POST",
        headers: { "content-type": "application/json", ...EVENTS, ...payment },
        body: JSON.stringify(CHAT),
      }),
    );
    const reader = response.body?.getReader();
    if (response.status === 200) await reader?.read();
    return { status: response.status, reader };
  };

  it("hold no place at the gateway once the model has ended", async () => {
    const shop = await openAiShop((asked) => (isStreamed(asked) ? { words: ["one", "two", "three"] } : "Hello"));
    const readers = await Promise.all(Array.from({ length: 24 }, () => slow(shop)));
    expect(readers.map(({ status }) => status)).toEqual(Array(24).fill(200));
    const begun = performance.now();
    const other = await shop.post(CHAT, await shop.sign(CHAT, bob));
    expect(other.status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(2000);
    await Promise.all(readers.map(({ reader }) => reader?.cancel()));
  });

  it("of one payer are bounded, and others are served meanwhile, though the model goes on and on", async () => {
    const shop = await openAiShop((asked) => (isStreamed(asked) ? { words: ["one"], ending: "stall" } : "Hello"), {
      payment: false,
    });
    const open = (clientAddress: string) =>
      shop.handle(
        new Request("http://shop.test/api/ai/chat", {
          method: "POST",
          headers: { "content-type": "application/json", ...EVENTS },
          body: JSON.stringify(CHAT),
        }),
        { clientAddress },
      );
    const answers = await Promise.all(Array.from({ length: 30 }, () => open("203.0.113.7")));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(16).fill(200), ...Array(14).fill(429)]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get("retry-after")).toBe("2");
    const other = await open("203.0.113.8");
    expect(other.status).toBe(200);
    await Promise.all([other, ...answers].map(({ body }) => body?.cancel()));
    await vi.waitFor(async () => {
      const last = await open("203.0.113.7");
      await last.body?.cancel();
      expect(last.status).toBe(200);
    });
  });
});
