import { expect, test } from "vitest";
import { inputSchema, outputSchema } from "../../src/capability/json-schema.js";
import { sampleForecast, samplePicture } from "../discovery/samples.js";

test("an input is plain JSON Schema, before defaults are applied", () => {
  expect(inputSchema(sampleForecast)).toEqual({
    type: "object",
    properties: {
      town: { type: "string", minLength: 1, maxLength: 80, description: "Name of the town" },
      day: { type: "string", format: "date", description: "The day" },
      days: { type: "integer", minimum: 1, maximum: 14, default: 1, description: "How many days" },
      station: { type: "integer", description: "Station number" },
      unit: { type: "string", enum: ["C", "F"], default: "C", description: "Temperature unit" },
      exact: { anyOf: [{ type: "boolean" }, { type: "string", enum: ["yes", "no"] }], description: "Whether to round" },
    },
    required: ["town"],
    additionalProperties: false,
  });
});

test("an output is described with all its fields", () => {
  const { properties, required } = outputSchema(sampleForecast);
  expect(required).toEqual(["ok", "items", "total", "source"]);
  expect(properties?.items?.items?.properties).toEqual({
    town: { type: "string" },
    degrees: { type: ["number", "null"] },
  });
});

test("an output may gain fields, an input may not have unknown ones", () => {
  expect(JSON.stringify(outputSchema(sampleForecast))).not.toContain('"additionalProperties":false');
  expect(inputSchema(sampleForecast).additionalProperties).toBe(false);
});

test("a file is described by its media types", () => {
  expect(outputSchema(samplePicture)).toEqual({
    oneOf: [
      { type: "string", contentMediaType: "image/png" },
      { type: "string", contentMediaType: "image/svg+xml" },
    ],
  });
});

test("a schema is converted once", () => {
  expect(inputSchema(sampleForecast)).toBe(inputSchema(sampleForecast));
  expect(outputSchema(sampleForecast)).toBe(outputSchema(sampleForecast));
});
