import type { SKRSContext2D } from "@napi-rs/canvas";
import { type Box, boxesOverlap, grow, union } from "./box.js";
import type { Design, Picture } from "./design.js";
import { layOutCells, layOutText, type TextLine } from "./layout.js";

export interface Painter {
  /** The part of the canvas where a picture may differ from the previous one; all of it for the first. */
  changed(picture: Picture, previous?: Picture): Box;
  /** Draws a picture inside `region` and nothing outside. */
  paint(picture: Picture, region: Box): void;
}

// Relative to the digits' size.
const CARD_RADIUS = 0.14;
const GLOW = 0.24;
/** A blur extends to one and a half times its size, but the part beyond this is invisible. */
const GLOW_REACH = 1.1;

/** Lays all pictures out together, so that nothing moves between them. */
export function createPainter(ctx: SKRSContext2D, design: Design, pictures: Picture[]): Painter {
  const { width, height, colors, effects, transparent } = design;
  const layout = layOutCells(ctx, design, longestCells(pictures));
  const glow = effects.glow && !transparent ? GLOW * layout.digitSize : 0;

  function drawText(text: string, line: TextLine, color: string): void {
    ctx.font = line.font;
    ctx.letterSpacing = `${line.letterSpacing}px`;
    ctx.fillStyle = color;
    // The spacing also follows the last character, which would shift a centred text to the left.
    ctx.fillText(text, Math.round(line.x + line.letterSpacing / 2), Math.round(line.y));
  }

  /** A wide halo under a narrow one looks like a lit tube; a single one looks like a shadow. */
  function drawLit(text: string, line: TextLine, color: string): void {
    ctx.shadowColor = color;
    for (const blur of [glow, glow / 4]) {
      ctx.shadowBlur = blur;
      drawText(text, line, color);
    }
  }

  const draw = glow > 0 ? drawLit : drawText;

  function drawCells(cells: string[], region: Box): void {
    for (const line of layout.dividers) draw(design.divider, line, colors.divider);
    for (const [index, box] of layout.boxes.entries()) {
      // Blurring is expensive, even if clipped.
      if (boxesOverlap(grow(box, 2 * glow, design), region)) drawCell(index, box, cells[index] ?? "");
    }
  }

  function drawCell(index: number, box: Box, text: string): void {
    if (effects.cards && !transparent) drawCard(box);
    const [digits, label] = [layout.digits[index], layout.labels[index]];
    if (label) draw(design.labels[index] ?? "", label, colors.label);
    if (digits) draw(text, digits, colors.fg);
  }

  function drawCard(box: Box): void {
    ctx.save();
    ctx.globalAlpha = 0.09;
    ctx.fillStyle = colors.fg;
    ctx.beginPath();
    ctx.roundRect(box.x, box.y, box.width, box.height, CARD_RADIUS * layout.digitSize);
    ctx.fill();
    ctx.restore();
  }

  function drawScanlines(): void {
    const step = Math.max(3, Math.round(height / 60));
    ctx.fillStyle = "rgba(0, 0, 0, 0.22)";
    for (let y = 0; y < height; y += step) ctx.fillRect(0, y, width, Math.ceil(step / 3));
  }

  return {
    changed(picture, previous) {
      if (!previous || picture.text !== undefined) return { x: 0, y: 0, width, height };
      // A transparent picture is cleared before the next, which therefore draws everything again.
      const boxes = layout.boxes.filter((_, cell) => transparent || picture.cells[cell] !== previous.cells[cell]);
      return grow(union(boxes), glow * GLOW_REACH + 1, design);
    },
    paint(picture, region) {
      ctx.save();
      ctx.beginPath();
      ctx.rect(region.x, region.y, region.width, region.height);
      ctx.clip();
      ctx.clearRect(0, 0, width, height);
      ctx.fillStyle = colors.bg;
      if (!transparent) ctx.fillRect(0, 0, width, height);
      ctx.lang = "en";
      ctx.textAlign = "center";
      if (picture.text === undefined) drawCells(picture.cells, region);
      else draw(picture.text, layOutText(ctx, design, picture.text), colors.fg);
      ctx.shadowColor = "transparent";
      if (effects.scanlines && !transparent) drawScanlines();
      ctx.restore();
    },
  };
}

/** For each cell its longest digits: days lose one from 100 to 99. */
function longestCells(pictures: Picture[]): string[] {
  const longest: string[] = [];
  for (const { cells } of pictures)
    for (const [index, digits] of cells.entries())
      if (digits.length > (longest[index]?.length ?? 0)) longest[index] = digits;
  return longest;
}
