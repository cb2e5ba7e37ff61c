import type { KnownKeys } from "../../support/render-inventories.js";

/** An entry that nobody reviewed has submitted names instead of recommended ones; one that was withdrawn has only a reason. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/uniprotkb/*",
    source: "rest.uniprot.org, the entry in JSON",
    objects: {
      "": "entryType primaryAccession secondaryAccessions uniProtkbId entryAudit annotationScore organism organismHosts proteinExistence proteinDescription genes comments features geneLocations keywords references uniProtKBCrossReferences sequence extraAttributes inactiveReason",
      proteinDescription:
        "recommendedName alternativeNames submissionNames allergenName biotechName cdAntigenNames innNames flag includes contains",
      "genes[]": "geneName synonyms orderedLocusNames orfNames",
      organism: "scientificName commonName synonyms taxonId lineage evidences",
      "comments[]":
        "texts commentType molecule note interactions isoforms events subcellularLocations disease reaction physiologicalReactions kineticParameters phDependence temperatureDependence redoxPotential absorption sequenceCautionType sequence positions locationType databaseId url rnaEditing massSpectrometry method molWeight molWeightError ranges evidences",
      sequence: "value length molWeight crc64 md5",
    },
    rare: ["proteinDescription", "proteinDescription.recommendedName", "proteinDescription.alternativeNames"],
  },
];
