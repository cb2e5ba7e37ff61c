import "../../support/typescript-workers.js";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { renderRanges, TABLE_PATH } from "../../../scripts/generate-dejavu-ranges.mjs";
import { FONTS_PATH, renderFonts } from "../../../scripts/generate-latin-fonts.mjs";
import { countdownGif } from "../../../src/capabilities/countdown/gif.js";
import { fontsFor } from "../../../src/engines/countdown/fonts.js";
import { difference, END, firstSight, millisLater, render } from "../../support/countdown.js";

test("the committed ranges are those of the fonts", () => {
  expect(readFileSync(TABLE_PATH, "utf8")).toBe(renderRanges());
});

test("the committed Latin letters are those of the fonts", () => {
  expect(readFileSync(FONTS_PATH, "utf8")).toBe(renderFonts());
});

const PAST = millisLater(-1);

/** Texts, and others of as many letters: an empty box for each would make the two the same. */
const TEXTS: [script: string, text: string, other: string][] = [
  ["simplified Chinese", "活动已结束", "优惠时间到"],
  ["traditional Chinese", "優惠結束龜", "時間剩餘鬱"],
  ["Japanese", "セール終了です", "タイムアップ後"],
  ["Korean", "세일 종료", "시간 분초"],
  ["Arabic", "انتهى العرض", "بدأت الآنشي"],
  ["Persian", "پایان یافت", "گذشت چهارژ"],
  ["Hindi", "समाप्त हो", "घंटे मिनट"],
  ["Thai", "หมดเวลา", "วินาทีฮ"],
  ["Hebrew", "המבצע נגמר", "נגמר המבצע"],
  ["Greek", "Έληξε", "Ημέρα"],
  ["Russian", "Время вышло", "Часов минут"],
  ["Vietnamese", "Đã kết thúc", "Phút giây ữ"],
  ["symbols", "★ → ♥ ✓", "☆ ← ♦ ✗"],
];

describe.each(TEXTS)("%s", (_, text, other) => {
  test.each(["mono", "sans"] as const)("is drawn with its letters in %s", async (digitFont) => {
    const shown = { endDate: PAST, digitFont, width: 600, height: 120 };
    const [one, two] = [
      await firstSight({ ...shown, expiredText: text }),
      await firstSight({ ...shown, expiredText: other }),
    ];
    expect(one.ink.pixels).toBeGreaterThan(500);
    expect(difference(one, two)).toBeGreaterThan(100);
    expect(difference(one, await firstSight({ ...shown, expiredText: "□".repeat([...text].length) }))).toBeGreaterThan(
      100,
    );
  });

  test("is drawn as a label", async () => {
    const [label] = text.split(" ");
    const labelled = await firstSight({ labelDays: label ?? "", template: "minimal", showLabels: true });
    const plain = await firstSight({ labelDays: " ", template: "minimal", showLabels: true });
    expect(difference(labelled, plain)).toBeGreaterThan(100);
  });
});

test("Arabic letters join: a word is narrower than its letters apart", async () => {
  const widthOf = async (expiredText: string) => {
    const { ink } = await firstSight({ endDate: PAST, expiredText, digitFontSize: 40 });
    return ink.right - ink.left;
  };
  expect(await widthOf("ههههه")).toBeLessThan((await widthOf("ه‌ه‌ه‌ه‌ه".replaceAll("\u200c", " "))) * 0.9);
});

test("Japanese text has Japanese forms of characters, other text Chinese ones", () => {
  const filesOf = (text: string) => {
    const found = fontsFor(text, { face: "sans", weight: "regular" });
    return "fonts" in found ? found.fonts.map(({ file }) => file).join() : "";
  };
  expect(filesOf("直す")).toMatch(/noto-sans-jp.*\.woff2$/);
  expect(filesOf("直す")).not.toContain("noto-sans-sc");
  expect(filesOf("直")).toContain("noto-sans-sc");
});

describe("what no font can draw is refused before a price is quoted", () => {
  test.each([
    ["expiredText", "🎉 SALE OVER 🎉", "🎉 (U+1F389)"],
    ["expiredText", "👩‍👩‍👧", "U+1F469"],
    ["expiredText", "🇩🇪", "U+1F1E9"],
    ["labelDays", "நாட்கள்", "U+0BA8"],
    ["labelSeconds", "วิ🕐", "U+1F550"],
    ["labelHours", "\u0000", "U+0000"],
    ["labelMinutes", "\ud800", "U+D800"],
    ["dividerChar", "⏳", "U+23F3"],
  ])("%s %j", async (field, text, named) => {
    const input = { endDate: END, [field]: text };
    const ctx = { outbound: {} } as never;
    for (const refusal of [countdownGif(input), countdownGif.parse(input, ctx)])
      await expect(refusal).rejects.toMatchObject({
        status: 400,
        code: "INVALID_INPUT",
        issues: [{ path: field }],
        message: expect.stringContaining(named),
      });
  });
});

test.each([
  ["default", 60_000],
  ["minimal", 60_000],
  ["neon", 160_000],
  ["retro", 60_000],
  ["corporate", 60_000],
] as const)("a minute of %s is at most %i bytes", async (template, most) => {
  expect((await render({ template, seconds: 60 })).length).toBeLessThan(most);
});
