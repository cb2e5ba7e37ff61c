import type { KnownKeys } from "../../support/render-inventories.js";

const SOURCE = "aviationweather.gov/data/api, OpenAPI";

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/api/data/metar",
    source: SOURCE,
    objects: {
      "[]": "metar_id icaoId receiptTime obsTime reportTime temp dewp wdir wspd wgst visib altim slp qcField wxString presTend maxT minT maxT24 minT24 precip pcp3hr pcp6hr pcp24hr snow vertVis metarType rawOb mostRecent lat lon elev prior name cover clouds fltCat rawTaf",
      "[].clouds[]": "cover base type",
    },
    // Explicit nulls in old answers; left out where a report does not have them since.
    rare: ["temp", "dewp", "wdir", "wspd", "wgst", "visib", "altim", "slp", "wxString", "clouds", "name"].map(
      (name) => `[].${name}`,
    ),
  },
  {
    path: "/api/data/taf",
    source: SOURCE,
    objects: {
      "[]": "tafId icaoId dbPopTime bulletinTime issueTime validTimeFrom validTimeTo rawTAF mostRecent remarks lat lon elev prior name fcsts",
      "[].fcsts[]":
        "timeGroup timeFrom timeTo timeBec fcstChange probability wdir wspd wgst wshearHgt wshearDir wshearSpd visib altim vertVis wxString notDecoded clouds icgTurb temp",
      "[].fcsts[].clouds[]": "cover base type",
    },
    rare: ["wdir", "wspd", "visib", "clouds", "wxString"].map((name) => `[].fcsts[].${name}`),
  },
  {
    path: "/api/data/airsigmet",
    source: SOURCE,
    objects: {
      "[]": "airSigmetId icaoId alphaChar seriesId receiptTime creationTime validTimeFrom validTimeTo airSigmetType hazard severity altitudeHi1 altitudeHi2 altitudeLow1 altitudeLow2 movementDir movementSpd rawAirSigmet postProcessFlag coords",
      "[].coords[]": "lat lon",
    },
    rare: ["severity", "altitudeHi1", "altitudeLow1", "movementDir", "movementSpd", "alphaChar"].map(
      (name) => `[].${name}`,
    ),
  },
  {
    path: "/api/data/isigmet",
    source: SOURCE,
    objects: {
      "[]": "isigmetId icaoId firId firName receiptTime validTimeFrom validTimeTo seriesId hazard qualifier base top geom coords dir spd chng rawSigmet volcanoName stormName fcstPosition",
      "[].coords[]": "lat lon",
    },
    read: {
      "[]": "hazard s|rawSigmet s|validTimeFrom n|validTimeTo n|icaoId s|seriesId s|coords a|qualifier s|receiptTime d|base n|top n|dir s|spd s",
      "[].coords[]": "lat n|lon n",
    },
    rare: ["qualifier", "receiptTime", "base", "top", "dir", "spd", "coords", "seriesId"].map((name) => `[].${name}`),
  },
  {
    path: "/api/data/gairmet",
    source: SOURCE,
    objects: {
      "[]": "tag forecastHour validTime hazard geometryType latlonpairs frequency severity due_to status level fzltop fzlbase top base issueTime expireTime receiptTime product coords geom",
      "[].coords[]": "lat lon",
    },
    rare: ["severity", "due_to", "top", "base"].map((name) => `[].${name}`),
  },
];
