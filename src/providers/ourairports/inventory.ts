// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/ourairports-data/airports.csv","objects":"[]\tid! f|ident! s|type! s|name! s|latitude_deg! f|longitude_deg! f|elevation_ft! fz|continent! s|iso_country! s|iso_region! s|municipality! sz|scheduled_service! s|icao_code? sz|iata_code! sz|gps_code! sz|local_code! sz|wikipedia_link! sz\thome_link|keywords"},
];
