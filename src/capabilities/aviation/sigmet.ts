import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit, text } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { invalid } from "../../errors.js";
import { HOUR_MS } from "../../lib/time.js";
import { type Advisory, advisory, type Found } from "../../providers/aviation-weather/advisory.js";
import { gAirmets } from "../../providers/aviation-weather/g-airmets.js";
import { isHazard, isUsHazard } from "../../providers/aviation-weather/hazards.js";
import { internationalSigmets } from "../../providers/aviation-weather/international-sigmets.js";
import { aviationWeather } from "../../providers/aviation-weather/provider.js";
import { usSigmets } from "../../providers/aviation-weather/us-sigmets.js";

export const aviationSigmet = /* @__PURE__ */ defineCapability({
  id: "aviation.sigmet",
  summary:
    "Active SIGMETs and AIRMETs: thunderstorms, turbulence, icing, low visibility, hidden mountains, volcanic ash.",
  keywords: ["aviation hazard", "weather warning", "pilot", "convective", "turbulence", "icing", "ash", "g-airmet"],
  price: "0.00108",
  provider: aviationWeather,
  input: () =>
    z.strictObject({
      hazard: text(2, 20)
        .optional()
        .describe(
          "CONVECTIVE, TURB, ICE, IFR, MTN OBSCN or ASH (of the whole world), or the beginning of another word",
        ),
      hours: z
        .int()
        .min(1)
        .max(24)
        .optional()
        .describe("Includes advisories that ended within this many hours; without it, only those in force"),
      limit: limit(50, 50).describe("How many advisories to return"),
    }),
  output: rows(advisory),
  example: { hazard: "CONVECTIVE" },
  live: { mayBeEmpty: true },
  check({ hazard }) {
    if (hazard !== undefined && !/[A-Za-z]/.test(hazard)) throw invalid("hazard", "must be a word, such as TURB");
  },
  async run({ hazard, hours = 0, limit }, ctx) {
    const { found, sources, failed, error } = await readSources(ctx, hazard);
    const since = ctx.clock().getTime() - hours * HOUR_MS;
    const items = found
      .filter(({ code, advisory: { validTo } }) => (!hazard || isHazard(code, hazard)) && timeOf(validTo) > since)
      .map(({ advisory: item }) => item)
      .sort(newestFirst);
    // The missing product may contain the requested advisories.
    if (items.length === 0 && failed.length > 0) throw error;
    return {
      items: items.slice(0, limit),
      total: items.length,
      meta: { sources, ...(failed.length > 0 ? { failed } : {}) },
    };
  },
});

interface Answers {
  found: Found[];
  sources: string[];
  failed: string[];
  /** Error of the first failed product. */
  error: unknown;
}

/** A failing product does not fail the others. */
async function readSources(ctx: Context, hazard: string | undefined): Promise<Answers> {
  const products = [
    { name: "airsigmet", read: usSigmets },
    { name: "gairmet", read: gAirmets },
    ...(hazard && !isUsHazard(hazard) ? [{ name: "isigmet", read: internationalSigmets }] : []),
  ];
  const answers: Answers = { found: [], sources: [], failed: [], error: undefined };
  const results = await Promise.allSettled(products.map(({ read }) => read(ctx)));
  for (const [index, { name }] of products.entries()) {
    const result = results[index];
    if (result?.status === "fulfilled") {
      answers.found.push(...result.value);
      answers.sources.push(name);
    } else {
      answers.failed.push(name);
      answers.error ??= result?.reason;
    }
  }
  return answers;
}

const timeOf = (time: string | null) => Date.parse(time ?? "");

const newestFirst = (a: Advisory, b: Advisory) => timeOf(b.validFrom) - timeOf(a.validFrom);
