import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { CapabilityError } from "../../errors.js";
import { loadAirports } from "../../providers/ourairports/airports.js";
import { ourAirports } from "../../providers/ourairports/provider.js";
import { airportSchema } from "../../providers/ourairports/row.js";

export const airportLookup = /* @__PURE__ */ defineCapability({
  id: "airport.lookup",
  summary:
    "Look up an airport, heliport or seaplane base by its IATA, ICAO or local code: name, place, elevation, codes.",
  keywords: [
    "elevation of",
    "coordinates of",
    "iata code",
    "icao code",
    "airfield",
    "aerodrome",
    "heliport",
    "seaplane base",
    "JFK",
    "flight",
    "elevation",
  ],
  price: "0.001",
  provider: ourAirports,
  // The first call may have to download the list.
  timeoutMs: 60_000,
  input: () =>
    z.strictObject({
      code: z
        .string()
        .trim()
        .toUpperCase()
        .min(3)
        .max(5)
        .describe(
          "IATA code (JFK), ICAO code (EDNY), or local or GPS code of 3 to 5 characters, in upper or lower case",
        ),
    }),
  output: one(() => z.object({ airport: airportSchema() })),
  example: { code: "JFK" },
  async run({ code }, ctx) {
    const { index } = await loadAirports(ctx);
    const row = index.rowOf(code);
    if (row === undefined) throw new CapabilityError("NOT_FOUND", `No airport with the code ${code} is known.`);
    return { item: { airport: index.at(row) } };
  },
  warmUp: loadAirports,
});
