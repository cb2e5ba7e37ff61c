/** Countdowns at a fixed time, and what can be seen of them. */
import { countdownGif } from "../../src/capabilities/countdown/gif.js";
import type { Input } from "../../src/capability/types.js";
import { type Gif, play, readGif } from "./gif.js";

export type CountdownInput = Input<typeof countdownGif>;

export const NOW = new Date("2029-12-20T10:30:12.345Z");
export const END = "2030-01-01T00:00:00Z";
export const TEMPLATES = ["default", "minimal", "neon", "retro", "corporate"] as const;

/** The end date that lies so many milliseconds after NOW. */
export const millisLater = (ms: number) => new Date(NOW.getTime() + ms).toISOString();

export async function render(input: Partial<CountdownInput> = {}, now = NOW): Promise<Uint8Array> {
  const { body } = await countdownGif({ endDate: END, ...input }, { clock: () => now });
  if (typeof body === "string") throw new Error("a GIF is bytes");
  return body;
}

export const gifOf = async (input?: Partial<CountdownInput>, now?: Date) => readGif(await render(input, now));

export const delaysOf = (gif: Gif) => gif.frames.map(({ delayCs }) => delayCs);

export interface Seen {
  width: number;
  height: number;
  /** RGBA at a place. */
  at(x: number, y: number): number[];
  /** The smallest rectangle around everything that is not background (the top left pixel's colour). */
  ink: { left: number; top: number; right: number; bottom: number; pixels: number };
  rgba: Uint8ClampedArray;
}

/** What each frame shows. */
export function seenIn(gif: Gif): Seen[] {
  return play(gif).map((rgba) => {
    const { width, height } = gif;
    return { width, height, rgba, at: (x, y) => pixelAt(rgba, y * width + x), ink: inkOf(rgba, width) };
  });
}

/** What a countdown shows first. */
export async function firstSight(input: Partial<CountdownInput>, now?: Date): Promise<Seen> {
  const [seen] = seenIn(await gifOf({ seconds: 1, ...input }, now));
  if (!seen) throw new Error("no frame");
  return seen;
}

const pixelAt = (rgba: Uint8ClampedArray, pixel: number) => [...rgba.subarray(pixel * 4, pixel * 4 + 4)];

function inkOf(rgba: Uint8ClampedArray, width: number): Seen["ink"] {
  const colors = new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4);
  const ink = { left: width, top: colors.length / width, right: -1, bottom: -1, pixels: 0 };
  for (const [pixel, color] of colors.entries()) {
    if (color === colors[0]) continue;
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    ink.left = Math.min(ink.left, x);
    ink.right = Math.max(ink.right, x);
    ink.top = Math.min(ink.top, y);
    ink.bottom = Math.max(ink.bottom, y);
    ink.pixels++;
  }
  return ink;
}

/** The largest difference of any colour value of two pictures. */
export function difference(one: Seen, other: Seen): number {
  return one.rgba.reduce((max, value, index) => Math.max(max, Math.abs(value - (other.rgba[index] ?? 0))), 0);
}
