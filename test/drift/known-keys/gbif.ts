import type { KnownKeys } from "../../support/render-inventories.js";

const RANKS =
  "kingdom phylum class order superfamily family subfamily tribe subtribe genus subgenus section species subspecies variety form";

/** A name without a match has only the reason; one of a high rank has nothing below it. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/v1/species/match",
    source: "techdocs.gbif.org, Species API: match",
    objects: {
      "": `usageKey acceptedUsageKey scientificName canonicalName authorship rank status confidence note matchType alternatives synonym diagnostics nameType ${RANKS} ${RANKS.split(
        " ",
      )
        .map((rank) => `${rank}Key`)
        .join(" ")}`,
    },
    rare: ["acceptedUsageKey", "note"],
  },
  {
    path: "/v1/species/*/vernacularNames",
    source: "techdocs.gbif.org, Species API: vernacularNames",
    objects: {
      "": "offset limit endOfRecords results count",
      "results[]":
        "vernacularName language source sourceTaxonKey taxonKey country area lifeStage sex preferred plural remarks",
    },
    rare: ["results[].language"],
  },
  {
    path: "/v1/occurrence/search",
    source: "techdocs.gbif.org, Occurrence API: search",
    objects: { "": "offset limit endOfRecords count results facets" },
  },
];
