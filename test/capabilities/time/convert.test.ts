import { describe, expect, it, vi } from "vitest";
import { timeConvert } from "../../../src/capabilities/time/convert.js";
import { ZONES_RELEASE } from "../../../src/lib/zones/zone-table.js";

const convert = async (time: string, from?: string, to?: string) =>
  (await timeConvert({ time, ...(from ? { from } : {}), ...(to ? { to } : {}) })).items;

describe("time.convert", () => {
  it("answers a row for each zone, with the offset, its letters and the next change", async () => {
    const items = await convert("2026-07-01T12:00:00Z", undefined, "Europe/Berlin,America/New_York,+05:30");
    expect(items.map(({ timeZone, local, offset, abbreviation }) => [timeZone, local, offset, abbreviation])).toEqual([
      ["Europe/Berlin", "2026-07-01T14:00:00", "+02:00", "CEST"],
      ["America/New_York", "2026-07-01T08:00:00", "-04:00", "EDT"],
      ["+05:30", "2026-07-01T17:30:00", "+05:30", "+0530"],
    ]);
    expect(items[0]?.nextChange).toEqual({ instant: "2026-10-25T01:00:00Z", offset: "+01:00" });
    expect(items[0]).toMatchObject({ kind: "single", isoWeek: 27, isoWeekYear: 2026, dayOfYear: 182, weekday: 3 });
    expect(items[0]?.tzdata).toBe([process.versions.tz ?? "", ZONES_RELEASE].sort().at(-1));
    expect(items[2]?.nextChange).toBeNull();
  });

  it("tells a time that is skipped, one that comes twice, and a whole day that is skipped", async () => {
    expect((await convert("2026-03-29T02:30", "Europe/Berlin"))[0]).toMatchObject({
      ...{ kind: "gap", instants: [], instant: "2026-03-29T01:30:00Z", local: "2026-03-29T03:30:00", offset: "+02:00" },
    });
    expect((await convert("2026-10-25T02:30", "Europe/Berlin"))[0]).toMatchObject({
      ...{ kind: "ambiguous", instants: ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"], abbreviation: "CEST" },
    });
    expect((await convert("2011-12-30T12:00", "Pacific/Apia"))[0]).toMatchObject({
      ...{ kind: "gap", local: "2011-12-31T12:00:00" },
    });
    // Half an hour, and the very ends of gap and overlap.
    expect((await convert("2026-10-04T02:15", "Australia/Lord_Howe"))[0]?.kind).toBe("gap");
    expect((await convert("2026-03-29T02:00", "Europe/Berlin"))[0]?.kind).toBe("gap");
    expect((await convert("2026-03-29T03:00", "Europe/Berlin"))[0]?.kind).toBe("single");
    expect((await convert("2026-10-25T02:00", "Europe/Berlin"))[0]?.kind).toBe("ambiguous");
    expect((await convert("2026-10-25T03:00", "Europe/Berlin"))[0]?.kind).toBe("single");
  });

  it.each([
    ["2026-03-29", "2026-03-29T00:00:00"],
    ["2026-03", "2026-03-01T00:00:00"],
    ["20260329T023000", "2026-03-29T02:30:00"],
    ["2026-W13-7T02:30", "2026-03-29T02:30:00"],
    ["2026W137", "2026-03-29T00:00:00"],
    ["2026-088", "2026-03-29T00:00:00"],
    ["2026-03-29T02:30:15,5", "2026-03-29T02:30:15.500"],
    ["2026-03-28T24:00", "2026-03-29T00:00:00"],
    ["2020-W53-5", "2021-01-01T00:00:00"],
  ])("reads %s as %s", async (time, local) => {
    expect((await convert(time, "UTC"))[0]?.local).toBe(local);
  });

  it("takes a zone in brackets, and an offset before it", async () => {
    expect((await convert("2026-07-01T12:00[Asia/Tokyo]"))[0]).toMatchObject({ offset: "+09:00", abbreviation: "JST" });
    expect((await convert("2026-07-01T12:00-03[Europe/Berlin]"))[0]?.instant).toBe("2026-07-01T15:00:00Z");
    expect((await convert("2026-07-01T12:00+05:45"))[0]).toMatchObject({ timeZone: "+05:45", kind: "single" });
  });

  it("knows old rules, and letters of zones without any", async () => {
    expect((await convert("1945-05-24T12:00", "Europe/Berlin"))[0]?.offset).toBe("+03:00");
    expect((await convert("2026-01-01T12:00", "America/Sao_Paulo"))[0]).toMatchObject({
      ...{ abbreviation: "-03", nextChange: null },
    });
    expect((await convert("2026-01-01T12:00", "Asia/Calcutta"))[0]?.abbreviation).toBe("IST");
  });

  it.each([
    [{ time: "2026-02-30T12:00Z" }, "time"],
    [{ time: "2025-W53-1", from: "UTC" }, "time"],
    [{ time: "2025-366", from: "UTC" }, "time"],
    [{ time: "2026-03-29T25:00Z" }, "time"],
    [{ time: "29.03.2026 12:00", from: "UTC" }, "time"],
    [{ time: "2026-03-29T02:30[Mars/Olympus]" }, "time"],
    [{ time: "0999-12-31T00:00Z" }, "time"],
    [{ time: "2026-03-29T02:30" }, "from"],
    [{ time: "2026-03-29T02:30", from: "Berlin/Europe" }, "from"],
    [{ time: "2026-03-29T02:30Z", to: "UTC,Nowhere" }, "to"],
    [{ time: "2026-03-29T02:30Z", to: Array.from({ length: 11 }, (_, i) => `+${i}`).join(",") }, "to"],
  ])("refuses %j at %s", async (input, path) => {
    await expect(timeConvert(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
  });
});

it("time.convert looks for the first standard time of a place from the years in which there were any", async () => {
  const format = vi.spyOn(Intl.DateTimeFormat.prototype, "formatToParts");
  const [row] = await convert("1000-01-01T00:00:00Z", undefined, "Europe/Zurich");
  expect(row?.nextChange?.instant).toMatch(/^18\d\d-/);
  // A week takes two readings: from the year 1000 there would be more than 80,000.
  expect(format.mock.calls.length).toBeLessThan(30_000);
  format.mockRestore();
});
