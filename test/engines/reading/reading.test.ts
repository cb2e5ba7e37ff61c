import { afterAll, describe, expect, test } from "vitest";
import { read } from "../../../src/engines/reading/reading.js";
import { createResources } from "../../../src/lib/resources.js";

const resources = createResources();
const ctx = { resources, signal: new AbortController().signal };
afterAll(() => resources.close());

describe("reading a document in a thread", () => {
  test("answers with the engine's result", async () => {
    const root = await read(ctx, "xml.parse", "<a>1</a>", { field: "text" });
    expect(root).toEqual({ name: "a", attributes: [], children: ["1"] });
  });

  test("refuses what the engine refuses, under the name of the field", async () => {
    await expect(read(ctx, "xml.parse", "<a>", { field: "file" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      status: 400,
      issues: [{ path: "file", message: expect.stringContaining("<a> is not closed") }],
    });
    await expect(read(ctx, "xml.parse", "<a>".repeat(201), { field: "url" })).rejects.toMatchObject({
      code: "RESULT_TOO_LARGE",
      issues: [{ path: "url" }],
    });
  });

  test("a task that may take long keeps none waiting that is read at once", async () => {
    const rows = "<b/>".repeat(150_000);
    const ended: string[] = [];
    const run = (name: string, text: string, taskMs?: number) =>
      read(ctx, "xml.parse", text, { field: "text", ...(taskMs === undefined ? {} : { taskMs }) }).then(() =>
        ended.push(name),
      );
    const long = Array.from({ length: 6 }, () => run("long", `<a>${rows}</a>`, 30_000));
    await run("short", "<a/>");
    // Two threads for six: behind them, the short one would be the fifth to end.
    expect(ended.indexOf("short")).toBeLessThan(4);
    await Promise.all(long);
  });
});
