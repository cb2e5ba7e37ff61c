// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/access/services/data/v1","objects":"[]\tDATE! d|TMAX? f|TMIN? f\tSTATION|AWBT|ADPT|RHAV|NAME|LATITUDE|LONGITUDE|ELEVATION|PRCP|SNOW|SNWD|TAVG|TOBS|ACMC|ACMH|ACSC|ACSH|ASLP|ASTP|AWDR|AWND|DAEV|DAPR|DASF|DATN|DATX|DAWM|DWPR|EVAP|FMTM|FRGB|FRGT|FRTH|GAHT|MDEV|MDPR|MDSF|MDTN|MDTX|MDWM|MNPN|MXPN|PGTM|PSUN|RHMN|RHMX|SN32|SX32|TAXN|THIC|TSUN|WDF1|WDF2|WDF5|WDFG|WDFI|WDFM|WDMV|WESD|WESF|WSF1|WSF2|WSF5|WSFG|WSFI|WSFM|WT01|WT02|WT03|WT04|WT05|WT06|WT07|WT08|WT09|WT10|WT11|WT12|WT13|WT14|WT15|WT16|WT17|WT18|WT19|WT21|WT22|WV01|WV03|WV07|WV18|WV20"},
];
