import { describe, expect, test } from "vitest";
import type { Rules } from "../../src/engines/pdf/page/rules.js";
import type { Span } from "../../src/engines/pdf/page/spans.js";
import { findTables } from "../../src/engines/pdf/tables/tables.js";
import { runBuiltPdfjs } from "../support/built-pdfjs.js";
import { pdfOf, textAt } from "../support/pdf.js";
import { rowsOf, textOf } from "../support/pdf-spans.js";

const NONE: Rules = { horizontal: [], vertical: [] };
/** Prose that shows that the page has signs for its blanks. */
const PROSE = textOf("Words that stand above the table in one line of prose show how blanks are made here", 40, {
  left: 50,
});
const tablesOf = (spans: Span[], rules = NONE) => findTables([...PROSE, ...spans], rules).map(({ rows }) => rows);

const LABEL = { left: 50 };
const BODY = [
  ["Region", "Sales", "Share", "Sales", "Share"],
  ["North", "1,204", "31.2%", "1,100", "30.0%"],
  ["South", "987", "25.6%", "1,003", "27.4%"],
  ["East", "1,410", "36.5%", "1,322", "36.1%"],
];
const NUMBERS = [150, 200, 250, 300].map((right) => ({ right }));

describe("heads over several columns", () => {
  test("stand in the first of them, and not in the row below", () => {
    const heads = [...textOf("2024", 86, { centre: 162 }), ...textOf("2023", 86, { centre: 262 })];
    expect(tablesOf([...heads, ...rowsOf([LABEL, ...NUMBERS], BODY)])).toEqual([
      [["", "2024", "", "2023", ""], ...BODY],
    ]);
  });

  test("over three columns each, in their middle", () => {
    const columns = [LABEL, ...[120, 160, 200, 260, 300, 340].map((right) => ({ right }))];
    const rows = [
      ["", "n", "low", "high", "n", "low", "high"],
      ["Better", "12", "1.2", "3.1", "31", "2.2", "4.0"],
      ["Same", "30", "0.2", "1.1", "15", "0.1", "0.9"],
      ["Worse", "8", "0.1", "0.3", "4", "0.1", "0.2"],
    ];
    const heads = [...textOf("Placebo", 86, { centre: 155 }), ...textOf("Drug", 86, { centre: 295 })];
    expect(tablesOf([...heads, ...rowsOf(columns, rows)])).toEqual([
      [["", "Placebo", "", "", "Drug", "", ""], ...rows],
    ]);
  });

  test("with a line below that says over which", () => {
    const head = textOf("Costs", 86, { centre: 148 });
    const horizontal = [{ at: 98, from: 120, to: 202 }];
    const rows = BODY.map((row) => row.slice(0, 3));
    expect(tablesOf([...head, ...rowsOf([LABEL, ...NUMBERS], rows)], { ...NONE, horizontal })).toEqual([
      [["", "Costs", ""], ...rows],
    ]);
  });

  test("in two lines are one", () => {
    const heads = [...textOf("Home", 76, { centre: 162 }), ...textOf("matches", 86, { centre: 162 })];
    const away = [...textOf("Away", 76, { centre: 262 }), ...textOf("matches", 86, { centre: 262 })];
    expect(tablesOf([...heads, ...away, ...rowsOf([LABEL, ...NUMBERS], BODY)])[0]?.slice(0, 2)).toEqual([
      ["", "Home matches", "", "Away matches", ""],
      BODY[0],
    ]);
  });
});

describe("gaps", () => {
  test.each([2, 3, 4, 5])("of %d points divide cells where the document has no sign between them", (gap) => {
    const columns = [LABEL, ...[1, 2, 3, 4].map((i) => ({ right: 80 + i * (25 + gap) }))];
    const rows = [["Code", "One", "Two", "Three", "Four"], ...BODY.slice(1)];
    expect(tablesOf(rowsOf(columns, rows))).toEqual([rows]);
  });

  test("of blanks do not, though they stand under each other", () => {
    const rows = [
      ["Name", "Place", "Kind"],
      ["Item 1", "Room 4", "Type A"],
      ["Item 2", "Room 5", "Type B"],
      ["Item 3", "Room 6", "Type C"],
    ];
    expect(tablesOf(rowsOf([LABEL, { left: 100 }, { left: 150 }], rows))).toEqual([rows]);
    // Words that are set one by one, without signs.
    const spans = rowsOf([LABEL, { left: 100 }, { left: 150 }], rows).map((span) => ({ ...span, afterBlank: false }));
    expect(tablesOf(spans)).toEqual([rows]);
  });

  test("before dots that lead to a number do not", () => {
    const rows = ["Tea", "Milk", "Sugar"].map((name, i) => [`${name} . . . . . . .`, `${i + 1}`]);
    expect(tablesOf(rowsOf([LABEL, { right: 200 }], rows))).toEqual([rows]);
  });
});

