/** Style of a code: module shapes, colours, gradients and a logo. Colours are parsed, so no caller's text is used. */
import { z } from "zod";
import { type Color, parseColor } from "../colors/color.js";

const colorText = () => z.string().max(100);

/** A CSS colour, `transparent` included. */
const anyColor = () =>
  colorText().transform((value, ctx): Color => {
    const color = parseColor(value);
    if (color) return color;
    ctx.addIssue({ code: "custom", message: "must be a CSS colour such as #0a3d62, rgb(10 61 98) or navy" });
    return z.NEVER;
  });

/** A visible CSS colour. */
const inkColor = () => anyColor().refine(({ a }) => a > 0, { error: "must not be transparent" });

const gradient = () =>
  z.strictObject({
    type: z.enum(["linear", "radial"]).describe("Along a line, or from the centre outwards"),
    stops: z
      .array(
        z.strictObject({
          offset: z.number().min(0).max(1).describe("Where on the way from 0 to 1"),
          color: inkColor().describe("CSS colour"),
        }),
      )
      .min(2)
      .max(10)
      .describe("2 to 10 colours on the way"),
    rotation: z
      .number()
      .prefault(0)
      .describe("Direction of a linear gradient in degrees: 0 to the right, 90 downwards"),
  });

const logo = () =>
  z.strictObject({
    source: z
      .string()
      .min(1)
      .max(1_500_000)
      .describe("https URL or base64 data URI of a PNG, JPEG, GIF or WebP of at most 1 MB"),
    sizePct: z
      .number()
      .min(0.05)
      .max(0.4)
      .prefault(0.2)
      .describe("Width as a part of the code's, quiet zone not counted"),
    padding: z.number().min(0).max(32).prefault(4).describe("Free space around it in px"),
    background: anyColor().optional().describe("CSS colour behind it. Left out: the code's background"),
    cornerRadius: z.number().min(0).max(64).prefault(0).describe("Radius of its corners in px"),
  });

export const styleSchema = () =>
  z.strictObject({
    modules: z
      .enum(["square", "rounded", "dots"])
      .prefault("square")
      .describe("Shape of a QR code's data modules; other formats need square ones to be read"),
    foreground: z
      .union([inkColor(), gradient()], { error: "must be a CSS colour that is not transparent, or a gradient" })
      .prefault("#000000")
      .describe("Colour of the modules: CSS colour or gradient over the whole code"),
    background: anyColor().prefault("#ffffff").describe("CSS colour or transparent"),
    logo: logo().optional().describe("Image in the middle; QR codes only"),
  });

export type Style = z.output<ReturnType<typeof styleSchema>>;
export type Gradient = z.output<ReturnType<typeof gradient>>;
export type LogoStyle = z.output<ReturnType<typeof logo>>;
