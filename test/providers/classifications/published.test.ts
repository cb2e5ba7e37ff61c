import { Readable } from "node:stream";
import { expect, test } from "vitest";
import * as published from "../../../src/providers/classifications/published.js";
import { PUBLISHED, workbookOf } from "../../support/industry-tables.js";

async function rowsOf(convert: published.Convert, body: string | Buffer): Promise<string[]> {
  let text = "";
  for await (const part of convert(Readable.from([Buffer.from(body)]), ["the", "columns"])) text += part;
  const [header, ...rows] = text.replace(/\n$/, "").split("\n");
  expect(header).toBe("the\tcolumns");
  return rows;
}

test("a list of codes and titles, its columns in whatever order, without the mark of shared titles", async () => {
  const rows = [
    "51\tInformation",
    "513\tPublishing Industries, Broad",
    "5132\tSoftware Publishers",
    "51321\tSoftware Publishers",
    "513210\tSoftware Publishers",
  ];
  await expect(rowsOf(published.codesAndTitles, PUBLISHED.naics2022)).resolves.toEqual(rows);
  await expect(rowsOf(published.codesAndTitles, PUBLISHED.isic4)).resolves.toContain("5820\tSoftware publishing");
  const census = workbookOf([
    ["Seq. No.", "2022 NAICS US   Code", "2022 NAICS US Title"],
    [null, null, null],
    [1, 51, "InformationT"],
    [2, "31-33", "Manufacturing, of CNT"],
  ]);
  await expect(rowsOf(published.codesAndTitles, census)).resolves.toEqual([
    "51\tInformation",
    "31-33\tManufacturing, of CNT",
  ]);
});

test("a concordance of two editions of NAICS, with the piece only where a code is split", async () => {
  await expect(rowsOf(published.linkedNaics, PUBLISHED.naicsYears(2017, 2022))).resolves.toEqual([
    "511210\t513210\t",
    "519130\t519130\tPortals - web games",
    "519130\t513199\tPortals - the rest",
  ]);
});

test("NAICS and NACE, with a semicolon that is part of a note", async () => {
  await expect(rowsOf(published.linkedNace, PUBLISHED.naicsNace)).resolves.toEqual([
    "511210\t58.29\t",
    "111998\t01.29\tNatural latex; maple sap",
    "00\t98.10\tTo all of NAICS",
  ]);
});

test("NAICS and ISIC from a workbook, whose numbers get their leading zeros back", async () => {
  await expect(rowsOf(published.linkedIsic, workbookOf(PUBLISHED.naicsIsic))).resolves.toEqual([
    "111110\t\t0111\t*\t",
    "111336\t\t012\t*\tISIC group level link - combination",
    "511210\t\t5820\t\t",
  ]);
});

test("NACE, whose notes go over several lines", async () => {
  await expect(rowsOf(published.naceExport, PUBLISHED.nace2)).resolves.toEqual([
    "1\tJ\t\tINFORMATION\tJ",
    "2\t58\tJ\tPublishing\t58",
    "3\t58.2\t58\tSoftware\t582",
    "4\t58.29\t58.2\tOther software publishing\t5820",
  ]);
});

test.each([
  ["a list of codes", published.codesAndTitles, "<!DOCTYPE html><title>Moved</title>"],
  ["a concordance", published.linkedNaics, "404: Not Found"],
  ["an export", published.naceExport, "Order;Level;Code\n1;1;A"],
])("what is no such table is refused as %s", async (_, convert, body) => {
  await expect(rowsOf(convert, body)).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
});
