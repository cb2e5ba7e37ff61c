// A route whose stops are written in three notations: read them, measure the legs, and write them in one notation for a radio.
import { pathToFileURL } from "node:url";
import { geoConvert, geoDistance } from "coinslot/capabilities/geo";

/** Stops as GPX, a walkie-talkie and a map on the phone have them. */
export const ROUTE = [
  { name: "hut", at: `47°25'16.0"N 10°59'07.0"E` },
  { name: "summit", at: "32TPT4937753734" },
  { name: "valley", at: "8FVHF3V3+QM" },
];

/** Each stop with its grid reference, and the way to it from the one before. */
export async function planRoute(stops) {
  const places = await Promise.all(
    stops.map(async ({ at }) => (await geoConvert({ value: at, to: ["mgrs"], lengths: { mgrs: 4 } })).items[0]),
  );
  const legs = await Promise.all(
    stops.slice(1).map(async ({ at }, i) => (await geoDistance({ from: stops[i].at, to: at })).items[0]),
  );
  return stops.map(({ name }, i) => ({
    name,
    format: places[i].format,
    grid: places[i].mgrs,
    meters: i === 0 ? 0 : Math.round(legs[i - 1].meters),
    bearing: i === 0 ? null : Math.round(legs[i - 1].initialBearing),
  }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) console.table(await planRoute(ROUTE));
