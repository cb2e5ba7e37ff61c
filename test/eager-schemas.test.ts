/** Building schemas is most of what importing a capability could cost, and a host imports every one of them. */
import { expect, it, vi } from "vitest";
import { silent } from "../src/lib/logger.js";
import { FACILITATOR_URL } from "./support/facilitator.js";
import { functionUrlEvent } from "./support/lambda-events.js";
import { TREASURY } from "./support/wallets.js";

/** Where a schema was built, from the stack of the call. */
const built = vi.hoisted(() => new Set<string>());

vi.mock("zod", async (original) => {
  const library = await original<typeof import("zod")>();
  const z = new Proxy(library.z, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      // Capitalised ones are classes, for `instanceof`.
      if (typeof value !== "function" || !/^[a-z]/.test(String(name))) return value;
      return (...input: unknown[]) => {
        const files = new Error("built").stack?.match(/src\/[^:?)]+/g) ?? [];
        built.add(files.find((file) => !file.endsWith("/fields.ts")) ?? String(name));
        return Reflect.apply(value, target, input);
      };
    },
  });
  return { ...library, z, default: z };
});

it("importing every capability builds no schema, nor does mounting them; a quote builds those of its own endpoint", async () => {
  const { capabilities } = await import("../src/capabilities/index.js");
  const { createHandler } = await import("../src/index.js");
  const { lambda } = await import("../src/adapters/lambda/index.js");
  const payment = { treasury: { "eip155:8453": TREASURY }, facilitator: { url: FACILITATOR_URL } };
  const answer = lambda(createHandler({ capabilities, payment, logger: silent }));
  expect([...built].sort()).toEqual([]);

  const event = functionUrlEvent({ method: "GET", target: "/api/convert/unit?value=1&from=kg&to=lb" });
  expect((await answer(event)).statusCode).toBe(402);
  expect([...built].sort()).toEqual([
    "src/capabilities/convert/unit.ts",
    "src/capability/json-schema.ts",
    "src/capability/output.ts",
  ]);
});
