import type { KnownKeys } from "../../support/render-inventories.js";

const SOURCE = "droughtmonitor.unl.edu/DmData/DataDownload/WebServiceInfo.aspx";
const WEEK =
  "MapDate mapDate None none NONE D0 d0 D1 d1 D2 d2 D3 d3 D4 d4 ValidStart validStart ValidEnd validEnd StatisticFormatID statisticFormatID Missing missing AreaOfInterest areaOfInterest";

/** Names begin with a large or a small letter, by the version of the service. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/api/CountyStatistics/GetDroughtSeverityStatisticsByAreaPercent",
    source: SOURCE,
    objects: { "[]": `${WEEK} FIPS fips County county State state` },
  },
  {
    path: "/api/StateStatistics/GetDroughtSeverityStatisticsByAreaPercent",
    source: SOURCE,
    objects: { "[]": `${WEEK} StateAbbreviation stateAbbreviation Name name` },
  },
];
