/**
 * Chooses a font for each character. A bare container has no fonts, and missing characters would be drawn as empty
 * boxes: fonts therefore come from packages, and text that none of them can draw is refused before payment.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { once } from "../../lib/lazy.js";
import { requireFrom } from "../../lib/packages/require.js";
import { DEJAVU_RANGES } from "./dejavu-ranges.js";

/** A font file and its name for the canvas; without a path one of LATIN_FONTS. */
export interface FontFile {
  family: string;
  file?: string;
}

interface Font extends FontFile {
  has(codePoint: number): boolean;
}

/** `paper` is for documents whose text is to be copied: a font with all its letters in one file comes first. */
export type Face = "mono" | "sans" | "paper";
export type Weight = "regular" | "bold";

/**
 * Packages of @fontsource-variable, each split into files by characters. They claim more characters than they draw, so
 * only those of `script` count.
 */
const LATIN = /[\u0020-\u024f\u0370-\u03ff\u0400-\u0523\u1e00-\u1ef9\u2010-\u2027\u2030-\u203a\u20ac\u2122\u2212]/;
const BASIC_LATIN = "20-7e,a0-ff,131,152-153,2010-2027,2030-203a,20ac,2122,2212";
const FACES: Record<Face, string> = { mono: "chivo-mono", sans: "roboto-condensed", paper: "roboto-condensed" };
const SCRIPTS: { name: string; script: RegExp }[] = [
  { name: "noto-sans-arabic", script: /[\u0600-\u06ff\u0750-\u077f]/u },
  { name: "noto-sans-devanagari", script: /[\p{Script=Devanagari}\u200c\u200d]/u },
  { name: "noto-sans-thai", script: /\p{Script=Thai}/u },
  { name: "noto-sans-kr", script: /[\p{Script=Hangul}]/u },
  { name: "noto-sans-sc", script: /(?![\uf900-\ufaff])[\p{Script=Han}\p{Script=Bopomofo}\u3000-\u303f\uff00-\uffef]/u },
  {
    name: "noto-sans-jp",
    script:
      /(?![\uf900-\ufaff])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\u30fb\u30fc\uff00-\uffef]/u,
  },
];
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Scripts with joined or stacked letters: letter spacing would break words. */
export const isJoined = (text: string) => /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Thai}]/u.test(text);

/** The fonts that draw a text, best first; or the characters that none of them has. */
export function fontsFor(
  text: string,
  { face, weight }: { face: Face; weight: Weight },
): { fonts: FontFile[] } | { missing: string[] } {
  const candidates = candidatesFor(text, face, weight);
  const used = new Set<Font>();
  const missing = new Set<string>();
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    // The packages list control characters among Latin ones.
    const font = /\p{Cc}/u.test(character) ? undefined : candidates.find(({ has }) => has(codePoint));
    if (font) used.add(font);
    else missing.add(character);
  }
  if (missing.size > 0) return { missing: [...missing] };
  return { fonts: candidates.filter((font) => used.has(font)).map(({ has, ...file }) => file) };
}

function candidatesFor(text: string, face: Face, weight: Weight): Font[] {
  const scripts = KANA.test(text) ? [...SCRIPTS].reverse() : SCRIPTS;
  const whole = weight === "bold" ? dejaVuBold() : dejaVu();
  return [
    ...(face === "paper" ? whole : []),
    ...latinOf(FACES[face]),
    ...scripts.filter(({ script }) => script.test(text)).flatMap(({ name, script }) => slicesOf(name, script)),
    // Symbols, and rarely used scripts.
    ...whole,
  ];
}

/** Only a bundle lacks the files: it still draws Latin letters. */
function latinOf(name: string): Font[] {
  const files = slicesOf(name, LATIN);
  return files.length > 0 ? files : [{ family: name, has: inRanges(BASIC_LATIN) }];
}

const dejaVu = once(() => dejaVuOf("DejaVu Sans", "DejaVuSans.ttf"));
const dejaVuBold = once(() => dejaVuOf("DejaVu Sans Bold", "DejaVuSans-Bold.ttf"));

function dejaVuOf(family: string, name: string): Font[] {
  const file = resolve(`dejavu-fonts-ttf/ttf/${name}`);
  if (file === undefined) return [];
  const has = inRanges(DEJAVU_RANGES);
  // Its Arabic lacks half of Noto's characters, and mixing both in a word is visible.
  const isArabic = (codePoint: number) => codePoint >= 0x600 && codePoint <= 0x77f;
  return [{ family, file, has: (point) => has(point) && !isArabic(point) }];
}

const slices = new Map<string, Font[]>();

/** The files of a package; empty if the host did not install it. */
function slicesOf(name: string, script: RegExp): Font[] {
  const known = slices.get(name) ?? readSlices(name, script);
  slices.set(name, known);
  return known;
}

function readSlices(name: string, script: RegExp): Font[] {
  const list = resolve(`@fontsource-variable/${name}/unicode.json`);
  if (list === undefined) return [];
  const ranges: Record<string, string> = JSON.parse(readFileSync(list, "utf8"));
  return Object.entries(ranges).flatMap(([slice, text]) => {
    const part = slice.replace(/[[\]]/g, "");
    const file = resolve(`@fontsource-variable/${name}/files/${name}-${part}-wght-normal.woff2`);
    const has = inRanges(text.replaceAll("U+", ""));
    const isCountedOn = (point: number) => has(point) && script.test(String.fromCodePoint(point));
    return file === undefined ? [] : [{ family: `${name} ${part}`, file, has: isCountedOn }];
  });
}

function resolve(path: string): string | undefined {
  try {
    // A CommonJS bundle has no address of its own; it resolves packages from the working directory.
    return requireFrom(import.meta.url ?? join(process.cwd(), "bundle.cjs")).resolve(path);
  } catch {
    return undefined;
  }
}

/** Whether a code point is in a list such as `20-7e,a0`, in hex. */
function inRanges(list: string): (codePoint: number) => boolean {
  const ranges = list.split(",").map((range) => range.split("-").map((hex) => Number.parseInt(hex, 16)));
  return (point) => ranges.some(([from = 0, to = from]) => point >= from && point <= to);
}

/** Builds a CSS font of any size. */
export function fontOf({ families, weight }: { families: string[]; weight: number }) {
  const list = families.map((family) => `"${family}"`).join(", ");
  return (sizePx: number) => `${weight} ${sizePx}px ${list}`;
}
