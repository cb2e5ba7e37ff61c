import type { KnownKeys } from "../../support/render-inventories.js";

/** Names of geographies, which stand beside the variables. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/data/*/acs/acs5",
    source: "api.census.gov/data/2023/acs/acs5/geography.html",
    objects: {
      "[]": "NAME | GEO_ID | us | region | division | state | county | county subdivision | tract | block group | place | zip code tabulation area | congressional district | public use microdata area | metropolitan statistical area/micropolitan statistical area | combined statistical area | urban area | american indian area/alaska native area/hawaiian home land | school district (unified)",
    },
  },
];
