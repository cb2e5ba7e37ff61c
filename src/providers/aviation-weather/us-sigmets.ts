import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { label, number, whole } from "../../upstream/fields.js";
import { ADVISORY_TTL_MS, type Found, optionalTime, points, time } from "./advisory.js";
import { hazardName } from "./hazards.js";
import { readReports } from "./reports.js";

const usSigmet = lazySchema(() =>
  whole(
    {
      hazard: z.string(),
      rawAirSigmet: z.string(),
      validTimeFrom: time(),
      validTimeTo: time(),
      icaoId: label(),
      seriesId: label(),
      creationTime: optionalTime(),
      severity: number(),
      movementDir: number(),
      movementSpd: number(),
      coords: points(),
    },
    {
      airSigmetType: label(),
      // The name in older answers.
      airsigmetType: label(),
      altitudeHi1: number(),
      altitudeHi2: number(),
      // Written in two ways.
      altitudeLow1: number(),
      altitudeLow2: number(),
      altitudeLo1: number(),
      altitudeLo2: number(),
    },
  ),
);

const NEEDS = ["hazard", "rawAirSigmet", "validTimeFrom", "validTimeTo"];

/** US SIGMETs. */
export async function usSigmets(ctx: Context): Promise<Found[]> {
  const rows = await readReports(ctx, { service: "airsigmet", row: usSigmet(), needs: NEEDS, ttlMs: ADVISORY_TTL_MS });
  return rows.map((row) => ({
    code: row.hazard,
    advisory: {
      id: row.seriesId,
      office: row.icaoId,
      type: (row.airSigmetType ?? row.airsigmetType ?? "SIGMET").toUpperCase(),
      hazard: hazardName(row.hazard),
      severity: row.severity,
      issuedAt: row.creationTime,
      validFrom: row.validTimeFrom,
      validTo: row.validTimeTo,
      altitudeLowFt: extreme(Math.min, row.altitudeLow1, row.altitudeLow2, row.altitudeLo1, row.altitudeLo2),
      altitudeHighFt: extreme(Math.max, row.altitudeHi1, row.altitudeHi2),
      movementDirDeg: row.movementDir,
      movementSpeedKt: row.movementSpd,
      dueTo: null,
      area: row.coords,
      raw: row.rawAirSigmet,
    },
  }));
}

function extreme(pick: (...values: number[]) => number, ...values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? pick(...known) : null;
}
