import { z } from "zod";
import { latitude, text } from "../../capability/fields.js";
import type { Point } from "../../engines/coordinates/point.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

/** Five turns: whole turns of a longitude are taken off. */
export const anyLongitude = () => z.number().min(-1800).max(1800);

const HOW = "[longitude, latitude], { latitude, longitude }, or text in a notation of geo.convert";

/** One point, in GeoJSON's order, by names, or as text. */
export const place = (what: string) =>
  z
    .union(
      [
        z.tuple([anyLongitude().describe("Longitude"), latitude().describe("Latitude")]),
        z.strictObject({
          latitude: latitude().describe("Degrees, north positive"),
          longitude: anyLongitude().describe("Degrees, east positive"),
        }),
        text(1, 100),
      ],
      { error: `must be ${HOW}` },
    )
    .describe(`${what}: ${HOW}`);

type Given = z.output<ReturnType<typeof place>>;

/** The point of a field. Text is read as geo.convert reads it. */
export async function pointOf(path: string, given: Given): Promise<Point> {
  const { wrapped } = await import("../../engines/coordinates/point.js");
  if (Array.isArray(given)) return { longitude: wrapped(given[0]), latitude: given[1] };
  if (typeof given === "object") return { latitude: given.latitude, longitude: wrapped(given.longitude) };
  const { readPlace } = await notations();
  const read = await readPlace(given);
  if ("reason" in read) throw invalid(path, read.reason);
  return { latitude: read.latitude, longitude: read.longitude };
}

export const notations = /* @__PURE__ */ lazy(() => import("../../engines/coordinates/notations.js"));
