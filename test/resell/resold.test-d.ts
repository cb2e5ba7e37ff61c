import { expectTypeOf, test } from "vitest";
import { convertUnit } from "../../src/capabilities/convert/unit.js";
import { capabilities } from "../../src/capabilities/index.js";
import { createClient } from "../../src/client/index.js";
import { type AnyCapability, createHandler } from "../../src/index.js";
import { type ResellOptions, resold } from "../../src/resell/index.js";

const client = createClient({ baseUrl: "https://api.example.com" });

test("what is resold keeps its ids, inputs and results", async () => {
  const handle = createHandler({ capabilities: resold([convertUnit], client), payment: false });
  const { items } = await handle.call("convert.unit", { value: 1, from: "kg", to: "lb" });
  expectTypeOf(items[0]?.result).toEqualTypeOf<number | undefined>();
  // @ts-expect-error: "value" is a number.
  handle.call("convert.unit", { value: "1", from: "kg", to: "lb" });
  // @ts-expect-error: nothing of this id is resold.
  handle.call("text.count", { text: "" });
});

test("capabilities of which only the kind is known may be resold, too", () => {
  const some: readonly AnyCapability[] = capabilities;
  expectTypeOf(resold(some, client)).toEqualTypeOf<AnyCapability[]>();
  expectTypeOf(resold(capabilities, client)).toExtend<AnyCapability[]>();
});

test("options: a client that can pay, and the most that may be at risk", () => {
  expectTypeOf(resold).parameter(2).toEqualTypeOf<ResellOptions | undefined>();
  expectTypeOf<ResellOptions["maxUnansweredUsd"]>().toEqualTypeOf<string | undefined>();
  resold([convertUnit], client, { maxUnansweredUsd: "2.50" });
  // @ts-expect-error: amounts are decimal text, which adds up exactly.
  resold([convertUnit], client, { maxUnansweredUsd: 2.5 });
  // @ts-expect-error: no such option.
  resold([convertUnit], client, { maxUsd: "1" });
  // @ts-expect-error: somebody has to be asked.
  resold([convertUnit]);
  // @ts-expect-error: an address is no client.
  resold([convertUnit], "https://api.example.com");
  // @ts-expect-error: an id is no capability.
  resold(["convert.unit"], client);
});
