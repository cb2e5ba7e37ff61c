import { describe, expect, test } from "vitest";
import { textChunk } from "../../../src/capabilities/text/chunk.js";

type Input = Parameters<typeof textChunk>[0];
const cut = async (input: Input) => (await textChunk(input)).items[0]?.chunks ?? [];
const BY = ["characters", "sentences", "markdown", "paragraphs"] as const;

test("Markdown is cut at its headings, which each chunk has", async () => {
  const text = "# Tea\n\nBoil water.\n\n## Green\n\nWait.\n\n```\n# no heading\n\n```\n\n# Coffee\n";
  expect(await cut({ text, by: "markdown", max: 60 })).toMatchObject([
    { index: 0, start: 0, text: "# Tea\n\nBoil water.\n\n", headings: ["Tea"] },
    { text: "## Green\n\nWait.\n\n```\n# no heading\n\n```\n\n", headings: ["Tea", "Green"] },
    { text: "# Coffee\n", headings: ["Coffee"], end: text.length },
  ]);
});

test("sentences and paragraphs stay whole where they fit", async () => {
  const text = "It is 3.5 m. Dr. No came! Why?\n\nNobody knows. The end.";
  expect((await cut({ text, by: "sentences", max: 30 })).map((chunk) => chunk.text)).toEqual([
    "It is 3.5 m. Dr. No came! ",
    "Why?\n\nNobody knows. The end.",
  ]);
  expect((await cut({ text, by: "paragraphs", max: 40 })).map((chunk) => chunk.start)).toEqual([0, 32]);
});

describe.each(BY)("by %s", (by) => {
  const text = `# A\n\n${"Words and 👨‍👩‍👧 and é̂, 🇩🇪🇫🇷. ".repeat(30)}\r\n\r\n${"x".repeat(300)}`;
  test.each([1, 7, 50, 400])("pieces of %i are the text, and split no character", async (max) => {
    const chunks = await cut({ text, by, max });
    expect(chunks.map((chunk) => chunk.text).join("")).toBe(text);
    const starts = new Set([...new Intl.Segmenter("en").segment(text)].map(({ index }) => index).concat(text.length));
    expect(chunks.every(({ start, end }) => starts.has(start) && starts.has(end))).toBe(true);
    const longest = Math.max(...[...new Intl.Segmenter("en").segment(text)].map(({ segment }) => segment.length));
    expect(Math.max(...chunks.map((chunk) => chunk.text.length))).toBeLessThanOrEqual(Math.max(max, longest));
  });

  test("an overlap repeats the end of the chunk before", async () => {
    const chunks = await cut({ text, by, max: 60, overlap: 20 });
    expect(chunks.every((chunk) => chunk.text === text.slice(chunk.start, chunk.end) && chunk.text.length <= 60)).toBe(
      true,
    );
    expect(chunks.slice(1).every((chunk, at) => chunk.start <= (chunks[at]?.end ?? 0))).toBe(true);
    expect(chunks.at(-1)?.end).toBe(text.length);
  });

  test.each([
    ["one character of 100,000 units", `e${"\u0301".repeat(100_000)}`],
    ["flags", "🇩🇪".repeat(50_000)],
    ["blank lines", "\n \n".repeat(60_000)],
    ["headings", "# a\n".repeat(20_000)],
  ])("ends for %s", async (_, text) => {
    const chunks = await cut({ text, by });
    expect(chunks.at(-1)?.end).toBe(text.length);
  });
});

test.each<[string, Partial<Input>]>([
  ["text", { text: "" }],
  ["text", { text: "a".repeat(500_001) }],
  ["max", { max: 0 }],
  ["max", { max: 20_001 }],
  ["overlap", { max: 10, overlap: 10 }],
  ["overlap", { text: "a".repeat(100_000), max: 20_000, overlap: 19_999 }],
  ["language", { language: "not a tag" }],
])("refuses %s", async (path, input) => {
  await expect(cut({ text: "a", ...input })).rejects.toMatchObject({ status: 400, issues: [{ path }] });
});
