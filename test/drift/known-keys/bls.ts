import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    method: "POST",
    path: "/publicAPI/v2/timeseries/data",
    source: "www.bls.gov/developers/api_signature_v2.htm",
    objects: {
      "": "status responseTime message Results",
      Results: "series",
      "Results.series[]": "seriesID catalog data",
      "Results.series[].data[]": "year period periodName latest value aspects footnotes calculations",
      "Results.series[].data[].footnotes[]": "code text",
    },
    rare: [
      ...["latest", "footnotes", "periodName"].map((name) => `Results.series[].data[].${name}`),
      ...["code", "text"].map((name) => `Results.series[].data[].footnotes[].${name}`),
    ],
  },
];
