/** The endpoint at which wallets buy the host's products. It is mounted where there are some. */
import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { legacy } from "../../capability/output.js";
import { exactMicros, fromMicros } from "../../lib/money.js";
import type { PaymentAccounts } from "../../payment/accounts/accounts.js";
import { BUY, type Product } from "../../payment/options/accounts.js";
import { answer, assertKeys, boughtBy, OWN } from "./top-up.js";

interface BuyContext {
  products: readonly Product[];
  keys: boolean;
  isMounted(endpoint: string): boolean;
  accounts(): PaymentAccounts | undefined;
}

/** Throws a TypeError for a product that grants nothing, or names an endpoint that is not there. */
function assertProducts(products: readonly Product[], isMounted: (endpoint: string) => boolean): void {
  for (const [i, { id, grant }] of products.entries()) {
    const { usd, calls, days, endpoints } = grant;
    if (products.findIndex((one) => one.id === id) !== i) throw new TypeError(`products: "${id}" is there twice.`);
    if (usd !== undefined && calls !== undefined)
      throw new TypeError(`products: "${id}" grants either usd or calls, not both.`);
    if (usd === undefined && calls === undefined && days === undefined)
      throw new TypeError(`products: "${id}" grants neither usd, calls nor days.`);
    const unknown = endpoints?.find((endpoint) => !isMounted(endpoint));
    if (unknown !== undefined) throw new TypeError(`products: "${id}" names "${unknown}", which is not mounted.`);
  }
}

const grantedBy = ({ title, priceUsd, grant: { usd, calls, days, endpoints } }: Product): string => {
  const what = usd === undefined ? (calls === undefined ? "all calls" : `${calls} calls`) : `${usd} USD`;
  const where = endpoints ? ` of ${endpoints.join(", ")}` : "";
  return `${title} (${what}${where}${days === undefined ? "" : `, for ${days} days`}) at ${priceUsd} USD`;
};

export function createBuy({ products, keys, isMounted, accounts }: BuyContext) {
  assertProducts(products, isMounted);
  const prices = products.map(({ priceUsd }) => exactMicros(priceUsd)).sort((a, b) => (a < b ? -1 : 1));
  const priceOf = (id: string) => exactMicros(products.find((one) => one.id === id)?.priceUsd ?? "0");
  const ids = products.map(({ id }) => id) as [string, ...string[]];
  return defineCapability({
    id: BUY,
    method: "POST",
    summary:
      "Buy a pass or a bundle of calls with one payment: the wallet, or the account of a key, uses it by later calls.",
    keywords: ["prepaid", "pass", "bundle", "subscription", "package", "api key", ...ids],
    price: {
      min: fromMicros(prices[0] ?? 0n),
      max: fromMicros(prices.at(-1) ?? 0n),
      quote: async ({ product }) => priceOf(product),
    },
    composeQuote: async ({ product }) => priceOf(product),
    batchable: false,
    offline: true,
    source: OWN,
    input: () =>
      z.strictObject({
        product: z.enum(ids).describe(products.map((one) => `${one.id}: ${grantedBy(one)}`).join("; ")),
        key: z.boolean().default(false).describe("Whether to answer with a new key, which is shown once"),
      }),
    output: legacy(answer),
    example: { product: ids[0] },
    check: ({ key }) => assertKeys(keys, key),
    run: ({ key }, { wallet }) => boughtBy(accounts(), { payment: wallet?.callId, key }),
  });
}
