/** A shop whose customers look at their accounts: by a key, by a wallet's sign-in, or by the session that it opens. */
import { createSIWxPayload, encodeSIWxHeader } from "@x402/extensions/sign-in-with-x";
import type { PrivateKeyAccount } from "viem/accounts";
import { silent } from "../../src/lib/logger.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { NETWORK, openShop, type ShopOptions } from "./shop.js";
import { alice, quoteOf, sign, toHeader } from "./wallets.js";

export const ALICE = `${NETWORK}:${alice.address.toLowerCase()}`;

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind.
type Body = any;

export interface Answered {
  status: number;
  body: Body;
  headers: Headers;
}

export function customersShop(options: ShopOptions = {}) {
  const topUp = { minUsd: "1", maxUsd: "50" };
  const shop = openShop({
    ...{ logger: silent, node: true, store: createMemoryStore() },
    ...{ brand: { baseUrl: "http://shop.test" }, accounts: { keys: true, topUp } },
    ...options,
  });
  const send = async (
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<Answered> => {
    const sent: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
    const init = {
      method,
      headers: { ...sent, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const answer = await shop.handle(new Request(`http://shop.test/api${path}`, init), {
      clientAddress: "203.0.113.7",
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.includes("json");
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
  };
  /** All requests of one key. */
  const by =
    (key: string) =>
    (method: string, path: string, body?: unknown): Promise<Answered> =>
      send(method, path, { headers: { authorization: `Bearer ${key}` }, body });
  const pay = async (path: string, asked: object, wallet: PrivateKeyAccount) => {
    const quoted = await shop.handle(
      new Request(`http://shop.test/api${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(asked),
      }),
      { clientAddress: "203.0.113.7" },
    );
    const [terms] = quoteOf(quoted).accepts;
    if (!terms) throw new Error("nothing offered");
    const payment = toHeader(await sign(terms, { now: shop.clock.seconds(), wallet }));
    const bought = await send("POST", path, { headers: { "payment-signature": payment }, body: asked });
    return {
      requestId: bought.headers.get("x-request-id") ?? "",
      ...(bought.body as { account: string; key: string }),
    };
  };
  const buy = (usd = "5", wallet = alice) => pay("/account/top-up", { usd, key: true }, wallet);
  const buyProduct = (product: string, wallet = alice) => pay("/account/buy", { product, key: true }, wallet);
  /** The proof of a wallet, for the offer in a 401. */
  const proofFor = async ({ body }: Answered, signer: PrivateKeyAccount = alice) => {
    const { info } = body.extensions["sign-in-with-x"];
    const told = { ...info, chainId: NETWORK, type: "eip191" };
    const payload = await createSIWxPayload(told, signer as never, info.uri);
    return { "sign-in-with-x": encodeSIWxHeader(payload) };
  };
  const signIn = async (signer: PrivateKeyAccount = alice) => {
    const proof = await proofFor(await send("POST", "/account/session"), signer);
    return (await send("POST", "/account/session", { headers: proof })).body as { account: string; session: string };
  };
  return { ...shop, accounts: shop.handle.accounts, send, by, buy, buyProduct, proofFor, signIn };
}
