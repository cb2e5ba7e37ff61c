import { describe, expect, test } from "vitest";
import { dataConvert } from "../../../src/capabilities/data/index.js";
import { docToMarkdown } from "../../../src/capabilities/doc/index.js";
import { momentOf } from "../../../src/engines/data/workbook/serials.js";
import { shownBy } from "../../../src/engines/data/workbook/styles.js";
import { scanXml } from "../../../src/lib/xml/scan.js";
import { zipOf } from "../../support/zip.js";

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const FORMATS = ["General", "yyyy-mm-dd", "h:mm:ss", "yyyy-mm-dd hh:mm:ss", "[h]:mm:ss"];
const [DATE, TIME, MOMENT, LENGTH] = [1, 2, 3, 4];

interface Parts {
  is1904?: boolean;
  strings?: string;
  more?: string;
  sheets?: [name: string, xml: string][];
}

function workbook(cells: string, { is1904 = false, strings = "", more = "", sheets = [] }: Parts = {}): string {
  const all = [["A", `<worksheet><sheetData><row r="1">${cells}</row></sheetData>${more}</worksheet>`], ...sheets];
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  return zipOf({
    "[Content_Types].xml": "<Types>spreadsheetml.sheet</Types>",
    "xl/workbook.xml": `<workbook xmlns:r="${OFFICE}"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${all
      .map(([name], i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="s${i}"/>`)
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${all.map((_, i) => relation(`s${i}`, "worksheet", `worksheets/${i}.xml`)).join("")}${relation("x", "styles", "styles.xml")}${relation("y", "sharedStrings", "/xl/sharedStrings.xml")}</Relationships>`,
    "xl/styles.xml": `<styleSheet><numFmts>${FORMATS.map((code, i) => `<numFmt numFmtId="${170 + i}" formatCode="${code}"/>`).join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${FORMATS.map((_, i) => `<xf numFmtId="${170 + i}"/>`).join("")}</cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `<sst>${strings}</sst>`,
    ...Object.fromEntries(all.map(([, xml], i) => [`xl/worksheets/${i}.xml`, xml])),
  }).toString("base64");
}

async function read(cells: string, parts?: Parts, more: { sheet?: string } = {}) {
  const { items } = await dataConvert({ file: workbook(cells, parts), to: "json", header: false, ...more });
  const [item] = items;
  if (!item) throw new Error("no item");
  return { row: (item.value as unknown[][])[0], notes: item.notes };
}

const number = (serial: number | string, style: number) => `<c s="${style}"><v>${serial}</v></c>`;

