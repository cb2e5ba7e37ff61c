import { describe, expect, test } from "vitest";
import { createSearch } from "../../src/discovery/search.js";
import { CapabilityError } from "../../src/errors.js";
import { serviceOf } from "../support/service.js";
import { samples } from "./samples.js";

const search = createSearch(serviceOf({ capabilities: samples, basePath: "/v2" }));
const idsOf = async (q: string, limit?: number) => (await search(q, limit)).results.map(({ id }) => id);

describe("an answer", () => {
  test("repeats the query and says how to call what was found", async () => {
    expect(await search("  will it rain? ")).toEqual({
      query: "will it rain?",
      results: [
        {
          id: "weather.day-forecast",
          score: expect.any(Number),
          method: "GET",
          path: "/v2/weather/day-forecast",
          summary: "The forecast of one day for a town.",
          price: { mode: "fixed", usd: "0.00144" },
        },
      ],
    });
  });

  test("is sorted, best first", async () => {
    const { results } = await search("weather station forecast");
    const scores = results.map(({ score }) => score);
    expect(scores.length).toBeGreaterThan(1);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  test("is the same every time", async () => {
    const again = createSearch(serviceOf({ capabilities: samples, basePath: "/v2" }));
    expect(await again("weather station")).toEqual(await search("weather station"));
  });

  test("has at most `limit` results", async () => {
    expect(await idsOf("weather", 1)).toHaveLength(1);
    expect(await idsOf("weather", 50)).toHaveLength(2);
  });

  test("is empty when nothing fits, or nothing was said", async () => {
    expect(await idsOf("zzzzzzzz")).toEqual([]);
    expect(await idsOf("what is the")).toEqual([]);
    expect(await idsOf("__proto__ constructor")).toEqual([]);
  });

  test("leaves deprecated capabilities out", async () => {
    expect(await idsOf("draw a picture")).not.toContain("draw.picture");
  });

  test("ranks what this host cannot run below what it can", async () => {
    const bare = createSearch(serviceOf({ capabilities: samples, missing: ({ requires }) => [...requires] }));
    expect((await idsOf("town forecast"))[0]).toBe("weather.day-forecast");
    const [before] = (await search("town forecast")).results;
    const [after] = (await bare("town forecast")).results;
    expect(after?.score).toBeCloseTo((before?.score ?? 0) / 2, 2);
  });
});

describe("words", () => {
  test.each([
    ["forecasts", "weather.day-forecast"],
    ["FORECASTING", "weather.day-forecast"],
    ["forcast", "weather.day-forecast"],
    ["umbrel", "weather.day-forecast"],
    ["station-list", "weather.stations"],
    ["talk", "talk.chat"],
  ])("%s finds %s", async (q, id) => {
    expect((await idsOf(q))[0]).toBe(id);
  });
});

describe("limits", () => {
  const refusal = (q: string, limit?: number) => search(q, limit).catch((error: unknown) => error);

  test.each([
    ["an empty query", "", 10, "q"],
    ["a blank query", " \n ", 10, "q"],
    ["limit 0", "rain", 0, "limit"],
    ["limit 51", "rain", 51, "limit"],
    ["limit 1.5", "rain", 1.5, "limit"],
    ["limit NaN", "rain", Number.NaN, "limit"],
  ])("%s is refused", async (_, q, limit, path) => {
    const error = await refusal(q, limit);
    expect(CapabilityError.is(error)).toBe(true);
    expect(error).toMatchObject({ code: "INVALID_INPUT", status: 400, issues: [{ path }] });
  });

  test("what is longer than 500 characters of any script is cut", async () => {
    expect((await search("𝒳".repeat(2000))).query).toBe("𝒳".repeat(500));
    expect((await search(`will it rain? ${"word ".repeat(400)}`)).results[0]?.id).toBe("weather.day-forecast");
    expect(await idsOf("rain ".repeat(40))).toEqual(["weather.day-forecast"]);
  });
});
