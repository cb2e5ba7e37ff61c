import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { readTable } from "../../../src/upstream/bulk/csv-table.js";

async function rowsOf(text: string, chunk = text.length): Promise<(string | null)[][]> {
  const rows: (string | null)[][] = [];
  const parts = Array.from({ length: Math.ceil(text.length / chunk) }, (_, at) =>
    Buffer.from(text.slice(at * chunk, (at + 1) * chunk)),
  );
  await readTable(Readable.from(parts), ["a"], (row) => rows.push([row("a"), row("b"), row("c")]));
  return rows;
}

test("a table that was cut within its last row is refused, wherever its bytes are divided", async () => {
  for (const chunk of [1, 2, 100]) {
    await expect(rowsOf("a,b,c\n1,2,3\n4,5", chunk)).rejects.toThrow("the last row was cut: it has 2 of 3 cells");
    await expect(rowsOf('a,b,c\n1,2,3\n4,5,"6', chunk)).rejects.toThrow();
  }
});

test("a short row with its line end, and a whole one without, are rows", async () => {
  expect(await rowsOf("a,b,c\n1,2,3\n4,5\n")).toEqual([
    ["1", "2", "3"],
    ["4", "5", null],
  ]);
  expect(await rowsOf("a,b,c\r\n1,2,3")).toEqual([["1", "2", "3"]]);
});
