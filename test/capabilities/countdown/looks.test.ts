import "../../support/typescript-workers.js";
import { describe, expect, test } from "vitest";
import {
  type CountdownInput,
  difference,
  firstSight,
  gifOf,
  millisLater,
  NOW,
  type Seen,
  seenIn,
  TEMPLATES,
} from "../../support/countdown.js";

const BACKGROUNDS = { default: "ffffff", minimal: "ffffff", neon: "0b0221", retro: "2b1d0e", corporate: "0f2a4a" };
const rgb = (hex: string) => (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));

describe.each(TEMPLATES)("template %s", (template) => {
  test.each([
    [200, 80],
    [600, 150],
    [1600, 800],
  ])("fills %i x %i with text", async (width, height) => {
    const { ink } = await firstSight({ template, width, height });
    expect(ink.right - ink.left).toBeGreaterThan(width * 0.6);
    // Digits of a height that can be read, even on the smallest.
    expect(ink.bottom - ink.top).toBeGreaterThan(15);
  });

  test("has its background", async () => {
    const seen = await firstSight({ template });
    // Retro has dark lines over it, of which the first is at the top.
    expect(seen.at(2, 2).slice(0, 3)).toEqual(rgb(BACKGROUNDS[template]));
  });

  test("has the colours that are asked for instead of its own", async () => {
    const seen = await firstSight({
      template,
      bg: "#102030",
      fg: "#405060",
      labelColor: "#102030",
      dividerColor: "#102030",
    });
    expect(seen.at(2, 2)).toEqual([0x10, 0x20, 0x30, 255]);
    const greens = new Set<number>();
    for (let x = 0; x < seen.width; x++) greens.add(seen.at(x, 75)[1] ?? 0);
    expect(Math.max(...greens)).toBeLessThanOrEqual(0x50);
  });

  test("after 14 seconds it shows what a countdown shows that starts then", async () => {
    // The seconds' tens and the minutes change within.
    const [endDate, width, height] = [millisLater(3_605_000), 400, 100];
    const last = seenIn(await gifOf({ template, endDate, width, height, seconds: 15 })).at(-1);
    const fresh = await firstSight({ template, endDate, width, height }, new Date(NOW.getTime() + 14_000));
    if (!last) throw new Error("no frame");
    // Each GIF has the few colours that suit its first picture.
    expect(difference(last, fresh)).toBeLessThanOrEqual(32);
  });
});

describe("layout", () => {
  const odd = [
    { padding: 40 },
    { padding: 200 },
    { padding: 0 },
    { labelDays: "WWWWWWWWWWWW", labelSeconds: "Sekunden gjp" },
    { endDate: millisLater(345 * 86_400_000) },
    { endDate: "9999-12-31T23:59:59Z" },
    { endDate: "9999-12-31T23:59:59Z", showDays: false, letterSpacing: 20 },
    { endDate: millisLater(-1), expiredText: "The sale has come to its end !", letterSpacing: 20 },
    { dividerChar: "|:|" },
    { dividerChar: "WWW", letterSpacing: 20 },
    { cellPadding: 200 },
    { digitFontSize: 300, labelFontSize: 80 },
    { digitFontSize: 20, labelFontSize: 80 },
    { digitPaddingY: 60, labelPaddingY: 60 },
    { digitPaddingY: -60 },
  ];

  describe.each([
    [200, 80],
    [600, 150],
    [1600, 800],
    [200, 800],
    [1600, 80],
  ])("at %i x %i", (width, height) => {
    test.each(odd)("nothing is drawn into the padding: %j", async (input) => {
      const looks = { template: "default", width, height, padding: 8, ...input } as const;
      const { ink } = await firstSight(looks);
      // Padding gives way where it would leave nothing to read.
      const x = Math.min(looks.padding, width / 4, (width - 176) / 2) - 1;
      const y = Math.min(looks.padding, height / 4, (height - 64) / 2) - 1;
      expect(ink.pixels).toBeGreaterThan(50);
      expect(ink.left).toBeGreaterThanOrEqual(x);
      expect(ink.right).toBeLessThan(width - x);
      expect(ink.top).toBeGreaterThanOrEqual(y);
      expect(ink.bottom).toBeLessThan(height - y);
    });
  });

  test("what fits is as large as asked for", async () => {
    const heightOf = async (digitFontSize: number) => {
      const { ink } = await firstSight({
        digitFontSize,
        showLabels: false,
        dividerChar: " ",
        width: 1600,
        height: 400,
      });
      return ink.bottom - ink.top + 1;
    };
    // A digit of Chivo Mono is seven tenths of an em high.
    expect((await heightOf(100)) / 100).toBeCloseTo(0.71, 1);
    expect((await heightOf(200)) / 200).toBeCloseTo(0.71, 1);
  });

  test("what is in the middle is in the middle", async () => {
    for (const letterSpacing of [0, 20]) {
      const endDate = millisLater(-1);
      const { ink } = await firstSight({ endDate, expiredText: "HHHH", letterSpacing, width: 600, height: 150 });
      expect(Math.abs(ink.left - (599 - ink.right))).toBeLessThanOrEqual(2);
      expect(Math.abs(ink.top - (149 - ink.bottom))).toBeLessThanOrEqual(2);
    }
  });

  test("labels, dividers and letter spacing can be seen", async () => {
    const plain = { template: "minimal", showLabels: false, dividerChar: " " } as const;
    const digits = await firstSight(plain);
    const labelled = await firstSight({ ...plain, showLabels: true });
    const divided = await firstSight({ ...plain, dividerChar: "|" });
    const spaced = await firstSight({ ...plain, letterSpacing: 12 });
    expect(labelled.ink.pixels).toBeGreaterThan(digits.ink.pixels + 500);
    expect(divided.ink.pixels).toBeGreaterThan(digits.ink.pixels + 100);
    expect(spaced.ink.right - spaced.ink.left).toBe(digits.ink.right - digits.ink.left + 4 * 12);
  });

  test("weight and type of digits and labels can be seen", async () => {
    const base = await firstSight({ template: "default" });
    for (const input of [{ digitWeight: "regular" }, { digitFont: "sans" }, { labelFont: "mono" }] as const)
      expect(
        difference(base, await firstSight({ template: "default", ...input })),
        JSON.stringify(input),
      ).toBeGreaterThan(100);
  });

  test("nothing moves when 100 days become 99", async () => {
    const looks = { endDate: millisLater(100 * 86_400_000), seconds: 2, dividerColor: "#ff0000" };
    const [before, later] = seenIn(await gifOf(looks)).map(redColumns);
    expect(before?.length).toBeGreaterThan(10);
    expect(later).toEqual(before);
  });
});

