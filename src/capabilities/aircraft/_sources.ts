/** Sources of airframes; the host chooses one with AIRCRAFT_SOURCE. */
import { z } from "zod";
import type { Source } from "../../capability/output.js";
import { type Provider, sourceOf } from "../../capability/provider.js";
import type { Context, Settings } from "../../capability/types.js";
import type { Airframe, Airframes } from "../../engines/aircraft/airframes.js";
import { addressOf } from "../../engines/aircraft/n-number.js";
import { CapabilityError } from "../../errors.js";
import { askAdsbdb } from "../../providers/adsbdb/aircraft.js";
import { adsbdb } from "../../providers/adsbdb/provider.js";
import { faa } from "../../providers/faa/provider.js";
import { faaFile } from "../../providers/faa/register.js";
import { askOpensky, openskyFile } from "../../providers/opensky/aircraft.js";
import { opensky } from "../../providers/opensky/provider.js";
import { type BulkFile, loadBulk } from "../../upstream/bulk/bulk.js";

/** A Mode S transponder address. `run` gets lower case. */
export const icao24Field = () =>
  z
    .string()
    .regex(/^[0-9A-Fa-f]{6}$/, { error: "must be six hexadecimal digits, such as aa3487" })
    .toLowerCase();

/** One of them is set. Tail numbers are upper case, addresses lower case. */
export interface AirframeKey {
  tail?: string | undefined;
  icao24?: string | undefined;
}

interface Found {
  airframe: Airframe;
  /** When the source's file was fetched; undefined for a direct request. */
  fetchedAt?: Date;
}

interface AircraftSource {
  provider: Provider;
  source: Source;
  find(ctx: Context, key: AirframeKey): Promise<Found | undefined>;
  /** Loads data for which the first search would otherwise wait. */
  load?(ctx: Context): Promise<unknown>;
}

/** The FAA's register unless the host chose another; AIRCRAFT_DATA_URL names a mirror of a source's file. */
const SOURCES = new Map<string, AircraftSource>([
  ["faa", inFile(faa, faaFile)],
  ["opensky-csv", inFile(opensky, openskyFile)],
  ["opensky-api", byRequest(opensky, askOpensky)],
  ["adsbdb", byRequest(adsbdb, askAdsbdb)],
]);

/** Origins whose terms hold: those of the host's source. */
export function aircraftOrigins({ setting }: Settings): readonly Provider[] {
  const source = SOURCES.get(setting("AIRCRAFT_SOURCE") ?? "faa");
  return source ? [source.provider] : [];
}

/** The source that this host chose. Throws PROVIDER_NOT_CONFIGURED for an unknown name. */
export function aircraftSource(ctx: Context): AircraftSource {
  const name = ctx.setting("AIRCRAFT_SOURCE") ?? "faa";
  const source = SOURCES.get(name);
  if (source) return source;
  const names = [...SOURCES.keys()].join(", ");
  throw new CapabilityError("PROVIDER_NOT_CONFIGURED", `AIRCRAFT_SOURCE must be one of ${names}.`);
}

function inFile(provider: Provider, file: BulkFile<Airframes>): AircraftSource {
  const load = (ctx: Context) => loadBulk(ctx, { ...file, url: ctx.setting("AIRCRAFT_DATA_URL") ?? file.url });
  return {
    provider,
    source: sourceOf(provider),
    load,
    async find(ctx, { tail, icao24 }) {
      const { index, fetchedAt } = await load(ctx);
      const airframe = tail === undefined ? index.byAddress(icao24 ?? "") : index.byTail(tail);
      return airframe && { airframe, fetchedAt };
    },
  };
}

/** The address of a US tail number can be computed. */
function byRequest(
  provider: Provider,
  ask: (ctx: Context, icao24: string) => Promise<Airframe | undefined>,
): AircraftSource {
  return {
    provider,
    source: sourceOf(provider),
    async find(ctx, { tail = "", icao24 = addressOf(tail) }) {
      const airframe = icao24 === undefined ? undefined : await ask(ctx, icao24);
      return airframe && { airframe };
    },
  };
}
