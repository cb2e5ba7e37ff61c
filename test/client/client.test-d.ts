import { wrapFetchWithPayment, x402Client, x402HTTPClient } from "@x402/fetch";
import { expectTypeOf, test } from "vitest";
import type { convertUnit } from "../../src/capabilities/convert/index.js";
import type { Output } from "../../src/capability/types.js";
import { type CallMeta, createClient, type DeliveryProof } from "../../src/client/index.js";

const client = createClient({ baseUrl: "http://shop.test" });

test("an endpoint has the types of its capability", () => {
  expectTypeOf(client.convert.unit({ value: 1, from: "kg", to: "lb" })).resolves.toEqualTypeOf<
    Output<typeof convertUnit>
  >();
  // @ts-expect-error: a number is no text.
  client.convert.unit({ value: "1", from: "kg", to: "lb" });
  // @ts-expect-error: nothing is left out.
  client.convert.unit({ value: 1 });
  // @ts-expect-error: there is no such endpoint.
  client.convert.units({ value: 1, from: "kg", to: "lb" });
});

test("ids of two words are in camelCase, and what takes no input may be called without", () => {
  expectTypeOf(client.business.brCnpj).toBeFunction();
  expectTypeOf(client.business.kyb360).toBeFunction();
  expectTypeOf(client.crypto.global()).resolves.toHaveProperty("items");
});

test("facts and calls by id are typed as well", () => {
  expectTypeOf(client.convert.unit.withMeta({ value: 1, from: "kg", to: "lb" })).resolves.toEqualTypeOf<{
    data: Output<typeof convertUnit>;
    meta: CallMeta;
    delivery?: DeliveryProof;
  }>();
  expectTypeOf(client.$call("convert.unit", { value: 1, from: "kg", to: "lb" }))
    .resolves.toHaveProperty("data")
    .toEqualTypeOf<Output<typeof convertUnit>>();
  // @ts-expect-error: no such id.
  client.$call("convert.units", {});
});

test("the official payment clients and fetches fit", () => {
  const pay = new x402Client();
  createClient({ baseUrl: "http://shop.test", pay });
  createClient({ baseUrl: "http://shop.test", pay: new x402HTTPClient(pay) });
  createClient({ baseUrl: "http://shop.test", fetch: wrapFetchWithPayment(fetch, pay) });
  createClient<typeof convertUnit>({ baseUrl: new URL("http://shop.test"), maxPerCallUsd: 0.01, maxTotalUsd: "1" });
});
