// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/api/data/airsigmet","objects":"[]\ticaoId! s|seriesId! s|creationTime! d|validTimeFrom! n|validTimeTo! n|hazard! s|movementDir? n|movementSpd? n|rawAirSigmet! s|severity? n|coords! a\talphaChar|receiptTime|airSigmetType|altitudeHi1|altitudeHi2|altitudeLow1|altitudeLow2|postProcessFlag|airSigmetId\n[].coords[]\tlat! n|lon! n\t"},
  {"method":"GET","path":"/api/data/gairmet","objects":"[]\ttag! s|validTime! d|hazard! s|severity? s|due_to? s|top? s|base? s|issueTime! n|expireTime! n|product! s|coords! a\tforecastHour|geometryType|latlonpairs|frequency|status|fzltop|fzlbase|level|receiptTime|geom\n[].coords[]\tlat! f|lon! f\t"},
  {"method":"GET","path":"/api/data/isigmet","objects":"[]\thazard s|rawSigmet s|validTimeFrom n|validTimeTo n|icaoId s|seriesId? s|coords? a|qualifier? s|receiptTime? d|base? n|top? n|dir? s|spd? s\tisigmetId|firId|firName|geom|chng|volcanoName|stormName|fcstPosition\n[].coords[]\tlat n|lon n\t"},
  {"method":"GET","path":"/api/data/metar","objects":"[]\ticaoId! s|obsTime! n|reportTime! d|temp? n|dewp? n|wdir? n|wspd? n|visib? s|altim? n|slp? n|metarType s|rawOb! s|lat n|lon n|elev n|name? s|clouds? a|fltCat! s|wgst? nz|wxString? sz\treceiptTime|qcField|cover|metar_id|presTend|maxT|minT|maxT24|minT24|precip|pcp3hr|pcp6hr|pcp24hr|snow|vertVis|mostRecent|prior|rawTaf\n[].clouds[]\tcover! s|base! n\ttype"},
  {"method":"GET","path":"/api/data/taf","objects":"[]\ticaoId! s|issueTime! d|validTimeFrom! n|validTimeTo! n|rawTAF! s|name! s|fcsts! a\tdbPopTime|bulletinTime|mostRecent|lat|lon|elev|tafId|remarks|prior\n[].fcsts[]\ttimeFrom! n|timeTo! n|wdir? s|wspd? n|visib? s|clouds? a\tfcstChange|timeGroup|timeBec|probability|wgst|wshearHgt|wshearDir|wshearSpd|altim|vertVis|wxString|notDecoded|icgTurb|temp\n[].fcsts[].clouds[]\tcover! s|base! n\ttype"},
];
