import { describe, expect, test } from "vitest";
import { average, cellsOfRows, relationsOf, scoreOf } from "../../../scripts/suites/table-score.mjs";
import { pdfToMarkdown } from "../../../src/capabilities/pdf/to-markdown.js";
import { pdfOf, ruleFrom, textAt } from "../../support/pdf.js";

type Input = Parameters<typeof pdfToMarkdown>[0];
const convert = async (pages: string[], more: Partial<Input> = {}) => {
  const file = pdfOf({ pages: pages.map((content) => ({ content })) }).toString("base64");
  return (await pdfToMarkdown({ file, ...more })).items[0];
};

const ROWS = [
  ["Tea", "Degrees", "Minutes"],
  ["Green", "80", "2"],
  ["Black", "100", "4"],
  ["White", "75", "5"],
];
/** A table at x = 50, 150 and 250, downwards from y = 600 in steps of 20. */
const tableAt = (rows: string[][], top = 600) =>
  rows.map((row, r) => row.map((text, c) => textAt(50 + 100 * c, top - 20 * r, text, 10)).join("")).join("");
const markdownOf = ([head = [], ...rows]: string[][]) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

test("headings by their size, paragraphs without the hyphens of line ends, lists", async () => {
  const page = [
    textAt(50, 780, "On tea", 24),
    textAt(50, 740, "Boil fresh water, and wait until it is a lit-", 10),
    textAt(50, 727, "tle cooler before you pour it over the leaves.", 10),
    textAt(50, 700, "Kinds", 16),
    textAt(50, 680, "\u2022", 10) + textAt(70, 680, "Green tea", 10),
    textAt(50, 667, "\u2022", 10) + textAt(70, 667, "Black tea", 10),
    textAt(50, 640, "1. Boil", 10),
    textAt(50, 627, "2. Pour", 10),
  ].join("");
  const document = await convert([page.replaceAll("\u2022", "\\225")]);
  expect(document).toMatchObject({ pageCount: 1, title: "On tea", tables: [], notes: [] });
  expect(document?.markdown).toBe(
    "# On tea\n\nBoil fresh water, and wait until it is a little cooler before you pour it over the leaves.\n\n## Kinds\n\n* Green tea\n* Black tea\n\n1. Boil\n2. Pour\n",
  );
});

describe("numbers in parentheses", () => {
  const lines = (...texts: string[]) => texts.map((text, i) => textAt(50, 700 - 13 * i, text, 10)).join("");
  const read = async (...pages: string[][]) => (await convert(pages.map((page) => lines(...page))))?.markdown;

  test.each([
    [["(415) 555-0199"], "(415) 555-0199\n"],
    [["(12) items were ordered"], "(12) items were ordered\n"],
    [["12) items were ordered"], "12\\) items were ordered\n"],
    [["Call us:", "(1) 555-0199 on weekdays"], "Call us:\n\n(1) 555-0199 on weekdays\n"],
    [["(415) 555-0199", "(416) 555-0100"], "(415) 555-0199 (416) 555-0100\n"],
    [["(2) two", "(3) three"], "(2) two (3) three\n"],
    [["(1) one", "(3) three"], "(1) one (3) three\n"],
    [["(1) one", "(2) two", "(415) 555-0199"], "1. one\n2. two (415) 555-0199\n"],
    [["1) one", "2) two", "3) three"], "1. one\n2. two\n3. three\n"],
    [["(a) one", "goes on", "(b) two"], "(a) one goes on\n\n(b) two\n"],
    [["(i) one", "(ii) two"], "(i) one\n\n(ii) two\n"],
    [["(i) one", "(a) two"], "(i) one (a) two\n"],
    [["12. December", "3. January"], "12. December\n\n3) January\n"],
  ])("%j", async (texts, markdown) => {
    expect(await read(texts)).toBe(markdown);
  });

  test("go on with the list of the page before", async () => {
    expect(await read(["(1) one", "(2) two"], ["(3) three"])).toBe("1. one\n2. two\n3. three\n");
    expect(await read(["(1) one", "(2) two"], ["(5) five"])).toBe("1. one\n2. two\n\n(5) five\n");
  });
});