describe("a workbook's days and times", () => {
  test("23:59:59 is not a second early", async () => {
    const { row, notes } = await read(number(36525.999988425923, MOMENT) + number("36525.9999884259", MOMENT));
    expect(row).toEqual(["1999-12-31T23:59:59Z", "1999-12-31T23:59:59Z"]);
    expect(notes).toEqual([]);
  });

  test.each([
    [36525, "1999-12-31"],
    [44985, "2023-02-28"],
    [2958465, "9999-12-31"],
  ])("every second of day %i is itself, with 15 digits as with all", (day, date) => {
    for (let second = 1; second < 86_400; second++) {
      const text = `${date}T${new Date(second * 1_000).toISOString().slice(11, 19)}Z`;
      const serial = day + second / 86_400;
      if (momentOf(serial, "date", false).text !== text) expect.fail(`${serial} is ${text}`);
      if (momentOf(Number(serial.toPrecision(15)), "date", false).text !== text) expect.fail(`${serial} is ${text}`);
    }
  });

  test("days before March 1900 are not a day early, and the one that never was is told", async () => {
    const { row, notes } = await read([1, 59, 60, 61].map((serial) => number(serial, DATE)).join(""));
    expect(row).toEqual(["1900-01-01", "1900-02-28", "1900-02-29", "1900-03-01"]);
    expect(notes).toEqual([expect.stringMatching(/29 February 1900.*C1/)]);
  });

  test("the calendar of 1904 begins in 1904", async () => {
    const { row, notes } = await read([0, 1, 60, 35064.5].map((serial) => number(serial, DATE)).join(""), {
      is1904: true,
    });
    expect(row).toEqual(["1904-01-01", "1904-01-02", "1904-03-01", "2000-01-01T12:00:00Z"]);
    expect(notes).toEqual([]);
  });

  test("a time alone is a time, and a length may be longer than a day", async () => {
    const cells = [
      ...[0.572916666666667, 0, 0.999999999999, 0.5000028935].map((serial) => number(serial, TIME)),
      ...[1.5, 0.25, -0.5, 0.00001].map((serial) => number(serial, LENGTH)),
    ];
    const { row, notes } = await read(cells.join(""));
    expect(row).toEqual([
      ...["13:45:00", "00:00:00", "23:59:59.999", "12:00:00.250"],
      ...["36:00:00", "06:00:00", "-12:00:00", "00:00:00.864"],
    ]);
    expect(notes).toEqual([]);
  });

  test("numbers beyond all dates stay numbers, which is told", async () => {
    const { row, notes } = await read(number(-1, DATE) + number(2958466, DATE) + number(0, DATE));
    expect(row).toEqual([-1, 2958466, "00:00:00"]);
    expect(notes).toEqual([expect.stringMatching(/^2 numbers .*A1, B1/), expect.stringMatching(/^1 date is before/)]);
  });

  test("days of ISO 8601 do not depend on the zone of the machine", async () => {
    const days = ["2021-06-10T00:47:45.700Z", "2021-06-10", "2021-06-10T00:00:00", "2021-06-10T12:30:00", "13:45:00"];
    const { row } = await read(days.map((day) => `<c t="d"><v>${day}</v></c>`).join(""));
    expect(row).toEqual(["2021-06-10T00:47:45.700Z", "2021-06-10", "2021-06-10", "2021-06-10T12:30:00Z", "13:45:00"]);
  });

  test.each([
    ["General", undefined],
    ["0.00E+00", undefined],
    ["#,##0.00 [$€-407]", undefined],
    ['0 "days"', undefined],
    ["[Red]0;[Blue]\\d0", undefined],
    ['"dd"@', undefined],
    ["m/d/yy", "date"],
    ["mmm", "date"],
    ["[$-F800]dddd, mmmm dd, yyyy;@", "date"],
    ["[$-404]e/m/d", "date"],
    ["mm:ss.0", "time"],
    ["h:mm AM/PM", "time"],
    ["[mm]:ss", "length"],
    ['[<1]"-";yyyy', "date"],
  ])("the format %s shows %s", (code, shown) => {
    expect(shownBy(code)).toBe(shown);
  });
});

