// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/v0/aircraft/*","objects":"\tresponse! o\t\nresponse\taircraft! o\tflightroute\nresponse.aircraft\ttype? s|icao_type? s|manufacturer! s|registration! s|registered_owner? s\tmode_s|registered_owner_country_iso_name|registered_owner_country_name|registered_owner_operator_flag_code|url_photo|url_photo_thumbnail"},
];
