import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/service/data/EXR/*",
    source: "data.ecb.europa.eu, data structure ECB_EXR1 in CSV",
    objects: {
      "[]": "KEY FREQ CURRENCY CURRENCY_DENOM EXR_TYPE EXR_SUFFIX TIME_PERIOD OBS_VALUE OBS_STATUS OBS_CONF OBS_PRE_BREAK OBS_COM TIME_FORMAT BREAKS COLLECTION COMPILING_ORG DISS_ORG DOM_SER_IDS PUBL_ECB PUBL_MU PUBL_PUBLIC UNIT_INDEX_BASE COMPILATION COVERAGE DECIMALS NAT_TITLE SOURCE_AGENCY SOURCE_PUB TITLE TITLE_COMPL UNIT UNIT_MULT",
    },
  },
];
