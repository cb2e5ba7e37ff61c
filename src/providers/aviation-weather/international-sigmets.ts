import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { label, number, whole } from "../../upstream/fields.js";
import { ADVISORY_TTL_MS, type Found, optionalTime, points, time } from "./advisory.js";
import { hazardName } from "./hazards.js";
import { readReports } from "./reports.js";

const internationalSigmet = lazySchema(() =>
  whole(
    {
      hazard: z.string(),
      rawSigmet: z.string(),
      validTimeFrom: time(),
      validTimeTo: time(),
      icaoId: label(),
      seriesId: label(),
      // Several areas come as several lists: the first stands for the whole.
      coords: z.union([points(), z.array(points()).transform(([first]) => first ?? [])]),
    },
    {
      qualifier: label(),
      receiptTime: optionalTime(),
      base: number(),
      top: number(),
      dir: label(),
      spd: number(),
    },
  ),
);

const NEEDS = ["hazard", "rawSigmet", "validTimeFrom", "validTimeTo"];

const COMPASS = ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"];

/** SIGMETs from outside the US, the only ones of volcanic ash and tropical cyclones. */
export async function internationalSigmets(ctx: Context): Promise<Found[]> {
  const rows = await readReports(ctx, {
    service: "isigmet",
    row: internationalSigmet(),
    needs: NEEDS,
    ttlMs: ADVISORY_TTL_MS,
  });
  return rows.map((row) => ({
    code: row.hazard,
    advisory: {
      id: row.seriesId,
      office: row.icaoId,
      type: "SIGMET",
      hazard: hazardName(row.hazard),
      severity: null,
      issuedAt: row.receiptTime,
      validFrom: row.validTimeFrom,
      validTo: row.validTimeTo,
      altitudeLowFt: row.base,
      altitudeHighFt: row.top,
      movementDirDeg: row.dir && COMPASS.includes(row.dir) ? COMPASS.indexOf(row.dir) * 22.5 : null,
      movementSpeedKt: row.spd,
      dueTo: row.qualifier,
      area: row.coords,
      raw: row.rawSigmet,
    },
  }));
}
