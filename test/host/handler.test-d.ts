import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { capabilities } from "../../src/capabilities/index.js";
import type { AnyCapability } from "../../src/capability/types.js";
import {
  type CallEvent,
  createHandler,
  defineCapability,
  type EdgePaymentOptions,
  type Handler,
  type HandlerOptions,
  one,
  type PaymentOptions,
} from "../../src/index.js";

const greet = defineCapability({
  id: "test.greet",
  summary: "Greets by name.",
  price: "0.001",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ name: z.string(), loud: z.boolean().default(false) }),
  output: one(z.object({ text: z.string() })),
  example: { name: "Ada" },
  run: ({ name }) => ({ item: { text: name } }),
});

test("handle.call knows ids, inputs and results of what is mounted", async () => {
  const handle = createHandler({ capabilities: [...capabilities, greet], payment: false });
  expectTypeOf(handle.call("test.greet", { name: "Ada" })).resolves.toHaveProperty("items");
  const { items } = await handle.call("convert.unit", { value: 1, from: "kg", to: "lb" });
  expectTypeOf(items[0]?.result).toEqualTypeOf<number | undefined>();
  // @ts-expect-error: "value" is a number.
  handle.call("convert.unit", { value: "1", from: "kg", to: "lb" });
  // @ts-expect-error: no such field.
  handle.call("test.greet", { name: "Ada", quiet: true });
  // @ts-expect-error: nothing of this id is mounted.
  handle.call("test.unknown", {});
});

test("where ids are only known as text, any id and input may be tried", () => {
  const handle = createHandler({ capabilities: capabilities as readonly AnyCapability[], payment: false });
  expectTypeOf(handle.call).parameter(0).toEqualTypeOf<string>();
  expectTypeOf(handle).toExtend<Handler>();
});

test("every handler fits where any handler is taken, as adapters do", () => {
  const handle = createHandler({ capabilities: [greet], payment: false });
  expectTypeOf(handle).toExtend<Handler>();
  expectTypeOf(handle.tick({ budgetMs: 1000 })).resolves.toEqualTypeOf<number>();
});

test("options: what must be said, and what may be", () => {
  expectTypeOf<HandlerOptions["payment"]>().toEqualTypeOf<PaymentOptions | EdgePaymentOptions | false>();
  // @ts-expect-error: nobody gives work away by accident.
  createHandler({ capabilities: [greet] });
  // @ts-expect-error: a treasury needs a facilitator.
  createHandler({ capabilities: [greet], payment: { treasury: { "eip155:8453": "0x" } } });
  // @ts-expect-error: a signal belongs to one call.
  createHandler({ capabilities: [greet], payment: false, signal: AbortSignal.abort() });
  createHandler({
    capabilities: [greet],
    payment: false,
    onCall(event) {
      expectTypeOf(event).toEqualTypeOf<CallEvent>();
      expectTypeOf(event.kind).toEqualTypeOf<"call" | "refund" | "loss" | "channel" | "budget">();
      if (event.kind === "call") expectTypeOf(event.status).toEqualTypeOf<number>();
      if (event.kind === "loss") expectTypeOf(event.lostUsd).toEqualTypeOf<string>();
      // @ts-expect-error: only a call was answered with a status.
      if (event.kind === "channel") event.status;
    },
  });
});
