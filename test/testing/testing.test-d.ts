import { expectTypeOf, test } from "vitest";
import { convertUnit } from "../../src/capabilities/convert/unit.js";
import type { AnyCapability, Handler } from "../../src/index.js";
import { type Bought, type Fault, type TestShop, type TestShopOptions, testShop } from "../../src/testing/index.js";

test("a shop's handler knows ids, inputs and results of what it sells", async () => {
  const { handle } = await testShop({ capabilities: [convertUnit] });
  const { items } = await handle.call("convert.unit", { value: 1, from: "kg", to: "lb" });
  expectTypeOf(items[0]?.result).toEqualTypeOf<number | undefined>();
  // @ts-expect-error: "value" is a number.
  handle.call("convert.unit", { value: "1", from: "kg", to: "lb" });
  // @ts-expect-error: nothing of this id is sold.
  handle.call("text.count", { text: "" });
});

test("a shop fits where any shop is taken", () => {
  expectTypeOf(testShop({ capabilities: [convertUnit] })).resolves.toExtend<TestShop>();
  expectTypeOf<TestShop["handle"]>().toExtend<Handler<readonly AnyCapability[]>>();
});

test("options are those of a host, all but its capabilities with a default", () => {
  testShop({
    capabilities: [convertUnit],
    port: 8402,
    pricing: { markup: 2 },
    payment: { settleFirst: ["convert.unit"] },
  });
  // @ts-expect-error: a shop sells something.
  testShop({});
  // @ts-expect-error: no such option.
  testShop({ capabilities: [convertUnit], ports: 8402 });
  // @ts-expect-error: a shop without payment sells nothing.
  testShop({ capabilities: [convertUnit], payment: false });
  // @ts-expect-error: a port is a number.
  testShop({ capabilities: [convertUnit], port: "8402" });
  // @ts-expect-error: a markup is a number.
  testShop({ capabilities: [convertUnit], pricing: { markup: "2" } });
  expectTypeOf<TestShopOptions["port"]>().toEqualTypeOf<number | undefined>();
});

test("a shop buys, and fails when it is told to", async () => {
  const shop = await testShop({ capabilities: [convertUnit] });
  expectTypeOf(shop.buy("convert.unit", { value: 1 })).resolves.toEqualTypeOf<Bought>();
  expectTypeOf(shop.buy("convert.unit")).resolves.toExtend<Response>();
  expectTypeOf<Fault>().toEqualTypeOf<
    "settlement lost" | "settlement refused" | "facilitator down" | "upstream down"
  >();
  expectTypeOf(shop.fault("settlement lost")).toEqualTypeOf<() => void>();
  // @ts-expect-error: no such fault.
  shop.fault("sun down");
  expectTypeOf(shop.buyerKey).toEqualTypeOf<`0x${string}`>();
  expectTypeOf(shop.balanceOf(shop.treasury as `0x${string}`)).resolves.toBeString();
  expectTypeOf(shop.close()).resolves.toBeVoid();
});
