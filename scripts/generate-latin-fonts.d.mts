export const FONTS_PATH: string;
export function renderFonts(): string;
