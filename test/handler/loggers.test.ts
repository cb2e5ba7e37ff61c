/** The cause of a 500 is for the host alone, in the words of whichever logger it has. */
import { Writable } from "node:stream";
import pino from "pino";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createHandler } from "../../src/handler/handler.js";
import type { Logger } from "../../src/lib/logger.js";

const broken = defineCapability({
  id: "test.broken",
  summary: "Breaks.",
  price: "0.001",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({}),
  output: one(z.object({})),
  example: {},
  run: (_, { logger }) => {
    const cause = new Error("the disk is full", { cause: Object.assign(new Error("no space"), { code: "ENOSPC" }) });
    logger.warn({ error: cause }, "seen by the capability");
    throw cause;
  },
});

const failed = async (logger: Logger) => {
  const handle = createHandler({ capabilities: [broken], payment: false, logger });
  const response = await handle(new Request("http://a.test/api/test/broken"));
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("disk");
};

it("pino tells the cause of a 500, and that of a line of the capability's own, with what caused them", async () => {
  const lines: { msg: string; err?: object }[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  await failed(pino(stream));
  const cause = { type: "Error", stack: expect.stringContaining("loggers.test.ts") };
  expect(lines.filter(({ err }) => err)).toHaveLength(2);
  for (const { err } of lines.filter(({ err }) => err))
    expect(err).toMatchObject({ ...cause, message: "the disk is full: no space" });
});

it("a logger that writes JSON, as winston does, tells it, too", async () => {
  const lines: string[] = [];
  const write = (facts: object, message: string) => void lines.push(JSON.stringify({ ...facts, message }));
  await failed({ debug: write, info: write, warn: write, error: write });
  expect(lines.filter((line) => line.includes("the disk is full") && line.includes("ENOSPC"))).toHaveLength(2);
});

it("the console shows the error itself", async () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  await failed(console as Logger);
  expect(error.mock.calls.flat()).toContainEqual(
    expect.objectContaining({ cause: expect.objectContaining({ message: "the disk is full" }) }),
  );
  vi.restoreAllMocks();
});

it("is asked for its children, whose lines tell as much", () => {
  const lines: object[] = [];
  const write = (facts: object) => void lines.push(facts);
  const logger = { debug: write, info: write, warn: write, error: write, child: () => logger };
  const handle = createHandler({ capabilities: [broken], payment: false, logger });
  handle.logger.child?.({ a: 1 }).error({ error: new Error("x") }, "m");
  expect(lines).toEqual([expect.objectContaining({ err: expect.objectContaining({ message: "x" }) })]);
});
