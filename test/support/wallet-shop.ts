/** A host that keeps state for wallets, with a fake facilitator: what the tests of paid operations drive. */
import type { PrivateKeyAccount } from "viem/accounts";
import type { AnyCapability } from "../../src/capability/types.js";
import type { WalletOptions } from "../../src/capability/wallets.js";
import { createHandler } from "../../src/handler/handler.js";
import type { HandlerOptions } from "../../src/host/options.js";
import { silent } from "../../src/lib/logger.js";
import { FACILITATOR_URL, fakeFacilitator } from "./facilitator.js";
import { NETWORK } from "./shop.js";
import { alice, quoteOf, sign, TREASURY, toHeader } from "./wallets.js";

interface WalletShopOptions extends Partial<Omit<HandlerOptions, "capabilities" | "wallets">> {
  capabilities: readonly AnyCapability[];
  wallets: WalletOptions;
  /** Shared with another instance: one chain, one facilitator. */
  facilitator?: ReturnType<typeof fakeFacilitator>;
}

export interface Purchase {
  wallet?: PrivateKeyAccount;
  headers?: Record<string, string>;
}

export function openWalletShop({ facilitator = fakeFacilitator(), ...options }: WalletShopOptions) {
  const handle = createHandler({
    payment: { treasury: { [NETWORK]: TREASURY }, facilitator: { url: FACILITATOR_URL }, rpc: false },
    fetch: facilitator.fetch,
    logger: silent,
    ...options,
  });
  const post = (id: string, input: unknown, headers: Record<string, string> = {}) =>
    handle(
      new Request(`http://shop.test/api/${id.replace(".", "/")}`, {
        method: "POST",
        body: JSON.stringify(input),
        headers,
      }),
      { clientAddress: "203.0.113.7" },
    );

  /** A payment for a call, as the header that presents it. */
  async function payFor(id: string, input: unknown, { wallet = alice, headers = {} }: Purchase = {}): Promise<string> {
    const quote = quoteOf(await post(id, input, headers));
    const [terms] = quote.accepts;
    if (!terms) throw new Error("nothing offered");
    const now = Math.floor((options.clock?.() ?? new Date()).getTime() / 1000);
    const payment = await sign(terms, { now, wallet });
    return toHeader({ ...payment, resource: quote.resource });
  }
  const pay = (id: string, input: unknown, payment: string, headers: Record<string, string> = {}) =>
    post(id, input, { "payment-signature": payment, ...headers });

  return {
    handle,
    facilitator,
    post,
    payFor,
    pay,
    /** Quotes, signs and sends. */
    buy: async (id: string, input: unknown, purchase: Purchase = {}) =>
      pay(id, input, await payFor(id, input, purchase), purchase.headers),
  };
}
export type WalletShop = ReturnType<typeof openWalletShop>;
