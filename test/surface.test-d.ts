/** The exports that no other type test holds. */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { capabilities } from "../src/capabilities/index.js";
import { type CapabilityError as ClientError, createClient } from "../src/client/index.js";
import {
  binary,
  CapabilityError,
  createHandler,
  defineCapability,
  type ERROR_CODES,
  type ErrorCode,
  legacy,
  renamed,
} from "../src/index.js";
import { createMcpServer, serveStdio } from "../src/mcp/index.js";
import type { Rail } from "../src/payment/index.js";
import { resold } from "../src/resell/index.js";
import { anthropicTools } from "../src/tools/index.js";
import { type Micros, multiply, solanaRail, uptoRail } from "../src/x402/index.js";

const handle = createHandler({ capabilities, payment: false });

test("errors name their code and status, in a client as in a host", () => {
  const error = new CapabilityError("INVALID_INPUT", "value: must be a number", {
    issues: [{ path: "value", message: "must be a number" }],
  });
  expectTypeOf(error.code).toEqualTypeOf<ErrorCode>();
  expectTypeOf(error.status).toBeNumber();
  expectTypeOf<keyof typeof ERROR_CODES>().toEqualTypeOf<ErrorCode>();
  expectTypeOf<ClientError>().toEqualTypeOf<CapabilityError>();
  // @ts-expect-error: no such code.
  new CapabilityError("NO_SUCH_CODE", "");
});

test("shapes of results: a file, an answer as it is, and another name", async () => {
  const facts = { summary: "Draws.", price: "0.001", source: { provider: "test", url: "", license: "MIT" } } as const;
  const input = () => z.strictObject({ size: z.int() });
  const draw = defineCapability({
    ...facts,
    id: "test.draw",
    input,
    output: binary("image/png"),
    example: { size: 1 },
    run: () => ({ contentType: "image/png", body: new Uint8Array() }),
  });
  expectTypeOf(draw({ size: 1 })).resolves.toHaveProperty("body");
  const plain = defineCapability({
    ...facts,
    id: "test.plain",
    input,
    output: legacy(() => z.object({ size: z.number() })),
    example: { size: 1 },
    run: ({ size }) => ({ size }),
  });
  expectTypeOf(plain({ size: 1 })).resolves.toHaveProperty("size");
  expectTypeOf(renamed(draw, "test.old")).toBeCallableWith({ size: 1 });
});

test("models reach a host by the Model Context Protocol", () => {
  expectTypeOf(createMcpServer(handle, { tools: ["convert"] })).toEqualTypeOf<Server>();
  expectTypeOf(serveStdio(handle)).resolves.toBeVoid();
  expectTypeOf(anthropicTools(capabilities)).toBeArray();
});

test("what another origin sells is a list of capabilities", () => {
  const client = createClient({ baseUrl: "https://api.example.com" });
  const theirs = resold(capabilities, client, { maxUnansweredUsd: "1" });
  createHandler({ capabilities: theirs, payment: false });
  // @ts-expect-error: a client of ours, which knows what a call cost.
  resold(capabilities, fetch);
});

test("rails and money", () => {
  expectTypeOf(uptoRail).returns.toExtend<Rail>();
  expectTypeOf(solanaRail).returns.toExtend<Rail>();
  expectTypeOf(multiply).returns.toEqualTypeOf<Micros>();
});
