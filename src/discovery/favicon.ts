import type { Brand } from "../host/options.js";

/** An icon for a brand without one: its first letter on a coloured ground, as SVG. */
export function favicon({ name, slug }: Pick<Brand, "name" | "slug">): string {
  const [first = ""] = name.trim();
  const letter = first.toUpperCase().replace(/[<>&"']/g, "");
  const hue = hueOf(slug);
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    `<rect width="32" height="32" rx="7" fill="hsl(${hue} 55% 35%)"/>` +
    `<text x="16" y="23" font-family="sans-serif" font-weight="700" font-size="20" text-anchor="middle" fill="#fff">${letter}</text></svg>\n`
  );
}

/** A colour for a brand, as an angle of the colour wheel. */
export const hueOf = (slug: string): number =>
  [...slug].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 360, 0);
