import "../../support/typescript-workers.js";
import { loadImage } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import { countdownGif } from "../../../src/capabilities/countdown/gif.js";
import {
  delaysOf,
  difference,
  END,
  firstSight,
  gifOf,
  millisLater,
  NOW,
  render,
  seenIn,
} from "../../support/countdown.js";
import { readGif } from "../../support/gif.js";

const total = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);

describe("the answer", () => {
  test("is a GIF that nobody may keep", async () => {
    const result = await countdownGif({ endDate: END, seconds: 1 }, { clock: () => NOW });
    expect(result).toMatchObject({
      contentType: "image/gif",
      headers: { "cache-control": "no-store, no-cache, must-revalidate, max-age=0" },
    });
    expect(Buffer.from(result.body).toString("latin1")).toMatch(/^GIF89a/);
  });

  test("has the size that was asked for, and 600 x 150 by default", async () => {
    expect(await gifOf({ seconds: 1 })).toMatchObject({ width: 600, height: 150 });
    expect(await gifOf({ seconds: 1, width: 201, height: 83 })).toMatchObject({ width: 201, height: 83 });
  });

  test("is read by another decoder, to the same first picture", async () => {
    const bytes = await render({ seconds: 2, width: 320, height: 90 });
    const image = await loadImage(Buffer.from(bytes));
    expect([image.width, image.height]).toEqual([320, 90]);
    const { createCanvas } = await import("@napi-rs/canvas");
    const ctx = createCanvas(320, 90).getContext("2d");
    ctx.drawImage(image, 0, 0);
    const [first] = seenIn(readGif(bytes));
    expect(Buffer.from(ctx.getImageData(0, 0, 320, 90).data).equals(Buffer.from(first?.rgba ?? []))).toBe(true);
  });

  test("is the same at the same time, byte for byte", async () => {
    const [one, other] = await Promise.all([render({ template: "neon" }), render({ template: "neon" })]);
    expect(Buffer.from(one).equals(Buffer.from(other))).toBe(true);
  });

  test("plays once: no repeat extension", async () => {
    expect((await gifOf({ seconds: 3 })).applications).toEqual([]);
  });
});

describe("time", () => {
  test("each second is one frame, and the delays add up", async () => {
    // 0.655 s into a second: the first and the last are cut, and at one step a second neither can be seen.
    expect(delaysOf(await gifOf({ seconds: 60 }))).toEqual(Array(60).fill(100));
    expect(delaysOf(await gifOf({ seconds: 1 }))).toEqual([100]);
  });

  test("fps says how exactly a second's change is timed", async () => {
    // 10.25 s are left: 11 is shown for 250 ms.
    const endDate = millisLater(10_250);
    expect(delaysOf(await gifOf({ endDate, seconds: 3, fps: 10 }))).toEqual([30, 100, 100, 70]);
    expect(delaysOf(await gifOf({ endDate, seconds: 3, fps: 4 }))).toEqual([25, 100, 100, 75]);
    expect(delaysOf(await gifOf({ endDate, seconds: 3, fps: 1 }))).toEqual([100, 100, 100]);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])("%i fps: the delays add up to the seconds", async (fps) => {
    const gif = await gifOf({ endDate: millisLater(100_123), seconds: 7, fps, width: 200, height: 80 });
    expect(total(delaysOf(gif))).toBe(700);
    expect(Math.min(...delaysOf(gif))).toBeGreaterThanOrEqual(9);
  });

  test("digits change from frame to frame, and only they", async () => {
    const seen = seenIn(await gifOf({ seconds: 3, template: "corporate" }));
    const [one, two, three] = seen;
    if (!one || !two || !three) throw new Error("three frames expected");
    expect(difference(one, two)).toBeGreaterThan(100);
    expect(difference(two, three)).toBeGreaterThan(100);
    // The days stand on the left.
    for (let x = 0; x < 150; x++) expect(one.at(x, 75)).toEqual(two.at(x, 75));
  });

  test("the end date's zone counts", async () => {
    const [utc, berlin] = await Promise.all([
      render({ endDate: "2030-01-01T00:00:00Z", seconds: 2 }),
      render({ endDate: "2030-01-01T01:00:00+01:00", seconds: 2 }),
    ]);
    expect(Buffer.from(utc).equals(Buffer.from(berlin))).toBe(true);
  });

  test("the hours carry the days when those are not shown", async () => {
    const soon = { endDate: millisLater(5 * 3_600_000) };
    const far = { endDate: millisLater(101 * 3_600_000) };
    const digits = { showLabels: false, width: 600 };
    const two = (await firstSight({ ...soon, ...digits, showDays: false })).ink;
    const three = (await firstSight({ ...far, ...digits, showDays: false })).ink;
    expect(three.right - three.left).toBeGreaterThan(two.right - two.left + 30);
  });
});

