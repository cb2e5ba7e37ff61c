import type { Design, Effects } from "./design.js";
import type { Face, Weight } from "./fonts.js";

export const TEMPLATE_NAMES = ["default", "minimal", "neon", "retro", "corporate"] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** Defaults of a template. */
export interface Template {
  colors: Design["colors"];
  digitFont: Face;
  labelFont: Face;
  digitWeight: Weight;
  showLabels: boolean;
  effects: Effects;
}

const BASE = { digitFont: "mono", labelFont: "sans", digitWeight: "bold", showLabels: true, effects: {} } as const;

export const TEMPLATES: Record<TemplateName, Template> = {
  default: {
    ...BASE,
    colors: { bg: "#ffffff", fg: "#111827", label: "#6b7280", divider: "#9ca3af" },
  },
  minimal: {
    ...BASE,
    colors: { bg: "#ffffff", fg: "#000000", label: "#000000", divider: "#000000" },
    digitWeight: "regular",
    showLabels: false,
  },
  neon: {
    ...BASE,
    colors: { bg: "#0b0221", fg: "#39ff14", label: "#ff2bd6", divider: "#ff2bd6" },
    effects: { glow: true },
  },
  retro: {
    ...BASE,
    colors: { bg: "#2b1d0e", fg: "#ffb000", label: "#d98e04", divider: "#ffb000" },
    labelFont: "mono",
    effects: { scanlines: true },
  },
  corporate: {
    ...BASE,
    colors: { bg: "#0f2a4a", fg: "#ffffff", label: "#b6c7dc", divider: "#6d8fb8" },
    digitFont: "sans",
    effects: { cards: true },
  },
};
