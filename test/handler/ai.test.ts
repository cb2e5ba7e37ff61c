/** The AI group as buyers meet it: quoted by live prices, paid up to the quote, charged what was used. */
import { describe, expect, it } from "vitest";
import { aiChat, aiCouncil, aiSentiment } from "../../src/capabilities/ai/index.js";
import { bodyOf } from "../support/body.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { modelServer, type Reply } from "../support/model-server.js";
import { openShop } from "../support/shop.js";
import { quoteOf, sign, toHeader } from "../support/wallets.js";

const CHAT = { model: "test/dear", messages: [{ role: "user", content: "Hi" }], max_tokens: 1000 };
const ANSWER = JSON.stringify({ sentiment: "positive", score: 1, confidence: 1, rationale: "" });

async function open(reply: Reply, more: { pricing?: { markup: number } } = {}) {
  const gateway = await modelServer(reply);
  const facilitator = fakeFacilitator();
  const shop = openShop({
    capabilities: [aiChat, aiCouncil, aiSentiment],
    facilitator,
    secrets: gateway.secrets,
    // The gateway over its real socket, the facilitator in here.
    fetch: (input, init) =>
      String(input).startsWith(gateway.url) ? globalThis.fetch(input, init) : facilitator.fetch(input, init),
    ...more,
  });
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    shop.handle(
      new Request(`http://shop.test/api${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
      { clientAddress: "203.0.113.7" },
    );
  const buy = async (path: string, body: object) => {
    const quote = quoteOf(await post(path, body));
    const [terms] = quote.accepts;
    if (!terms) throw new Error("nothing offered");
    const payment = { ...(await sign(terms, { now: shop.clock.seconds() })), resource: quote.resource };
    return post(path, body, { "payment-signature": toHeader(payment) });
  };
  return { ...shop, facilitator, gateway, post, buy };
}

describe("a call of a model", () => {
  it("is quoted by its own input, and charged what the gateway says was used", async () => {
    const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30, cost: 0.005 };
    const { buy, post, facilitator } = await open({ content: "Hello", usage });
    const quoted = quoteOf(await post("/ai/chat", CHAT)).accepts[0]?.amount;
    const response = await buy("/ai/chat", CHAT);
    expect(response.status).toBe(200);
    expect(await bodyOf(response)).toMatchObject({ object: "chat.completion" });
    expect(facilitator.settled).toMatchObject([{ value: BigInt(quoted ?? 0) }]);
    // 26 tokens in and 1000 out of a model of 10 and 50 dollars a million, times 1.2.
    expect(quoted).toBe("60312");
    expect(response.headers.get("x-svc-cost-usd")).toBe("0.006");
  });

  it("sells nothing below what it costs, whatever the host's discount", async () => {
    const plain = await open("Hello");
    const discounted = await open("Hello", { pricing: { markup: 0.1 } });
    const amountOf = async (shop: Awaited<ReturnType<typeof open>>) =>
      quoteOf(await shop.post("/ai/chat", CHAT)).accepts[0]?.amount;
    expect(await amountOf(discounted)).toBe(await amountOf(plain));
  });

  it("LLM-3 settles nothing when the model's answer is unusable, and the same payment buys the next try", async () => {
    const { buy, facilitator, gateway } = await open("nonsense");
    const response = await buy("/ai/sentiment", { text: "Lovely" });
    expect(response.status).toBe(502);
    expect(await bodyOf(response)).toMatchObject({ code: "LLM_BAD_OUTPUT" });
    expect(facilitator.settled).toEqual([]);
    expect(gateway.asked).toHaveLength(2);
  });

  it("LLM-6 of a model that nobody lists is a free 400, before a price is told", async () => {
    const { post, gateway } = await open("Hello");
    const response = await post("/ai/chat", { ...CHAT, model: "nobody/nothing" });
    expect(response.status).toBe(400);
    expect(await bodyOf(response)).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "model" }] });
    expect(gateway.asked).toEqual([]);
  });

  it("is free once within the trial's budget, and never beyond it", async () => {
    const { post, gateway } = await open(ANSWER);
    const trial = { "x-svc-trial": "1" };
    expect((await post("/ai/sentiment", { text: "Lovely" }, trial)).status).toBe(200);
    const dear = await post("/ai/chat", { ...CHAT, max_tokens: 8000 }, trial);
    expect(dear.status).toBe(402);
    expect(gateway.asked).toHaveLength(1);
  });
});

describe("the free menus", () => {
  const menu = async (shop: Awaited<ReturnType<typeof open>>, path: string) =>
    (await shop.handle(new Request(`http://shop.test/api${path}`))).json() as Promise<Record<string, unknown>>;

  it("list the models that can be bought, at this host's prices", async () => {
    const shop = await open("", { pricing: { markup: 1.5 } });
    const { models, total } = (await menu(shop, "/ai/models")) as { total: number; models: { id: string }[] };
    expect(total).toBe(models.length);
    expect(models.map(({ id }) => id)).not.toContain("test/unpriced");
    // A dollar a million tokens, the margin of 1.2, and the host's 1.5.
    expect(models).toContainEqual(
      expect.objectContaining({ id: "test/fast", inputUsdPerMTok: "1.8", outputUsdPerMTok: "9", vendor: "test" }),
    );
    expect(models).toContainEqual(expect.objectContaining({ id: "test/painter", type: "image", imageUsd: "0.072" }));
  });

  it("list the councils that can be seated, and who could sit in one", async () => {
    const shop = await open("");
    const listed = (await menu(shop, "/ai/council/menu")) as { modes: unknown[]; models: { id: string }[] };
    expect(listed.modes).toEqual([]);
    expect(listed.models.map(({ id }) => id)).toEqual(["test/fast", "test/strong", "test/dear", "test/tiered"]);
  });
});
