/** Draws a code from text: the work of a thread. */
import { CapabilityError, invalid } from "../../errors.js";
import { encode, type Symbology } from "./matrix.js";
import { isDecodable, toPng } from "./png.js";
import { assertModuleSize } from "./readable.js";
import { type LogoImage, renderSvg } from "./render.js";
import type { Style } from "./style.js";

export interface CodeTask {
  text: string;
  symbology: Symbology;
  size: number;
  margin: number;
  style: Style;
  logo?: LogoImage | undefined;
  as: "svg" | "png";
}

/** A drawing, or the reason of a refusal, because errors lose their class between threads. */
export type Drawn = { svg: string } | { png: Uint8Array } | { refused: { path: string; message: string } };

export async function drawCode({ text, symbology, size, margin, style, logo, as }: CodeTask): Promise<Drawn> {
  try {
    // In an SVG the viewer decodes the logo; a PNG would come out without it.
    if (logo && as === "png" && !(await isDecodable(logo.bytes)))
      throw invalid("style.logo.source", `cannot be decoded as ${logo.mimeType}`);
    const matrix = await encode(text, symbology);
    assertModuleSize({ format: symbology.format, columns: matrix.columns, size, margin, modules: style.modules });
    const drawing = renderSvg(matrix, { size, margin, style, logo });
    return as === "svg" ? { svg: drawing.svg } : { png: await toPng(drawing) };
  } catch (error) {
    const [issue] = (CapabilityError.is(error) && error.issues) || [];
    if (!issue) throw error;
    return { refused: { path: issue.path, message: issue.message } };
  }
}