function redColumns({ width, rgba }: Seen): number[] {
  const columns = new Set<number>();
  for (let at = 0; at < rgba.length; at += 4)
    if ((rgba[at] ?? 0) - (rgba[at + 1] ?? 0) > 200) columns.add((at / 4) % width);
  return [...columns].sort((one, other) => one - other);
}

describe("a transparent background", () => {
  test.each(TEMPLATES)("%s: nothing is painted but text, and no frame shines through the next", async (template) => {
    const looks = { template, bg: "transparent", width: 300, height: 90, endDate: millisLater(3_605_000) } as const;
    const frames = seenIn(await gifOf({ ...looks, seconds: 6 }));
    const fresh = await firstSight(looks, new Date(NOW.getTime() + 5_000));
    const last = frames.at(-1);
    if (!last) throw new Error("no frame");
    expect(last.at(0, 0)).toEqual([0, 0, 0, 0]);
    expect(last.ink.pixels).toBeGreaterThan(200);
    expect(last.ink.pixels).toBeLessThan((300 * 90) / 3);
    expect(last.ink).toEqual(fresh.ink);
  });

  test("the edges of text are mixed with the colour of the page", async () => {
    const colors = async (input: Partial<CountdownInput>) => {
      const { rgba } = await firstSight({ ...input, dividerChar: " ", showLabels: false });
      const seen = new Set<number>();
      for (let at = 0; at < rgba.length; at += 4) if (rgba[at + 3]) seen.add(rgba[at] ?? 0);
      return [...seen];
    };
    // Black text: on white its edges are grey, on red they have all of the red.
    const [onWhite, onRed] = [
      await colors({ bg: "transparent", fg: "#000" }),
      await colors({ bg: "#ff000000", fg: "#000" }),
    ];
    expect(onWhite.filter((red) => red > 60 && red < 220).length).toBeGreaterThan(3);
    expect(onRed.filter((red) => red > 60 && red < 220).length).toBeGreaterThan(3);
    // White text is taken to stand on a dark page.
    expect((await colors({ bg: "transparent", fg: "#fff" })).filter((red) => red < 200).length).toBeGreaterThan(3);
  });

  test("any alpha below one half is none, any above is all", async () => {
    expect((await firstSight({ bg: "#ff000070" })).at(1, 1)).toEqual([0, 0, 0, 0]);
    expect((await firstSight({ bg: "#ff000090" })).at(1, 1)).toEqual([255, 0, 0, 255]);
  });

  test("text of its colour leaves an empty picture", async () => {
    const none = "transparent";
    const seen = await firstSight({ bg: none, fg: none, labelColor: none, dividerColor: none });
    expect(seen.ink.pixels).toBe(0);
  });
});
