import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { label, number, whole } from "../../upstream/fields.js";
import { ADVISORY_TTL_MS, type Found, points, time } from "./advisory.js";
import { hazardName } from "./hazards.js";
import { readReports } from "./reports.js";

const gAirmet = lazySchema(() =>
  whole({
    hazard: z.string(),
    product: z.string(),
    validTime: time(),
    issueTime: time(),
    expireTime: time(),
    tag: label(),
    due_to: label(),
    severity: number(),
    base: label(),
    top: label(),
    coords: points(),
  }),
);
type GAirmet = z.output<ReturnType<typeof gAirmet>>;

const NEEDS = ["hazard", "product", "validTime", "issueTime", "expireTime"];

/** Graphical AIRMETs, which replaced the text ones of the lower 48 states in 2025. */
export async function gAirmets(ctx: Context): Promise<Found[]> {
  const rows = await readReports(ctx, { service: "gairmet", row: gAirmet(), needs: NEEDS, ttlMs: ADVISORY_TTL_MS });
  return nearestSnapshots(rows, ctx.clock().getTime()).map((row) => ({
    code: row.hazard,
    advisory: {
      id: row.tag,
      office: "KKCI",
      type: "AIRMET",
      hazard: hazardName(row.hazard),
      severity: row.severity,
      issuedAt: row.issueTime,
      validFrom: row.issueTime,
      validTo: row.expireTime,
      altitudeLowFt: flightLevelFt(row.base),
      altitudeHighFt: flightLevelFt(row.top),
      movementDirDeg: null,
      movementSpeedKt: null,
      dueTo: row.due_to,
      area: row.coords,
      // G-AIRMETs are drawn, so this text is assembled from their fields.
      raw: [`G-AIRMET ${row.product}`, row.tag, row.hazard, row.due_to, `VALID ${row.issueTime}/${row.expireTime}`]
        .filter(Boolean)
        .join(" "),
    },
  }));
}

/** One advisory consists of snapshots for several hours. */
function nearestSnapshots(rows: GAirmet[], now: number): GAirmet[] {
  const distance = ({ validTime }: GAirmet) => Math.abs(Date.parse(validTime) - now);
  const nearest = new Map<string, GAirmet>();
  for (const row of rows) {
    const key = [row.product, row.hazard, row.tag].join("|");
    const known = nearest.get(key);
    if (!known || distance(row) < distance(known)) nearest.set(key, row);
  }
  return [...nearest.values()];
}

/** "180" is 18,000 ft and SFC the ground; where it freezes (FZL) depends on the place. */
function flightLevelFt(level: string | null): number | null {
  if (level === "SFC") return 0;
  return level !== null && /^\d{1,3}$/.test(level) ? Number(level) * 100 : null;
}
