/** A shop that issues invoices of balances and products. */
import { customersShop } from "../../support/own-account.js";

export const seller = { name: "Shop GmbH", lines: ["Weg 1"], city: "Berlin", postalCode: "10115", country: "DE" };
export const taxed = { ...seller, vatId: "DE123456789" };
export const BUYER = { name: "Käufer & Co <KG>", lines: ["Straße 2"], city: "Wien", postalCode: "1010", country: "AT" };

type Invoices = NonNullable<NonNullable<Parameters<typeof customersShop>[0]>["accounts"]>["invoices"];

export function shopWith(
  invoices: Invoices = { seller: taxed, prefix: "INV-", taxes: [{ percent: "19" }] },
  more = {},
) {
  const topUp = { minUsd: "0.001", maxUsd: "50" };
  return customersShop({
    accounts: { keys: true, topUp, ...(invoices ? { invoices } : {}), closing: { keepDays: 30 } },
    products: [{ id: "ten", title: "Ten calls", priceUsd: "2", grant: { calls: 10 } }],
    ...more,
  });
}
