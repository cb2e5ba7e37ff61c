import type { KnownKeys } from "../../support/render-inventories.js";

/** The file has had two headers: one in small letters, and a newer one. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/data-samples/metadata/aircraftDatabase.csv",
    source: "opensky-network.org/data/aircraft, headers of its files",
    objects: {
      "[]": "icao24 timestamp acars adsb built categoryDescription country engines firstflightdate firstFlightDate firstSeen icaoaircrafttype icaoAircraftClass linenumber lineNumber manufacturericao manufacturerIcao manufacturername manufacturerName model modes nextReg notes operator operatorcallsign operatorCallsign operatoriata operatorIata operatoricao operatorIcao owner prevReg reguntil regUntil registered registration seatconfiguration selCal serialnumber serialNumber status testreg typecode vdl",
    },
  },
];
