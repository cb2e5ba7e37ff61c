import type { KnownKeys } from "../../support/render-inventories.js";

const NAME = "fullName shortNames ecNumbers valid";
const EVIDENT = "value evidences id";

/** An entry that nobody reviewed has submitted names instead of recommended ones; one that was withdrawn has only a reason. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/uniprotkb/*",
    source: "rest.uniprot.org, the entry in JSON, and github.com/ebi-uniprot/uniprot-rest-api",
    objects: {
      "": "entryType primaryAccession secondaryAccessions uniProtkbId entryAudit annotationScore organism organismHosts proteinExistence proteinDescription genes comments features geneLocations keywords references uniProtKBCrossReferences sequence internalSection lineages extraAttributes inactiveReason from to",
      proteinDescription:
        "recommendedName alternativeNames submissionNames allergenName biotechName cdAntigenNames innNames flag includes contains",
      "proteinDescription.recommendedName": NAME,
      "proteinDescription.recommendedName.fullName": EVIDENT,
      "proteinDescription.recommendedName.ecNumbers[]": EVIDENT,
      "proteinDescription.alternativeNames[]": NAME,
      "proteinDescription.alternativeNames[].fullName": EVIDENT,
      "proteinDescription.submissionNames[]": NAME,
      "genes[]": "geneName synonyms orderedLocusNames orfNames",
      "genes[].geneName": EVIDENT,
      "genes[].synonyms[]": EVIDENT,
      organism: "scientificName commonName synonyms taxonId lineage evidences",
      "comments[]":
        "texts commentType molecule note interactions isoforms events subcellularLocations disease reaction physiologicalReactions cofactors kineticParameters phDependence temperatureDependence redoxPotential absorption sequenceCautionType sequence positions locationType databaseId url name rnaEditing massSpectrometry method molWeight molWeightError ranges evidences",
      "comments[].texts[]": EVIDENT,
      "comments[].subcellularLocations[]": "location topology orientation",
      "comments[].subcellularLocations[].location": EVIDENT,
      "keywords[]": "id category name evidences",
      "uniProtKBCrossReferences[]": "database id isoformId properties evidences",
      "uniProtKBCrossReferences[].properties[]": "key value",
      entryAudit: "firstPublicDate lastAnnotationUpdateDate lastSequenceUpdateDate entryVersion sequenceVersion",
      sequence: "value length molWeight crc64 md5",
    },
    rare: [
      ...["proteinDescription", "proteinDescription.recommendedName", "proteinDescription.alternativeNames"],
      ...["genes", "comments", "keywords", "uniProtKBCrossReferences", "annotationScore", "proteinExistence"],
      ...["organism.commonName", "genes[].geneName", "genes[].synonyms", "comments[].texts", "entryAudit"],
      ...["comments[].subcellularLocations", "proteinDescription.recommendedName.ecNumbers"],
      ...["proteinDescription.recommendedName.fullName", "proteinDescription.alternativeNames[].fullName"],
    ],
  },
];
