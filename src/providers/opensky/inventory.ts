// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/data-samples/metadata/aircraftDatabase.csv","objects":"[]\ticao24! fsz|registration! sz|manufacturername! sz|model! sz|typecode! sz|serialnumber! fsz|icaoaircrafttype! sz|owner! sz|reguntil! dz\tmanufacturericao|linenumber|operator|operatorcallsign|operatoricao|operatoriata|testreg|registered|status|built|firstflightdate|seatconfiguration|engines|modes|adsb|acars|notes|categoryDescription|timestamp|country|firstFlightDate|firstSeen|icaoAircraftClass|lineNumber|manufacturerIcao|manufacturerName|nextReg|operatorCallsign|operatorIata|operatorIcao|prevReg|regUntil|selCal|serialNumber|vdl"},
];
