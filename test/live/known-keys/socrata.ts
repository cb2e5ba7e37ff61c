import type { KnownKeys } from "../../support/render-inventories.js";

/** A count of rows has the same address as the rows. */
export const knownKeys: readonly KnownKeys[] = ["data.ny.gov", "data.colorado.gov", "data.ct.gov"].map((host) => ({
  host,
  path: "/resource/*",
  source: "dev.socrata.com, SoQL: count",
  objects: { "[]": "total count" },
}));
