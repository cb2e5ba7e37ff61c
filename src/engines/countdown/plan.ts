/** From what a caller asks to what is drawn: every default filled in, every picture named. */
import { type Color, formatColor, parseColor } from "../../lib/color.js";
import type { CountdownTask, Design, Picture } from "./design.js";
import type { CountdownInput } from "./input.js";
import { TEMPLATES } from "./templates.js";
import { timeline, toDigits } from "./timeline.js";

/** The task of drawing a countdown that is first seen at `now`. */
export function planCountdown(input: CountdownInput, now: Date): CountdownTask {
  const showDays = isOn(input.showDays, true);
  return { design: designOf(input, showDays), pictures: picturesOf(input, { now, showDays }) };
}

function picturesOf(input: CountdownInput, { now, showDays }: { now: Date; showDays: boolean }): Picture[] {
  const leftMs = Date.parse(input.endDate) - now.getTime();
  return timeline({ leftMs, seconds: input.seconds, fps: input.fps }).map(({ secondsLeft, delayCs }) =>
    secondsLeft === 0
      ? { cells: [], text: input.expiredText, delayCs }
      : { cells: toDigits(secondsLeft, showDays), delayCs },
  );
}

function designOf(input: CountdownInput, showDays: boolean): Design {
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
    digitFont: input.digitFont ?? template.digitFont,
    labelFont: input.labelFont ?? template.labelFont,
    digitWeight: input.digitWeight ?? template.digitWeight,
    divider: input.dividerChar,
    labels: isOn(input.showLabels, template.showLabels) ? (showDays ? [labelDays, ...clock] : clock) : [],
    effects: template.effects,
  };
}

type SizeName = "padding" | "cellPadding" | "digitFontSize" | "labelFontSize" | "labelPaddingY" | "digitPaddingY";

/** Sizes follow the picture where the caller sets none: 64 px digits on 600 x 150, and all else in proportion. */
function sizesOf(input: CountdownInput): Pick<Design, SizeName> {
  const digitFontSize = input.digitFontSize ?? clamp(Math.min(input.height * 0.427, input.width * 0.13), 20, 300);
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

/** Canvas keeps the colour before when it does not know one, so only what the grammar has read is passed on. */
function readColor(css: string): Color {
  const color = parseColor(css);
  if (!color) throw new Error(`${css} is not a colour`);
  return color;
}

const writeColor = (css: string) => formatColor(readColor(css));
const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);