describe("a workbook's texts, formulas and errors", () => {
  test("texts keep their blanks, runs and escaped characters", async () => {
    const strings = [
      "<si><t>  a </t></si>",
      '<si><r><t>b </t></r><r><rPr/><t xml:space="preserve"> c</t></r><rPh><t>x</t></rPh></si>',
      "<si><t>&lt;d&gt;&#x20AC;_x0009_</t></si>",
    ];
    const cells = `${[0, 1, 2].map((i) => `<c t="s"><v>${i}</v></c>`).join("")}<c t="inlineStr"><is><t> e<![CDATA[<f>]]></t></is></c><c t="str"><f>A1</f><v> g</v></c>`;
    const { row } = await read(cells, { strings: strings.join("") });
    expect(row).toEqual(["  a ", "b  c", "<d>€\t", " e<f>", " g"]);
  });

  test("texts that stand in their cell are read, however the cell says so", async () => {
    const cells = [
      '<c t="inlineStr"><is><r><t>a</t></r><r><t xml:space="preserve"> b</t></r></is></c>',
      '<c t="inlineStr"><v>c</v></c><c><is><t>d</t></is></c><c t="inlineStr"><is/></c>',
      '<c t="inlineStr"><f>"e"</f><is><t>e</t></is></c><c t="inlineStr"><f>"f"</f></c>',
    ];
    const { row, notes } = await read(cells.join(""));
    expect(row).toEqual(["a b", "c", "d", null, "e"]);
    expect(notes).toEqual([expect.stringMatching(/^1 formula .*\(F1\)/)]);
  });

  test("a cell that names no style has none, whatever its column and row have", async () => {
    const sheets: [string, string][] = [
      [
        "B",
        '<worksheet><cols><col min="1" max="2" style="1"/></cols><sheetData><row r="1" s="1" customFormat="1"><c><v>45000</v></c><c s="1"><v>45000</v></c></row></sheetData></worksheet>',
      ],
    ];
    expect((await read("", { sheets }, { sheet: "B" })).row).toEqual([45_000, "2023-03-15"]);
  });

  test("a formula without a stored value is told", async () => {
    const cells =
      '<c r="A1"><f>1+1</f></c><c r="B1"><f>1+1</f><v/></c><c r="C1" t="str"><f>""</f><v></v></c><c r="D1"><f>2</f><v>2</v></c>';
    const { row, notes } = await read(cells);
    expect(row).toEqual([null, null, null, 2]);
    expect(notes).toEqual([expect.stringMatching(/^2 formulas have no stored value and are null \(A1, B1\)/)]);
    const { items } = await docToMarkdown({ file: workbook(cells) });
    expect(items[0]?.notes).toEqual(notes);
  });

  test("errors are texts, and merged areas are told", async () => {
    const more = '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>';
    const { row, notes } = await read('<c t="e"><f>1/0</f><v>#DIV/0!</v></c><c t="b"><v>1</v></c>', { more });
    expect(row).toEqual(["#DIV/0!", true]);
    expect(notes).toEqual([expect.stringMatching(/error.*A1: #DIV/), expect.stringMatching(/1 merged area.*A1:B1/)]);
  });

  test("sheets that were not read are named, and a name goes before a number", async () => {
    const sheets: [string, string][] = [
      ["2", "<worksheet><sheetData><row><c><v>2</v></c></row></sheetData></worksheet>"],
      ["1", "<worksheet/>"],
    ];
    expect((await read(number(7, 0), { sheets })).notes).toEqual([expect.stringMatching(/first of 3 sheets.*2, 1/)]);
    expect(await read(number(7, 0), { sheets }, { sheet: "2" })).toEqual({ row: [2], notes: [] });
    await expect(read(number(7, 0), { sheets }, { sheet: "B" })).rejects.toMatchObject({
      issues: [{ path: "sheet", message: expect.stringMatching(/its sheets are A, 2, 1/) }],
    });
  });

  test("values far away, document types and tags without end are refused", async () => {
    for (const cells of ['<c r="XFD1048576"><v>1</v></c>', '<!DOCTYPE a [<!ENTITY b "c">]>', "<c a='>"])
      await expect(read(cells)).rejects.toMatchObject({ status: 400, issues: [{ path: "file" }] });
  });

  test("a type of cells that no standard has is a number or text", async () => {
    expect((await read('<c t="constructor"><v>7</v></c><c t="toString"><v>x</v></c>')).row).toEqual([7, "x"]);
  });

  test("long attributes and many quotation marks are read in one pass", () => {
    const seen: unknown[] = [];
    const xml = `<a ${"a".repeat(3_000_000)}/><a ${`a=" "`.repeat(500_000)} b='>'/><a ${" ".repeat(3_000_000)}b='"'/>`;
    scanXml(xml, { open: (_, attributes) => seen.push(attributes().b), close() {}, text() {} });
    expect(seen).toEqual([undefined, ">", '"']);
  });
});
