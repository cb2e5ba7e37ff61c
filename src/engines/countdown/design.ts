import type { FontFile } from "./fonts.js";

/** A countdown picture with all choices made: the input of the worker thread. Sizes are in pixels. */
export interface Design {
  width: number;
  height: number;
  padding: number;
  cellPadding: number;
  digitFontSize: number;
  labelFontSize: number;
  labelPaddingY: number;
  digitPaddingY: number;
  letterSpacing: number;
  /** CSS colours. */
  colors: { bg: string; fg: string; label: string; divider: string };
  /** True if `colors.bg` is not painted. */
  transparent: boolean;
  /** Colour that shows through partly covered pixels of a transparent picture: CSS colour of the page behind it. */
  matte: string;
  fonts: { digits: TextFont; expired: TextFont; labels: TextFont };
  divider: string;
  /** One for each cell, or none. */
  labels: string[];
  effects: Effects;
}

/** Fonts of a text; the first that has a character draws it. */
export interface TextFont {
  families: string[];
  /** From 100 to 900, as in CSS. */
  weight: number;
}

export interface Effects {
  /** Text shines onto its surroundings. */
  glow?: boolean;
  /** Fine dark lines, as on an old screen. */
  scanlines?: boolean;
  /** A panel behind each cell. */
  cards?: boolean;
}

/** One picture: the digits of each cell, or a text instead of them. */
export interface Picture {
  cells: string[];
  text?: string;
  delayCs: number;
}

export interface CountdownTask {
  /** Every font that is used. */
  fonts: FontFile[];
  design: Design;
  pictures: Picture[];
}
