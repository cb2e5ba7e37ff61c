import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import type { Airframe } from "../../engines/aircraft/airframes.js";
import { DAY_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { label } from "../../upstream/fields.js";
import { adsbdb } from "./provider.js";

const answer = lazySchema(() =>
  z.object({
    response: z.object({
      aircraft: z.object({
        registration: z.string(),
        type: label(),
        icao_type: label(),
        manufacturer: label(),
        registered_owner: label(),
      }),
    }),
  }),
);

/** One aircraft by its address; undefined if adsbdb has no record. */
export async function askAdsbdb(ctx: Context, icao24: string): Promise<Airframe | undefined> {
  const found = await upstream(ctx, adsbdb).get(`/aircraft${segments(icao24)}`, {
    schema: answer(),
    absent: [404],
    ttlMs: DAY_MS,
    staleMs: 30 * DAY_MS,
  });
  if (!found) return undefined;
  const { registration, type, icao_type, manufacturer, registered_owner } = found.response.aircraft;
  return {
    icao24,
    registration,
    manufacturer,
    model: type,
    typecode: icao_type,
    icaoType: null,
    serialNumber: null,
    operator: null,
    owner: registered_owner,
    built: null,
    engines: null,
    category: null,
    registered: null,
    regUntil: null,
  };
}
