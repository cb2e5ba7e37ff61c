// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/v3/query","objects":"\thits! a\ttook|total|max_score\nhits[]\tMIM! f|alias! a|ensembl o|genomic_pos! o|name! s|summary s|symbol! s|type_of_gene! s|uniprot! o\t_id|_score|entrezgene|pathway|go\nhits[].ensembl\tgene! s\t\nhits[].genomic_pos\tchr! f|end! n|start! n|strand n\t\nhits[].uniprot\tSwiss-Prot! s|TrEMBL! as\t"},
];
