/** A shop of ai.chat on a real server, before a gateway that a test scripts: what streams to stock clients. */
import { wrapFetchWithPayment } from "@x402/fetch";
import type { PrivateKeyAccount } from "viem/accounts";
import { onTestFinished } from "vitest";
import { serve } from "../../src/adapters/node/index.js";
import { aiChat } from "../../src/capabilities/ai/index.js";
import { payerOf } from "./client.js";
import { fakeClock } from "./clock.js";
import { FACILITATOR_URL } from "./facilitator.js";
import { modelServer } from "./model-server.js";
import { NETWORK, openShop, type ShopOptions } from "./shop.js";
import { signUpto, uptoFacilitator } from "./upto.js";
import { alice, quoteOf, TREASURY, toHeader } from "./wallets.js";

export const CHAT = { model: "test/dear", messages: [{ role: "user" as const, content: "Hi" }], max_tokens: 1000 };
export const EVENTS = { accept: "text/event-stream" };

/** `script` is the gateway's. Payments are by `upto`, for what was used, or by `exact` with the official client. */
export async function openAiShop(
  script: Parameters<typeof modelServer>[0],
  { models, ...options }: ShopOptions & { models?: unknown[] } = {},
) {
  const gateway = await modelServer(script, models ? { models } : {});
  const facilitator = uptoFacilitator();
  const shop = openShop({
    capabilities: [aiChat],
    facilitator,
    secrets: gateway.secrets,
    clock: fakeClock(new Date().toISOString()),
    payment: {
      treasury: { [NETWORK]: TREASURY },
      facilitator: { url: FACILITATOR_URL },
      schemes: ["exact", "upto"],
    },
    fetch: (input, init) =>
      String(input).startsWith(gateway.url) ? globalThis.fetch(input, init) : facilitator.fetch(input, init),
    ...options,
  });
  await new Promise((resolve) => setImmediate(resolve));
  const server = await serve(shop.handle, { port: 0 });
  onTestFinished(async () => {
    await server.close();
    await shop.handle.close();
  });
  const url = `${server.url}/api/ai/chat`;
  const post = (body: object, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
  const sign = async (body: object = CHAT, wallet: PrivateKeyAccount = alice) => {
    const terms = quoteOf(await post(body)).accepts.find(({ scheme }) => scheme === "upto");
    if (!terms) throw new Error("no upto offer");
    return { "payment-signature": toHeader(await signUpto(terms, { wallet })) };
  };
  const { client, signed } = payerOf();
  return {
    ...{ ...shop, facilitator, gateway, server, url, post, sign, signed },
    /** A fetch that pays as the official client does. */
    paying: wrapFetchWithPayment(fetch, client),
    /** What was settled, in atomic units. */
    paid: () => facilitator.settled.map(({ value }) => value),
  };
}