describe("cells", () => {
  test("whose head stands left of their numbers are one column", () => {
    const heads = [...textOf("Fruit", 100, LABEL), ...textOf("Kilos", 100, { left: 120 })];
    const rows = [
      ["Apples", "12"],
      ["Pears", "7"],
      ["Plums", "104"],
    ];
    expect(tablesOf([...heads, ...rowsOf([LABEL, { right: 220 }], rows, 114)])).toEqual([
      [["Fruit", "Kilos"], ...rows],
    ]);
  });

  test("with a currency's sign apart from the number are one", () => {
    const rows = [
      ["", "2024", "2023"],
      ["Cash", "1,204", "988"],
      ["Stock", "87", "102"],
      ["Total", "1,291", "1,090"],
    ];
    const signs = [1, 3].flatMap((i) => [120, 190].flatMap((left) => textOf("$", 100 + 14 * i, { left })));
    expect(tablesOf([...rowsOf([LABEL, { right: 170 }, { right: 240 }], rows), ...signs])[0]?.[3]).toEqual([
      "Total",
      "$ 1,291",
      "$ 1,090",
    ]);
  });

  test("go on in the lines below, in the last row too", () => {
    const columns = [LABEL, { left: 120 }, { left: 300 }];
    const lines = [
      ["Coupon", "Interest that a bond", "Prospectus"],
      ["", "pays each year", ""],
      ["Yield", "What a buyer earns", "Market"],
      ["Term", "How strongly prices", "Model"],
      ["", "react to interest", ""],
    ];
    expect(tablesOf(rowsOf(columns, lines, 100, 12))).toEqual([
      [
        ["Coupon", "Interest that a bond pays each year", "Prospectus"],
        ["Yield", "What a buyer earns", "Market"],
        ["Term", "How strongly prices react to interest", "Model"],
      ],
    ]);
  });

  test("beside the middle of a cell of two lines are of its row", () => {
    const around = [...textOf("10 December", 115, { left: 120 }), ...textOf("1815", 127, { left: 120 })];
    const rows = [
      ["Name", "Born", "Place"],
      ["", "", ""],
      ["Turing", "23 June 1912", "London"],
      ["Hopper", "9 May 1906", "Paris"],
    ];
    const columns = [LABEL, { left: 120 }, { left: 220 }];
    const beside = [...textOf("Ada", 121, LABEL), ...textOf("London", 121, { left: 220 })];
    expect(tablesOf([...rowsOf(columns, rows, 100, 20), ...around, ...beside])[0]?.[1]).toEqual([
      "Ada",
      "10 December 1815",
      "London",
    ]);
  });
});

test("two tables with a title between them are two", () => {
  const first = [
    ["Fruit", "Kilos"],
    ["Apples", "12"],
    ["Pears", "7"],
    ["Plums", "104"],
  ];
  const spans = [
    ...rowsOf([{ left: 150 }, { right: 300 }], first),
    ...textOf("Sales by region", 176, LABEL),
    ...rowsOf([LABEL, ...NUMBERS], BODY, 190),
  ];
  expect(tablesOf(spans)).toEqual([first, BODY]);
});

test("a title with a gap of its own does not hide the columns below it", () => {
  const title = [...textOf("Table", 86, LABEL), ...textOf("What is sold of the fruit of the year", 86, { left: 86 })];
  const rows = [
    ["Fruit", "Kilos"],
    ["Red apples", "12"],
    ["Pears", "7"],
    ["Plums", "104"],
  ];
  expect(tablesOf([...title, ...rowsOf([LABEL, { right: 180 }], rows)])).toEqual([rows]);
});

test("lists with long texts are no tables", () => {
  const lines = Array.from({ length: 16 }, (_, i) => [
    ...(i % 2 === 0 ? textOf("Feedback.", 100 + 12 * i, { left: 70 }) : []),
    ...textOf("words of prose that fill the whole line up to its end", 100 + 12 * i, { left: i % 2 === 0 ? 122 : 70 }),
  ]);
  expect(tablesOf(lines.flat())).toEqual([]);
});

describe("narrow columns of justified text", () => {
  /** Lines of a cell: the last word of each ends at the right edge, but for the last line. */
  const cell = (lines: string[], y: number, left: number, right: number) =>
    lines.flatMap((words, i) => {
      const at = i < lines.length - 1 ? words.lastIndexOf(" ") : -1;
      const end = at < 0 ? [] : textOf(words.slice(at + 1), y + 12 * i, { right });
      return [...textOf(at < 0 ? words : words.slice(0, at), y + 12 * i, { left }), ...end];
    });
  const row = (y: number, name: string, what: string[], costs: string[]) => [
    ...textOf(name, y, { left: 50 }),
    ...cell(what, y, 110, 190),
    ...cell(costs, y, 205, 255),
  ];
  const lines = [
    row(100, "Name", ["What it does"], ["What it", "costs"]),
    row(130, "Alpha", ["It sorts records", "by age"], ["Nothing", "but a bit", "of time"]),
    row(172, "Beta", ["It removes one", "of those that", "stand twice"], ["A little", "memory for", "each of us"]),
    row(214, "Gamma", ["It writes the", "rest to a file"], ["Space on", "the disks"]),
  ];

  test("are not two columns where words are set wide apart", () => {
    expect(tablesOf(lines.flat())).toEqual([
      [
        ["Name", "What it does", "What it costs"],
        ["Alpha", "It sorts records by age", "Nothing but a bit of time"],
        ["Beta", "It removes one of those that stand twice", "A little memory for each of us"],
        ["Gamma", "It writes the rest to a file", "Space on the disks"],
      ],
    ]);
  });

  test("keep the last line of the last row, and a word is one again behind a hyphen", () => {
    const last = row(244, "Delta", ["It reads each", "state-", "ment again"], ["Time"]);
    expect(tablesOf([...lines.flat(), ...last])[0]?.at(-1)).toEqual(["Delta", "It reads each statement again", "Time"]);
  });
});

const GAPS = `
const { items } = await page.getTextContent();
answer(items.map(({ str }) => str));`;

test("what stands between two words tells a sign from another place", async () => {
  const content = textAt(50, 700, "one two", 10) + textAt(50, 680, "one", 10) + textAt(68.5, 680, "two", 10);
  const items = (await runBuiltPdfjs(pdfOf({ pages: [{ content }] }), GAPS)) as string[];
  expect(items.filter((text) => text !== "")).toEqual(["one", " ", "two", "one", "\u2009", "two"]);
});
