import type { FontFile } from "./fonts.js";

/** A countdown picture with every choice made: what the worker thread is given to draw. Sizes are in pixels. */
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
  /** No background at all: `colors.bg` is not painted. */
  transparent: boolean;
  /** What is seen through partly covered pixels of a transparent picture: CSS colour of the page it will lie on. */
  matte: string;
  fonts: { digits: TextFont; expired: TextFont; labels: TextFont };
  divider: string;
  /** One for each cell, or none. */
  labels: string[];
  effects: Effects;
}

/** A text's fonts, the first that has a character draws it. */
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
