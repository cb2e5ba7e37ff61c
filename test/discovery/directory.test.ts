import { expect, test } from "vitest";
import { directory } from "../../src/discovery/directory.js";
import { serviceOf } from "../support/service.js";
import { samples } from "./samples.js";

const service = serviceOf({ capabilities: samples, basePath: "/v2" });
const ids = (found: ReturnType<typeof directory>) => found.endpoints.map(({ id }) => id);

test("lists every endpoint in catalogue order", () => {
  const { total, endpoints } = directory(service);
  expect(total).toBe(4);
  expect(endpoints.map(({ id }) => id)).toEqual(samples.map(({ id }) => id));
});

test("an entry says what a call needs and costs", () => {
  const [entry] = directory(service, { q: "forecast" }).endpoints;
  expect(entry).toEqual({
    id: "weather.day-forecast",
    method: "GET",
    path: "/v2/weather/day-forecast",
    summary: "The forecast of one day for a town.",
    group: "weather",
    price: { mode: "fixed", usd: "0.00144" },
    billing: "exact",
    shape: "normalized",
    timeoutSeconds: 30,
    version: null,
    deprecated: false,
    available: true,
    source: { provider: "Weather Office", url: "https://weather.example", license: "CC0" },
    params: [
      {
        name: "town",
        in: "query",
        type: "string",
        required: true,
        minLength: 1,
        maxLength: 80,
        description: "Name of the town",
      },
      { name: "day", in: "query", type: "string", required: false, format: "date", description: "The day" },
      {
        name: "days",
        in: "query",
        type: "integer",
        required: false,
        default: 1,
        minimum: 1,
        maximum: 14,
        description: "How many days",
      },
      { name: "station", in: "query", type: "integer", required: false, description: "Station number" },
      {
        name: "unit",
        in: "query",
        type: "string",
        required: false,
        default: "C",
        enum: ["C", "F"],
        description: "Temperature unit",
      },
      { name: "exact", in: "query", type: "boolean or string", required: false, description: "Whether to round" },
    ],
  });
});

test("a body's nested fields are left to the OpenAPI document", () => {
  const [entry] = directory(service, { q: "talk.chat" }).endpoints;
  expect(entry?.params).toEqual([
    { name: "messages", in: "body", type: "array", required: true, description: "The conversation" },
  ]);
  expect(entry).toMatchObject({ price: { mode: "dynamic", minUsd: "0.001", maxUsd: "50" }, billing: "upto" });
});

test("the host's prices are listed", () => {
  const dearer = serviceOf({ capabilities: samples, priceOf: () => ({ mode: "fixed", usd: "0.7" }) });
  for (const { price } of directory(dearer).endpoints) expect(price).toEqual({ mode: "fixed", usd: "0.7" });
});

test("an endpoint without its secret is not available and names it", () => {
  const bare = serviceOf({ capabilities: samples, missing: ({ requires }) => [...requires] });
  const entries = new Map(directory(bare).endpoints.map((entry) => [entry.id, entry]));
  expect(entries.get("weather.day-forecast")).toMatchObject({ available: false, missing: ["WEATHER_KEY"] });
  expect(entries.get("talk.chat")).toMatchObject({ available: true });
  expect(entries.get("talk.chat")).not.toHaveProperty("missing");
});

test("filters by group and by words, and counts what is left", () => {
  expect(ids(directory(service, { group: "weather" }))).toEqual(["weather.day-forecast", "weather.stations"]);
  expect(ids(directory(service, { q: "UMBRELLA  forecast" }))).toEqual(["weather.day-forecast"]);
  expect(ids(directory(service, { q: "umbrella chat" }))).toEqual([]);
  expect(directory(service, { group: "weather", q: "stations" }).total).toBe(1);
  expect(directory(service, { group: "__proto__" })).toEqual({ total: 0, endpoints: [] });
  expect(directory(service, { group: "", q: " " }).total).toBe(4);
});
