import type { KnownKeys } from "../../support/render-inventories.js";

const TYPES =
  "PRCP SNOW SNWD TMAX TMIN TAVG TOBS ACMC ACMH ACSC ACSH ADPT ASLP ASTP AWBT AWDR AWND DAEV DAPR DASF DATN DATX DAWM DWPR EVAP FMTM FRGB FRGT FRTH GAHT MDEV MDPR MDSF MDTN MDTX MDWM MNPN MXPN PGTM PSUN RHAV RHMN RHMX SN32 SX32 TAXN THIC TSUN WDF1 WDF2 WDF5 WDFG WDFI WDFM WDMV WESD WESF WSF1 WSF2 WSF5 WSFG WSFI WSFM WT01 WT02 WT03 WT04 WT05 WT06 WT07 WT08 WT09 WT10 WT11 WT12 WT13 WT14 WT15 WT16 WT17 WT18 WT19 WT21 WT22 WV01 WV03 WV07 WV18 WV20";

/** A day has what its station measured then. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/access/services/data/v1",
    source: "www.ncei.noaa.gov/pub/data/ghcn/daily/readme.txt",
    objects: { "[]": `STATION NAME LATITUDE LONGITUDE ELEVATION DATE ${TYPES}` },
    rare: ["[].TMAX", "[].TMIN", "[].PRCP", "[].SNOW", "[].SNWD", "[].TAVG", "[].AWND"],
  },
];
