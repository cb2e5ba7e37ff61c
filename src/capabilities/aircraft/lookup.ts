import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { airframeSchema } from "../../engines/aircraft/airframes.js";
import { addressOf, isUsAddress } from "../../engines/aircraft/n-number.js";
import { CapabilityError, invalid } from "../../errors.js";
import { faa } from "../../providers/faa/provider.js";
import { type AirframeKey, aircraftOrigins, aircraftSource, icao24Field } from "./_sources.js";

export const aircraftLookup = /* @__PURE__ */ defineCapability({
  id: "aircraft.lookup",
  summary: "The registration record of a US aircraft, by tail number (N-number) or by Mode S address (icao24).",
  keywords: ["n-number", "tail number", "faa registry", "airplane owner", "plane", "helicopter", "mode s", "hex code"],
  price: "0.00144",
  provider: faa,
  origins: aircraftOrigins,
  // The first call of a process may wait for the register.
  timeoutMs: 120_000,
  input: () =>
    z.strictObject({
      tail: z
        .string()
        .regex(/^[Nn][A-Za-z0-9]{1,5}$/, { error: "must be an N and one to five letters or digits, such as N757F" })
        .toUpperCase()
        .optional()
        .describe("Tail number: N and one to five letters or digits. Give this or icao24"),
      icao24: icao24Field()
        .optional()
        .describe("Mode S transponder address: six hexadecimal digits. Give this or tail"),
    }),
  output: one(airframeSchema),
  example: { tail: "N1801U" },
  read({ tail, icao24 }, ctx) {
    const source = aircraftSource(ctx);
    if ((tail === undefined) === (icao24 === undefined)) throw invalid("tail", "give exactly one of tail and icao24");
    return { key: { tail, icao24 }, source };
  },
  async run({ key, source: { source, find } }, ctx) {
    const found = canBeUs(key) ? await find(ctx, key) : undefined;
    if (!found) throw new CapabilityError("NOT_FOUND", `No US aircraft matches ${key.tail ?? key.icao24}.`);
    const { airframe, fetchedAt } = found;
    return { item: airframe, source, ...(fetchedAt ? { meta: { asOf: fetchedAt.toISOString().slice(0, 10) } } : {}) };
  },
  warmUp: async (ctx) => aircraftSource(ctx).load?.(ctx),
});

/** A tail number or address that cannot be a US one needs no search. */
const canBeUs = ({ tail, icao24 }: AirframeKey) =>
  tail === undefined ? isUsAddress(icao24 ?? "") : addressOf(tail) !== undefined;
