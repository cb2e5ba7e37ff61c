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
});
