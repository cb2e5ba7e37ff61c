/** Schemas that callers send, before anything is paid for them. */
import { expect, it, vi } from "vitest";
import { aiExtract } from "../../../src/capabilities/ai/extract.js";

const judged: [name: string, isHere: boolean | undefined][] = [];
vi.mock("../../../src/engines/worker-tasks/pool.js", async (original) => {
  const real = await original<typeof import("../../../src/engines/worker-tasks/pool.js")>();
  const runInWorker: typeof real.runInWorker = (ctx, name, input, options) => {
    judged.push([name, options.isSmall]);
    return real.runInWorker(ctx, name, input, options);
  };
  return { ...real, runInWorker };
});

/** Two members in each of eight levels. */
const tree = (depth: number, leaf: object): object =>
  depth === 0
    ? leaf
    : { type: "object", properties: { a: tree(depth - 1, leaf), b: tree(depth - 1, { type: "string" }) } };

const nothing = () => Promise.reject(new Error("fetched"));
const options = { fetch: nothing, secrets: { AI_GATEWAY_API_KEY: "k" } };

it("LLM-4 a schema that takes long to judge is judged in a thread, and refused by its field as any other", async () => {
  const call = (schema: object) => aiExtract({ url: "https://a.example/", schema: schema as never }, options as never);
  const refused = { code: "INVALID_INPUT", issues: [{ path: "schema" }] };
  await expect(call(tree(8, { type: "strnig" }))).rejects.toMatchObject(refused);
  await expect(call(tree(1, { type: "strnig" }))).rejects.toMatchObject(refused);
  await expect(call(tree(8, { type: "string" }))).rejects.not.toMatchObject({ code: "INVALID_INPUT" });
  expect(judged).toEqual([
    ["json.schema", false],
    ["json.schema", true],
    ["json.schema", false],
  ]);
});
