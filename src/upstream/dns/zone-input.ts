/** The field `zone` of capabilities that read the DNS. */
import { z } from "zod";
import { text } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import type { Dns } from "./dns.js";
import type { Zone } from "./zone.js";

const MAX_ZONE_NAMES = 200;
const MAX_ZONE_LENGTH = 65_536;

const zoneModule = /* @__PURE__ */ lazy(() => import("./zone.js"));
const hostModule = /* @__PURE__ */ lazy(() => import("./host.js"));

const record = () =>
  z.strictObject({
    type: text(1, 10)
      .regex(/^[A-Za-z0-9]+$/, { error: "must be a type of records, such as TXT" })
      .toUpperCase()
      .describe("A, AAAA, CNAME, MX, PTR, TXT …; TIMEOUT lets questions for the name fail"),
    value: z
      .union([z.string(), z.array(z.union([z.string(), z.number()])).max(300)])
      .nullish()
      .describe("Text; the strings of one TXT record as a list; MX as [preference, host]"),
  });

export const zoneField = () =>
  z
    .record(z.string().min(1).max(260), z.array(record()).max(200))
    .describe(
      `Names with their records, asked in place of the DNS: at most ${MAX_ZONE_NAMES} names and 64 kB. Left out: the host's resolver is asked`,
    )
    .optional();

/** Refuses a zone of too many names, or too long. */
export function checkZone(zone: Zone | undefined): void {
  if (zone === undefined) return;
  const names = Object.keys(zone).length;
  if (names > MAX_ZONE_NAMES) throw invalid("zone", `must have at most ${MAX_ZONE_NAMES} names, and has ${names}`);
  if (Buffer.byteLength(JSON.stringify(zone)) > MAX_ZONE_LENGTH) throw invalid("zone", "must be at most 64 kB of JSON");
}

export async function dnsFor(zone: Zone | undefined, ctx: Context): Promise<Dns> {
  if (zone !== undefined) return (await zoneModule()).zoneDns(zone);
  return (await hostModule()).hostDns(ctx);
}