describe("the end", () => {
  const looks = { width: 300, height: 90, template: "default" } as const;

  test("a passed date shows the expired text alone, without an animation", async () => {
    for (const endDate of ["2020-01-01T00:00:00Z", NOW.toISOString()]) {
      const gif = await gifOf({ ...looks, endDate });
      expect(gif.frames).toHaveLength(1);
    }
    const one = await firstSight({ ...looks, endDate: millisLater(-1), expiredText: "OVER" });
    const other = await firstSight({ ...looks, endDate: millisLater(-1), expiredText: "ALL OVER" });
    expect(other.ink.right - other.ink.left).toBeGreaterThan(1.5 * (one.ink.right - one.ink.left));
  });

  test("a date inside the span ends the animation with the expired text, exactly then", async () => {
    const gif = await gifOf({ ...looks, endDate: millisLater(3_000), seconds: 60, fps: 5 });
    expect(delaysOf(gif)).toEqual([100, 100, 100, 20]);
    const last = seenIn(gif).at(-1);
    const expired = await firstSight({ ...looks, endDate: millisLater(-1) });
    if (!last) throw new Error("no frame");
    expect(difference(last, expired)).toBeLessThanOrEqual(16);
  });

  test("one second before midnight nothing but a 1 is left", async () => {
    const one = await firstSight({ ...looks, endDate: millisLater(1_000) });
    const same = await firstSight({ ...looks, endDate: millisLater(1) });
    expect(difference(one, same)).toBe(0);
    expect(difference(one, await firstSight({ ...looks, endDate: millisLater(1_001) }))).toBeGreaterThan(100);
  });
});

describe("input", () => {
  const refused: [string, unknown][] = [
    ["endDate", undefined],
    ["endDate", "tomorrow"],
    ["endDate", "2030-13-45T99:99:99Z"],
    ["endDate", "2026-02-30T00:00:00Z"],
    ["endDate", "2030-01-01T00:00:00"],
    ["endDate", "2030-01-01"],
    ["template", "matrix"],
    ["template", "constructor"],
    ...outside("seconds", 1, 60),
    ...outside("fps", 1, 10),
    ["fps", 2.5],
    ["seconds", "ten"],
    ...outside("width", 200, 1600),
    ["width", 1e9],
    ...outside("height", 80, 800),
    ...outside("padding", 0, 200),
    ...outside("cellPadding", 0, 200),
    ...outside("digitFontSize", 20, 300),
    ...outside("labelFontSize", 6, 80),
    ...outside("labelPaddingY", 0, 60),
    ...outside("digitPaddingY", -60, 60),
    ["letterSpacing", -0.5],
    ["letterSpacing", 20.5],
    ["letterSpacing", Number.NaN],
    ["digitFont", "comic"],
    ["labelFont", "serif"],
    ["digitWeight", "heavy"],
    ["showLabels", "maybe"],
    ["showDays", 1],
    ["dividerChar", ""],
    ["dividerChar", "::::"],
    ["expiredText", ""],
    ["expiredText", "x".repeat(31)],
    ...["labelDays", "labelHours", "labelMinutes", "labelSeconds"].flatMap((name): [string, unknown][] => [
      [name, ""],
      [name, "d".repeat(13)],
    ]),
    ["unknown", 1],
  ];

  function outside(name: string, min: number, max: number): [string, unknown][] {
    return [
      [name, min - 1],
      [name, max + 1],
    ];
  }

  test.each(refused)("%s = %j is refused by name", async (name, value) => {
    const input = { endDate: END, seconds: 1, [name]: value };
    await expect(countdownGif(input)).rejects.toMatchObject({ status: 400, issues: [{ path: name }] });
  });

  test.each(["bg", "fg", "labelColor", "dividerColor"])("IN-13 %s: what is no CSS colour is refused", async (name) => {
    for (const css of ["", "a".repeat(41), "a", "#12345", "url(#a)", "rgb(1,2)", "red;x", "expression(1)", "var(--a)"])
      await expect(countdownGif({ endDate: END, [name]: css }), css).rejects.toMatchObject({
        code: "INVALID_INPUT",
        issues: expect.arrayContaining([expect.objectContaining({ path: name })]),
      });
  });

  test.each([
    { seconds: 1, fps: 1, width: 200, height: 80, padding: 0, cellPadding: 0, digitFontSize: 20, labelFontSize: 6 },
    { seconds: 60, fps: 10, width: 1600, height: 800, padding: 200, cellPadding: 200, digitFontSize: 300 },
    { labelFontSize: 80, labelPaddingY: 60, digitPaddingY: 60, letterSpacing: 20 },
    { labelFontSize: 6, labelPaddingY: 0, digitPaddingY: -60, letterSpacing: 0.5 },
    {
      digitFont: "sans",
      labelFont: "mono",
      digitWeight: "regular",
      dividerChar: "★☆★",
      expiredText: "é".repeat(30),
    },
    { labelDays: "ď".repeat(12), labelHours: "שעות", labelMinutes: " ", labelSeconds: "½", dividerChar: " " },
    { bg: "rgb(0 0 0 / 40%)", fg: "hsl(120, 100%, 50%)", labelColor: "#FFF8", dividerColor: "RebeccaPurple" },
  ] as const)("every bound itself is accepted: %j", async (input) => {
    const gif = await gifOf({ seconds: 2, ...input });
    expect(gif.frames.length).toBeGreaterThan(0);
  });

  test("labels and days are switched by truth values and by their names", async () => {
    for (const name of ["showLabels", "showDays"] as const) {
      const on = await render({ seconds: 1 });
      for (const value of [true, "true", "1"] as const)
        expect(Buffer.from(on).equals(Buffer.from(await render({ seconds: 1, [name]: value })))).toBe(true);
      const off = await render({ seconds: 1, [name]: false });
      expect(Buffer.from(on).equals(Buffer.from(off))).toBe(false);
      for (const value of ["false", "0"] as const)
        expect(Buffer.from(off).equals(Buffer.from(await render({ seconds: 1, [name]: value })))).toBe(true);
    }
  });
});
