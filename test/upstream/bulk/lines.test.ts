import { describe, expect, it } from "vitest";
import { linesOf } from "../../../src/upstream/bulk/lines.js";

async function* chunksOf(text: string, size: number) {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(text: string, size: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(chunksOf(text, size))) lines.push(line);
  return lines;
}

describe("linesOf", () => {
  it.each([1, 2, 3, 5, 100])("puts lines and characters together from chunks of %i bytes", async (size) => {
    expect(await collect("Plössen\r\n\nÅland 🛩️\nlast", size)).toEqual(["Plössen", "", "Åland 🛩️", "last"]);
    expect(await collect("ended\n", size)).toEqual(["ended"]);
    expect(await collect("", size)).toEqual([]);
  });

  it("refuses what has no lines", async () => {
    await expect(collect("x".repeat(200_000), 16_384)).rejects.toThrow("does not end");
  });
});
