import type { KnownKeys } from "../../support/render-inventories.js";

const GENE =
  "_id _score _version AllianceGenome FLYBASE HGNC MGI MIM RGD SGD TAIR WormBase Xenbase ZFIN accession agr alias biocarta chembl clingen ec ensembl entrezgene exac exons exons_hg19 generif genomic_pos genomic_pos_hg19 go gnomad homologene interpro ipi locus_tag map_location miRBase name netaffy notfound other_names pantherdb pathway pdb pfam pharmgkb pharos pir prosite query reagent refseq reporter retired ReactomeId summary symbol taxid type_of_gene umls unigene uniprot wikipedia";

/** A gene has what its databases know: many have neither a summary nor a place on a chromosome. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/v3/query",
    source: "docs.mygene.info, Gene annotation service: available fields",
    objects: {
      "": "took total max_score hits facets success error _scroll_id",
      "hits[]": GENE,
      "hits[].ensembl": "gene transcript protein translation type_of_gene",
      "hits[].genomic_pos": "chr start end strand ensemblgene",
      "hits[].uniprot": "Swiss-Prot TrEMBL PIR",
    },
    rare: [
      ...["MIM", "alias", "ensembl", "genomic_pos", "name", "summary", "type_of_gene", "uniprot", "entrezgene"],
      ...["taxid", "map_location", "_id", "ensembl.gene", "genomic_pos.strand", "uniprot.Swiss-Prot", "uniprot.TrEMBL"],
    ].map((name) => `hits[].${name}`),
  },
];
