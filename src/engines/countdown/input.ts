import { z } from "zod";
import { isoDateTime, text } from "../../capability/fields.js";
import { parseColor } from "../colors/color.js";
import { TEMPLATE_NAMES } from "./templates.js";

const color = () =>
  text(1, 40).refine((css) => parseColor(css) !== undefined, {
    message: "must be a CSS colour, such as #1e90ff, rgb(30, 144, 255), dodgerblue or transparent",
  });
const px = (min: number, max: number) => z.int().min(min).max(max).optional();
const flag = () => z.union([z.boolean(), z.enum(["true", "false", "0", "1"])]).optional();
const face = () => z.enum(["mono", "sans"]).optional();
const label = (unit: string) => text(1, 12).default(unit.toUpperCase()).describe(`The word below the ${unit}`);

export const countdownInput = () =>
  z.strictObject({
    endDate: isoDateTime().describe("What is counted down to: a date-time with its zone, such as 2030-01-01T00:00:00Z"),
    template: z
      .enum(TEMPLATE_NAMES)
      .default("default")
      .describe("A look: it sets the colours and type of whatever is not set here"),
    seconds: z
      .int()
      .min(1)
      .max(60)
      .default(60)
      .describe("How long it runs; it plays once and stays at its last picture"),
    fps: z.int().min(1).max(10).default(1).describe("Steps a second: how exactly a second's change is timed"),
    width: z.int().min(200).max(1600).default(600).describe("Width in pixels"),
    height: z.int().min(80).max(800).default(150).describe("Height in pixels"),
    padding: px(0, 200).describe("Free space at the edges in pixels, at most a quarter of each side"),
    cellPadding: px(0, 200).describe("Space on both sides of each unit in pixels, less if there is too little room"),
    digitFontSize: px(20, 300).describe(
      "Size of the digits in pixels, smaller if there is too little room; follows the picture",
    ),
    labelFontSize: px(6, 80).describe(
      "Size of the labels in pixels, smaller if there is too little room; follows the picture",
    ),
    labelPaddingY: px(0, 60).describe("Space above the labels in pixels"),
    digitPaddingY: px(-60, 60).describe("More (or less) space above and below the digits in pixels"),
    letterSpacing: z.number().min(0).max(20).default(0).describe("Space between digits in pixels"),
    bg: color()
      .optional()
      .describe(
        "Background as a CSS colour; transparent for none, as is any alpha below one half: #0f2a4a00 suits a page of #0f2a4a",
      ),
    fg: color().optional().describe("Colour of the digits, in CSS"),
    labelColor: color().optional().describe("Colour of the labels, in CSS"),
    dividerColor: color().optional().describe("Colour of the dividers, in CSS"),
    digitFont: face().describe("Type of the digits"),
    labelFont: face().describe("Type of the labels"),
    digitWeight: z.enum(["regular", "bold"]).optional().describe("Weight of the digits"),
    showLabels: flag().describe(
      "Whether the units are named. Left out: as the template does, which is all but minimal",
    ),
    showDays: flag().describe("Whether there are days; without them the hours count on past 24. Left out: true"),
    dividerChar: text(1, 3).default(":").describe("Text between the units"),
    expiredText: text(1, 30).default("EXPIRED").describe("What is shown from the end date on"),
    labelDays: label("days"),
    labelHours: label("hours"),
    labelMinutes: label("minutes"),
    labelSeconds: label("seconds"),
  });

export type CountdownInput = z.output<ReturnType<typeof countdownInput>>;
