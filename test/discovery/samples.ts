import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { isoDate, text } from "../../src/capability/fields.js";
import { binary, legacy, one, rows } from "../../src/capability/output.js";

const source = { provider: "Weather Office", url: "https://weather.example", license: "CC0" };

export const sampleForecast = defineCapability({
  id: "weather.day-forecast",
  summary: "The forecast of one day for a town.",
  keywords: ["rain", "sunny", "umbrella"],
  price: "0.00144",
  source,
  requires: ["WEATHER_KEY"],
  input: () =>
    z.strictObject({
      town: text(1, 80).describe("Name of the town"),
      day: isoDate().optional().describe("The day"),
      days: z.int().min(1).max(14).default(1).describe("How many days"),
      station: z.int().optional().describe("Station number"),
      unit: z.enum(["C", "F"]).default("C").describe("Temperature unit"),
      exact: z
        .union([z.boolean(), z.enum(["yes", "no"])])
        .optional()
        .describe("Whether to round"),
    }),
  output: one(z.object({ town: z.string(), degrees: z.number().nullable() })),
  example: { town: "Lisbon", days: 2 },
  run: ({ town }) => ({ item: { town, degrees: null } }),
});

const sampleChat = defineCapability({
  id: "talk.chat",
  method: "POST",
  summary: "Talks with a model.",
  keywords: ["conversation"],
  price: { min: "0.001", max: "50", quote: async () => 1000n },
  billing: "upto",
  source,
  input: () =>
    z.strictObject({
      messages: z
        .array(
          z.strictObject({ role: z.enum(["user", "system"]).describe("Who"), content: text(1, 9).describe("What") }),
        )
        .describe("The conversation"),
    }),
  output: legacy(z.object({ answer: z.string() })),
  example: { messages: [{ role: "user", content: "Hello" }] },
  run: () => ({ answer: "Hi" }),
});

export const samplePicture = defineCapability({
  id: "draw.picture",
  method: "POST",
  summary: "Draws a picture.",
  keywords: ["image"],
  price: "0.001",
  deprecated: true,
  source: { provider: "built-in", url: "", license: "MIT" },
  input: () => z.strictObject({ subject: text(1, 9).describe("What to draw") }),
  output: binary("image/png", "image/svg+xml"),
  example: { subject: "cat" },
  run: () => ({ contentType: "image/png", body: new Uint8Array() }),
});

const sampleStations = defineCapability({
  id: "weather.stations",
  summary: "All stations.",
  keywords: ["list"],
  price: "0.001",
  source,
  input: () => z.strictObject({}),
  output: rows(z.object({ name: z.string() })),
  example: {},
  run: () => ({ items: [], total: null }),
});

export const samples = [samplePicture, sampleChat, sampleForecast, sampleStations];