describe("tables", () => {
  test("whose cells lines divide, with cells over several columns", async () => {
    const lines = [0, 1, 2, 3, 4].map((r) => ruleFrom(45, 613 - 20 * r, 345, 613 - 20 * r));
    const columns = [45, 145, 245, 345].map((x) => ruleFrom(x, 613, x, 533));
    const document = await convert([
      textAt(50, 700, "Before", 12) + tableAt(ROWS) + [...lines, ...columns].join("") + textAt(50, 400, "After", 12),
    ]);
    expect(document?.tables).toEqual([{ page: 1, rows: ROWS, bbox: [45, 229, 345, 309], ruled: true }]);
    expect(document?.markdown).toBe(`Before\n\n${markdownOf(ROWS)}\n\nAfter\n`);
  });

  test("whose columns white space divides", async () => {
    const document = await convert([tableAt(ROWS)]);
    expect(document?.tables).toMatchObject([{ page: 1, rows: ROWS, ruled: false }]);
  });

  test("whose cells have several lines", async () => {
    const rows =
      textAt(50, 600, "Earl", 10) +
      textAt(150, 600, "95", 10) +
      textAt(250, 600, "bergamot and", 10) +
      textAt(250, 588, "black tea", 10) +
      tableAt(
        [
          ["Mint", "100", "leaves alone"],
          ["Rose", "90", "hips"],
        ],
        565,
      );
    expect((await convert([rows]))?.tables[0]?.rows).toEqual([
      ["Earl", "95", "bergamot and black tea"],
      ["Mint", "100", "leaves alone"],
      ["Rose", "90", "hips"],
    ]);
  });

  test("whose head has several lines, under a title and above a label", async () => {
    const lines = [
      [[50, 640, "Weights of tea, by harvest"]],
      [
        [150, 604, "Weight"],
        [250, 604, "Share"],
      ],
      [
        [150, 592, "of leaves"],
        [250, 592, "of buds"],
      ],
      [
        [50, 580, "Tea"],
        [150, 580, "(g)"],
        [250, 580, "(%)"],
      ],
      [[50, 560, "Spring"]],
      [
        [50, 540, "Earl"],
        [150, 540, "95"],
        [250, 540, "12"],
      ],
      [
        [50, 520, "Mint"],
        [150, 520, "100"],
        [250, 520, "7"],
      ],
      [
        [50, 500, "Rose"],
        [150, 500, "90"],
        [250, 500, "3"],
      ],
    ] as const;
    const page = lines
      .flat()
      .map(([x, y, text]) => textAt(x, y, text, 10))
      .join("");
    expect((await convert([page]))?.tables[0]?.rows.slice(-5)).toEqual([
      ["Tea", "Weight of leaves (g)", "Share of buds (%)"],
      ["Spring", "", ""],
      ["Earl", "95", "12"],
      ["Mint", "100", "7"],
      ["Rose", "90", "3"],
    ]);
  });

  test("are left alone if nobody asks for them, and prose in columns is none", async () => {
    expect((await convert([tableAt(ROWS)], { tables: false }))?.tables).toEqual([]);
    const prose = Array.from(
      { length: 8 },
      (_, i) =>
        textAt(50, 700 - 13 * i, "These words fill a column of prose well", 10) +
        textAt(310, 700 - 13 * i, "and those fill another one beside it", 10),
    ).join("");
    expect((await convert([prose]))?.tables).toEqual([]);
  });
});

test("headers and footers that pages repeat are left out, and told", async () => {
  const page = (i: number) =>
    textAt(50, 810, "Tea Quarterly", 9) + textAt(50, 500, `Text ${"abc"[i]}`, 10) + textAt(290, 30, `Page ${i + 1}`, 9);
  const document = await convert([page(0), page(1), page(2)]);
  expect(document?.markdown).toBe("Text a\n\nText b\n\nText c\n");
  expect(document?.notes).toEqual(["headers and footers that pages repeat are left out: Tea Quarterly; Page #"]);
});

test("what looks like Markdown is text", async () => {
  expect((await convert([textAt(50, 700, "# 1 * 2 * 3 <b>", 10)]))?.markdown).toBe("\\# 1 \\* 2 \\* 3 \\<b>\n");
});

/** The example of the competition's definition: relations of neighbours, blank cells passed over. */
describe("the score of tables", () => {
  test("counts neighbours to the right and below, over blank cells", () => {
    expect(
      relationsOf(
        cellsOfRows([
          ["A", "", "B"],
          ["C", "D", ""],
        ]),
      ).sort(),
    ).toEqual(["a ↓ c", "a → b", "c → d"].sort());
  });

  test("of a cell over two columns counts each neighbour once", () => {
    const cells = [
      { text: "Head", row: 0, column: 0, columns: 2 },
      { text: "x", row: 1, column: 0 },
      { text: "y", row: 1, column: 1 },
    ];
    expect(relationsOf(cells).sort()).toEqual(["head ↓ x", "head ↓ y", "x → y"].sort());
  });

  test("is precision and recall of relations, each as often as it is there", () => {
    const wanted = relationsOf(cellsOfRows([["A", "B", "C"]]));
    const found = relationsOf(cellsOfRows([["A", "B"]]));
    expect(scoreOf(found, wanted)).toEqual({ right: 1, found: 1, wanted: 2 });
    expect(scoreOf([...found, ...found], wanted)).toEqual({ right: 1, found: 2, wanted: 2 });
    expect(average([scoreOf(found, wanted)])).toEqual({ precision: 1, recall: 0.5, f: expect.closeTo(2 / 3) });
  });
});

describe("a hostile PDF ends", () => {
  const many = (count: number, one: (i: number) => string) => Array.from({ length: count }, (_, i) => one(i)).join("");
  test.each([
    [
      "20,000 lines across and down",
      many(
        10_000,
        (i) =>
          ruleFrom(i % 500, i % 700, (i % 500) + 90, i % 700) + ruleFrom(i % 500, i % 700, i % 500, (i % 700) + 90),
      ),
    ],
    ["5,000 words", many(5_000, (i) => textAt((i * 37) % 590, (i * 53) % 840, "w", 4))],
    [
      "a grid of 250,000 cells",
      many(500, (i) => ruleFrom(0, i * 1.6, 590, i * 1.6) + ruleFrom(i * 1.1, 0, i * 1.1, 800)),
    ],
  ])(
    "%s",
    async (_, content) => {
      const outcome = await convert([content]).catch((error: { status: number }) => error.status);
      expect(typeof outcome === "number" ? outcome : typeof outcome?.markdown).toBeOneOf(["string", 400, 422]);
    },
    20_000,
  );
});
