import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { businessNaics } from "../../../src/capabilities/business/naics.js";
import { industryTables } from "../../support/industry-tables.js";
import { fakeUpstream } from "../../support/upstream.js";

const { fetch } = fakeUpstream([]);
const ask = (input: Parameters<typeof businessNaics>[0], dataDir = industryTables()) =>
  businessNaics(input, { fetch, dataDir, cache: false });

describe("business.naics", () => {
  test("looks a code up with what is above and below it", async () => {
    const { items } = await ask({ code: "51321" });
    expect(items[0]).toMatchObject({ code: "51321", level: 5, levelName: "NAICS industry", parentCode: "5132" });
    expect(items[0]?.children).toEqual([{ code: "513210", title: "Software-Publishers" }]);
  });

  test.each(["31", "32", "33", "31-33"])("%s is the combined sector, and has its subsectors", async (code) => {
    const { items } = await ask({ code });
    expect(items[0]).toMatchObject({ code: "31-33", level: 2, parentCode: null, children: [{ code: "334" }] });
  });

  test("searches titles by the beginnings of words, whole phrases and deeper levels first", async () => {
    const { items, total } = await ask({ query: "softwares" });
    expect(items.map(({ code }) => code)).toEqual(["51321", "513210"]);
    expect(total).toBe(2);
    await expect(ask({ query: "software", level: 6 })).resolves.toMatchObject({ items: [{ code: "513210" }] });
    await expect(ask({ query: "zebra" })).resolves.toMatchObject({ items: [], total: 0 });
  });

  test("an unknown code is a 404, which names what an outdated one became", async () => {
    await expect(ask({ code: "999999" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(ask({ code: "511210" })).rejects.toThrow(/became 513210/);
  });

  test.each([{}, { code: "51", query: "x y" }, { code: "1" }, { code: "31-34" }])("refuses %j", async (input) => {
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  test("a table that is not there is made of what is published, and kept", async () => {
    const published = 'NAICS 2022,Title,Seq. No.\n11,"Farming, Hunting ",1\n111,Crop Production,2\n';
    const { fetch, seen } = fakeUpstream([{ url: "NAICS2022.csv", body: published }]);
    const dataDir = industryTables("naics2022");
    const { items } = await businessNaics({ code: "11" }, { fetch, dataDir });
    expect(items[0]).toMatchObject({ title: "Farming, Hunting", children: [{ code: "111" }] });
    expect(seen).toHaveLength(1);
    expect(readFileSync(join(dataDir, "tables/naics2022.tsv"), "utf8")).toBe(
      "code\ttitle\n11\tFarming, Hunting\n111\tCrop Production\n",
    );
  });
});
