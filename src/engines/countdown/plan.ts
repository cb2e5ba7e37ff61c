/** Converts the caller's input to a drawing task: defaults filled in, pictures listed. */
import { invalid } from "../../errors.js";
import { type Color, formatColor, parseColor } from "../colors/color.js";
import type { CountdownTask, Design, Picture } from "./design.js";
import { type Face, type FontFile, fontsFor, type Weight } from "./fonts.js";
import type { CountdownInput } from "./input.js";
import { TEMPLATES } from "./templates.js";
import { timeline, toDigits } from "./timeline.js";

/** The fonts of all texts of a countdown, chosen before payment. */
export type Type = Design["fonts"] & { files: FontFile[] };

/** Refuses texts that no font can draw. Throws INVALID_INPUT. */
export function chooseFonts(input: CountdownInput): Type {
  const template = TEMPLATES[input.template];
  const weight = input.digitWeight ?? template.digitWeight;
  const digits: Wanted = { face: input.digitFont ?? template.digitFont, weight };
  const labels: Wanted = { face: input.labelFont ?? template.labelFont, weight: "regular" };
  const { labelDays, labelHours, labelMinutes, labelSeconds } = input;
  const chosen = {
    digits: fontsOf({ dividerChar: `0123456789${input.dividerChar}` }, digits),
    expired: fontsOf({ expiredText: input.expiredText }, digits),
    labels: fontsOf({ labelDays, labelHours, labelMinutes, labelSeconds }, labels),
  };
  const families = (fonts: FontFile[]) => fonts.map(({ family }) => family);
  const digitWeight = weight === "bold" ? 700 : 400;
  return {
    digits: { families: families(chosen.digits), weight: digitWeight },
    expired: { families: families(chosen.expired), weight: digitWeight },
    labels: { families: families(chosen.labels), weight: 500 },
    files: [...chosen.digits, ...chosen.expired, ...chosen.labels],
  };
}

interface Wanted {
  face: Face;
  weight: Weight;
}

/** The fonts of the fields' texts. */
function fontsOf(texts: Record<string, string>, wanted: Wanted): FontFile[] {
  const fonts = new Map<string, FontFile>();
  for (const [field, text] of Object.entries(texts)) {
    const found = fontsFor(text, wanted);
    if ("missing" in found) throw cannotBeDrawn(field, found.missing);
    for (const font of found.fonts) fonts.set(font.family, font);
  }
  return [...fonts.values()];
}

function cannotBeDrawn(field: string, missing: string[]) {
  const named = missing.slice(0, 3).map((character) => {
    const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return /\p{C}/u.test(character) ? `U+${point}` : `${character} (U+${point})`;
  });
  return invalid(
    field,
    `has characters that no font here can draw: ${named.join(", ")}. Latin, Greek, Cyrillic, Hebrew, Arabic, ` +
      "Devanagari, Thai, Chinese, Japanese and Korean letters and plain symbols are drawn; emoji are not.",
  );
}

/** The drawing task of a countdown first shown at `now`. */
export function planCountdown(input: CountdownInput, { files, ...fonts }: Type, now: Date): CountdownTask {
  const showDays = isOn(input.showDays, true);
  const design = { ...designOf(input, showDays), fonts };
  return { design, fonts: files, pictures: picturesOf(input, { now, showDays }) };
}

function picturesOf(input: CountdownInput, { now, showDays }: { now: Date; showDays: boolean }): Picture[] {
  const leftMs = Date.parse(input.endDate) - now.getTime();
  return timeline({ leftMs, seconds: input.seconds, fps: input.fps }).map(({ secondsLeft, delayCs }) =>
    secondsLeft === 0
      ? { cells: [], text: input.expiredText, delayCs }
      : { cells: toDigits(secondsLeft, showDays), delayCs },
  );
}

function designOf(input: CountdownInput, showDays: boolean): Omit<Design, "fonts"> {
  const template = TEMPLATES[input.template];
  const { labelDays, labelHours, labelMinutes, labelSeconds } = input;
  const clock = [labelHours, labelMinutes, labelSeconds];
  const background = readColor(input.bg ?? template.colors.bg);
  return {
    width: input.width,
    height: input.height,
    ...sizesOf(input),
    letterSpacing: input.letterSpacing,
    transparent: background.a < 0.5,
    colors: {
      bg: formatColor({ ...background, a: 1 }),
      fg: writeColor(input.fg ?? template.colors.fg),
      label: writeColor(input.labelColor ?? template.colors.label),
      divider: writeColor(input.dividerColor ?? template.colors.divider),
    },
    matte: matteOf(input.bg, readColor(input.fg ?? template.colors.fg)),
    divider: input.dividerChar,
    labels: isOn(input.showLabels, template.showLabels) ? (showDays ? [labelDays, ...clock] : clock) : [],
    effects: template.effects,
  };
}

/**
 * GIF has no partly covered pixels, so edges of text are mixed with the page's colour: the one in a transparent `bg`
 * such as #0f2a4a00, otherwise white around dark text and black around light.
 */
function matteOf(bg: string | undefined, { r, g, b }: Color): string {
  if (bg !== undefined && bg.trim().toLowerCase() !== "transparent") return formatColor({ ...readColor(bg), a: 1 });
  return 0.299 * r + 0.587 * g + 0.114 * b < 150 ? "#ffffff" : "#000000";
}

type SizeName = "padding" | "cellPadding" | "digitFontSize" | "labelFontSize" | "labelPaddingY" | "digitPaddingY";

/** Default sizes follow the picture: 75 px digits on 600 x 150, and the rest in proportion. */
function sizesOf(input: CountdownInput): Pick<Design, SizeName> {
  const digitFontSize = input.digitFontSize ?? clamp(Math.min(input.height * 0.5, input.width * 0.125), 20, 300);
  const scale = digitFontSize / 64;
  return {
    digitFontSize,
    padding: input.padding ?? 16 * scale,
    cellPadding: input.cellPadding ?? 12 * scale,
    // Below 8 px capitals are hard to read.
    labelFontSize: input.labelFontSize ?? clamp(14 * scale, 8, 80),
    labelPaddingY: input.labelPaddingY ?? 8 * scale,
    digitPaddingY: input.digitPaddingY ?? 0,
  };
}

function isOn(flag: CountdownInput["showDays"], fallback: boolean): boolean {
  return flag === undefined ? fallback : flag === true || flag === "true" || flag === "1";
}

/** Canvas ignores an unknown colour and keeps the previous one, so only parsed colours are passed. */
function readColor(css: string): Color {
  const color = parseColor(css);
  if (!color) throw new Error(`${css} is not a colour`);
  return color;
}

const writeColor = (css: string) => formatColor(readColor(css));
const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);
