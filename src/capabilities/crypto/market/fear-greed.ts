import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { lazySchema, limit } from "../../../capability/fields.js";
import { rows } from "../../../capability/output.js";
import { HOUR_MS, MINUTE_MS } from "../../../lib/time.js";
import { alternativeMe } from "../../../providers/alternative-me/provider.js";
import { upstream } from "../../../upstream/client.js";
import { figure, identifiedRows, number, unixTime } from "../../../upstream/fields.js";

const index = lazySchema(() =>
  z.object({
    data: identifiedRows(
      z.object({
        value: figure().pipe(z.int().min(0).max(100)),
        value_classification: z.string().min(1),
        timestamp: unixTime("s"),
        time_until_update: number(),
      }),
      ["value", "value_classification", "timestamp"],
    ),
  }),
);

export const cryptoFearGreed = /* @__PURE__ */ defineCapability({
  id: "crypto.fear-greed",
  summary: "The Crypto Fear & Greed Index: daily market sentiment from 0 (extreme fear) to 100 (extreme greed).",
  keywords: ["sentiment", "bitcoin", "mood", "index", "alternative.me", "fear and greed"],
  price: "0.0012",
  provider: alternativeMe,
  input: () => z.strictObject({ limit: limit(1, 90).describe("How many days to return, newest first") }),
  output: rows(() =>
    z.object({
      value: z.int().describe("0 to 100"),
      classification: z.string().describe("Extreme Fear, Fear, Neutral, Greed or Extreme Greed"),
      timestamp: z.string().describe("The beginning of the day, in UTC"),
    }),
  ),
  example: { limit: 7 },
  live: { freshDays: 3 },
  async run({ limit }, ctx) {
    const { data } = await upstream(ctx, alternativeMe).get("/fng/", {
      query: { limit, format: "json" },
      schema: index(),
      ttlMs: 10 * MINUTE_MS,
      // It changes once a day.
      staleMs: 6 * HOUR_MS,
    });
    const items = data
      .map(({ value, value_classification, timestamp }) => ({ value, classification: value_classification, timestamp }))
      .sort((a, b) => b.timestamp.localeCompare(a.timestamp))
      .slice(0, limit);
    return { items, total: items.length, meta: { nextUpdateSeconds: data[0]?.time_until_update ?? null } };
  },
});
