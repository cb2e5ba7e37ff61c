// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/v3/query","objects":"\thits! a\ttook|total|max_score|facets|success|error|_scroll_id\nhits[]\tMIM? f|alias? a|ensembl? o|genomic_pos? o|name? s|summary? s|symbol! s|type_of_gene? s|uniprot? o\t_id|_score|entrezgene|pathway|go|_version|AllianceGenome|FLYBASE|HGNC|MGI|RGD|SGD|TAIR|WormBase|Xenbase|ZFIN|accession|agr|biocarta|chembl|clingen|ec|exac|exons|exons_hg19|generif|genomic_pos_hg19|gnomad|homologene|interpro|ipi|locus_tag|map_location|miRBase|netaffy|notfound|other_names|pantherdb|pdb|pfam|pharmgkb|pharos|pir|prosite|query|reagent|refseq|reporter|retired|ReactomeId|taxid|umls|unigene|wikipedia\nhits[].ensembl\tgene? s\ttranscript|protein|translation|type_of_gene\nhits[].genomic_pos\tchr! f|end! n|start! n|strand? n\tensemblgene\nhits[].uniprot\tSwiss-Prot? s|TrEMBL? as\tPIR"},
];
