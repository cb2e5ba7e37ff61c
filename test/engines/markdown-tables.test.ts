import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import { toMarkdown } from "mdast-util-to-markdown";
import { expect, test } from "vitest";
import { writeMarkdown } from "../../src/engines/markdown/write.js";
import { textTable } from "../../src/engines/office/document.js";

/** All texts of up to four of these signs: what a table's cell may hold, and what Markdown means by it. */
function* textsOf(signs: readonly string[], length = 4): Generator<string> {
  if (length === 0) return;
  for (const sign of signs) {
    yield sign;
    for (const rest of textsOf(signs, length - 1)) yield sign + rest;
  }
}

test("cells are written as the library writes them, those without anything to escape, too", () => {
  const cells = [...textsOf(["a", "1", " ", ".", ",", "%", "-", "*", "|", "é"])].filter((text) => text === text.trim());
  const rows = cells.map((cell) => [cell]);
  const theirs = toMarkdown(
    { type: "root", children: [textTable(rows)] },
    { extensions: [gfmTableToMarkdown({ tablePipeAlign: false })] },
  );
  const [head, , ...rest] = writeMarkdown({ type: "root", children: [textTable(rows)] }).split("\n");
  const [theirHead, , ...theirRest] = theirs.split("\n");
  expect([head, ...rest]).toEqual([theirHead, ...theirRest]);
  expect(cells.length).toBeGreaterThan(5_000);
});
