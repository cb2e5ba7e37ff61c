import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { latitude, text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import type { NotedPlace } from "../../engines/coordinates/notations.js";
import type { Point } from "../../engines/coordinates/point.js";
import { invalid } from "../../errors.js";
import { anyLongitude, notations, place, pointOf } from "./_place.js";

const TARGETS = ["dms", "utm", "mgrs", "plusCode", "geohash", "h3"] as const;
const FORMATS = ["degrees", "dms", "utm", "mgrs", "plusCode", "shortCode", "geohash", "h3"] as const;
const PLUS_CODE_LENGTHS = [2, 4, 6, 8, 10, 11, 12, 13, 14, 15];

const inputSchema = () =>
  z.strictObject({
    latitude: latitude().optional().describe("Degrees, north positive; with longitude"),
    longitude: anyLongitude().optional().describe("Degrees, east positive; whole turns are taken off"),
    value: text(1, 100)
      .optional()
      .describe(
        "Or the place as text: 52.52, 13.405; 40°26'46\"N 79°58'56\"W; 33 N 474596 8643594; 33XVG7459643594; 8FVC9G8F+6W; 9G8F+6W with near; u33db; 851f1d4bfffffff",
      ),
    format: z
      .enum(FORMATS)
      .optional()
      .describe("Notation of `value`. Left out: recognized; small letters are rather a geohash, capitals MGRS"),
    near: place("Place nearby, for a short Plus Code in `value`, and to write one").optional(),
    to: z
      .array(z.enum(TARGETS))
      .min(1)
      .max(TARGETS.length)
      .default([...TARGETS])
      .describe("Notations to write"),
    lengths: z
      .strictObject({
        mgrs: z
          .int()
          .min(0)
          .max(5)
          .optional()
          .describe("Digits of easting and of northing each: 5 is 1 m, 0 is 100 km"),
        plusCode: z
          .int()
          .refine((length) => length >= 15 || PLUS_CODE_LENGTHS.includes(length), {
            error: `must be one of ${PLUS_CODE_LENGTHS.join(", ")}`,
          })
          .max(100)
          .optional()
          .describe("Digits: 2, 4, 6, 8 or 10 to 15; 10 is 14 m"),
        geohash: z.int().min(1).max(12).optional().describe("Letters: 9 is 5 m"),
        h3: z.int().min(0).max(15).optional().describe("Resolution: 9 is 200 m"),
      })
      .default({})
      .describe("How fine to write. Left out: as `value` is, else mgrs 5, plusCode 10, geohash 9, h3 9"),
  });

type Input = z.output<ReturnType<typeof inputSchema>>;

export const geoConvert = /* @__PURE__ */ defineCapability({
  id: "geo.convert",
  summary:
    "Convert coordinates between degrees, DMS, UTM, MGRS, Plus Codes, geohash and H3, whichever they are written in.",
  keywords: [
    "coordinates",
    "latitude longitude",
    "gps",
    "mgrs",
    "military grid",
    "utm",
    "plus code",
    "open location code",
    "geohash",
    "h3 cell",
    "degrees minutes seconds",
    "dms to decimal",
    "grid reference",
  ],
  price: "0.001",
  method: "POST",
  offline: true,
  source: {
    provider: "built-in (h3-js for H3)",
    url: "https://h3geo.org",
    license: "MIT; h3-js: Apache-2.0",
  },
  input: inputSchema,
  output: one(() =>
    z.object({
      format: z.enum(FORMATS).describe("Notation that was read"),
      latitude: z.number().describe("Of an MGRS square its south-west corner, of other cells the centre"),
      longitude: z.number().describe("-180 up to 180"),
      dms: z.string().nullable(),
      utm: z.string().nullable().describe("Zone, hemisphere N or S, easting, northing; null beyond 80°S and 84°N"),
      mgrs: z.string().nullable().describe("Null beyond 80°S and 84°N"),
      plusCode: z.string().nullable(),
      shortCode: z.string().nullable().describe("The Plus Code without what follows from `near`"),
      geohash: z.string().nullable(),
      h3: z.string().nullable(),
      bounds: z
        .object({
          south: z.number(),
          west: z.number(),
          north: z.number(),
          east: z.number().describe("Above 180 where the cell crosses the antimeridian"),
        })
        .nullable()
        .describe("What the cell that was read covers; null for points"),
      precisionMeters: z.number().nullable().describe("Longer side of that cell; null for points"),
    }),
  ),
  example: { value: "33XVG7459643594" },
  check({ value, latitude, longitude, format }) {
    if (value !== undefined) {
      if (latitude !== undefined) throw invalid("latitude", "must be left out when a value is given");
      if (longitude !== undefined) throw invalid("longitude", "must be left out when a value is given");
      return;
    }
    if (latitude === undefined && longitude === undefined)
      throw invalid("value", "is needed, or latitude and longitude: which place is to be converted?");
    if (latitude === undefined) throw invalid("latitude", "is needed with a longitude");
    if (longitude === undefined) throw invalid("longitude", "is needed with a latitude");
    if (format) throw invalid("format", "is of a value, and there is none");
  },
  async read(input) {
    const near = input.near === undefined ? undefined : await pointOf("near", input.near);
    return { ...input, near, place: await placeOf(input, near) };
  },
  async run({ place, to, lengths, near }) {
    const { writePlace } = await notations();
    const finest = { mgrs: 5, plusCode: 10, geohash: 9, h3: 9, ...place.lengths, ...lengths };
    const { format, latitude, longitude, bounds, precisionMeters } = place;
    const written = await writePlace(place, to, { lengths: finest, near });
    return { item: { format, latitude, longitude, ...written, bounds, precisionMeters }, meta: method() };
  },
});

async function placeOf(
  { value, format, latitude = 0, longitude = 0 }: Input,
  near: Point | undefined,
): Promise<NotedPlace> {
  if (value === undefined) {
    const { wrapped } = await import("../../engines/coordinates/point.js");
    const point = { latitude, longitude: wrapped(longitude), bounds: null, precisionMeters: null };
    return { ...point, format: "degrees", own: {}, lengths: {} };
  }
  const { readPlace } = await notations();
  const read = await readPlace(value, format, near);
  if ("reason" in read) throw invalid(read.needs ?? "value", read.reason);
  return read;
}
