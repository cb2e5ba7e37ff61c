import { describe, expect, it } from "vitest";
import { bioGene } from "../../../src/capabilities/bio/gene.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const braf = {
  _id: "673",
  _score: 17.5,
  symbol: "BRAF",
  name: "B-Raf proto-oncogene",
  summary: "This gene encodes a kinase.",
  alias: ["B-RAF1", "NS7"],
  type_of_gene: "protein-coding",
  ensembl: { gene: "ENSG00000157764" },
  entrezgene: "673",
  taxid: 9606,
  map_location: "7q34",
  genomic_pos: { chr: "7", start: 140719327, end: 140925199, strand: -1 },
  MIM: "164757",
  uniprot: { "Swiss-Prot": "P15056", TrEMBL: ["H7C560"] },
};
const found = (field: "symbol" | "alias", ...hits: object[]): Exchange => ({
  url: `q=${field}`,
  body: { took: 1, total: hits.length, max_score: null, hits },
});
const protein: Exchange = {
  url: "/uniprotkb/P15056.json",
  body: {
    entryType: "UniProtKB reviewed (Swiss-Prot)",
    primaryAccession: "P15056",
    uniProtkbId: "BRAF_HUMAN",
    organism: { scientificName: "Homo sapiens", taxonId: 9606 },
    sequence: { length: 766 },
    proteinDescription: { recommendedName: { fullName: { value: "Serine/threonine-protein kinase B-raf" } } },
  },
};

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (input: { symbol: string; taxid?: number }) => bioGene(input, { fetch: fake.fetch, cache: false });
  return { ...fake, ask };
}

describe("bio.gene", () => {
  it("gives a human gene with its protein", async () => {
    const { ask, seen } = open(found("symbol", braf), protein);
    const { items, total, meta, source } = await ask({ symbol: " BRAF " });
    expect(items).toEqual([
      {
        symbol: "BRAF",
        name: "B-Raf proto-oncogene",
        geneId: 673,
        taxId: 9606,
        organism: "Homo sapiens",
        aliases: ["B-RAF1", "NS7"],
        geneType: "protein-coding",
        summary: "This gene encodes a kinase.",
        chromosome: "7",
        mapLocation: "7q34",
        location: { chromosome: "7", start: 140719327, end: 140925199, strand: -1 },
        ensemblIds: ["ENSG00000157764"],
        omimIds: ["164757"],
        matchedBy: "symbol",
        ncbiUrl: "https://www.ncbi.nlm.nih.gov/gene/673",
        protein: expect.objectContaining({ accession: "P15056", length: 766 }),
      },
    ]);
    expect({ total, meta }).toEqual({ total: 1, meta: { protein: "found" } });
    expect(source.license).toContain("UniProt CC BY 4.0");
    const query = seen[0]?.url.searchParams;
    expect(query?.get("q")).toBe('symbol:"BRAF"');
    expect(query?.get("species")).toBe("9606");
    expect(query?.get("size")).toBe("1");
    expect(query?.get("fields")?.split(",")).toHaveLength(15);
  });

  it("reads many values where one is usual, and prefers the chromosome to its contigs", async () => {
    const { items } = await open(
      found("symbol", {
        symbol: "HLA-A",
        name: "major histocompatibility complex, class I, A",
        type_of_gene: "protein-coding",
        alias: "HLAA",
        MIM: [142800, "1"],
        ensembl: [{ gene: "ENSG1" }, { gene: "ENSG2" }],
        genomic_pos: [
          { chr: "CHR_HSCHR6_MHC_APD_CTG1", start: 1, end: 2 },
          { chr: "6", start: 3, end: 4 },
        ],
        uniprot: { "Swiss-Prot": ["P15056", "P04439"] },
      }),
      protein,
    ).ask({ symbol: "HLA-A" });
    expect(items[0]).toMatchObject({
      aliases: ["HLAA"],
      omimIds: ["142800", "1"],
      ensemblIds: ["ENSG1", "ENSG2"],
      location: { chromosome: "6", start: 3, end: 4, strand: null },
      protein: { accession: "P15056" },
      geneId: null,
      ncbiUrl: null,
      taxId: 9606,
    });
  });

  it("looks among the aliases when no symbol matches", async () => {
    const { ask, seen } = open(found("symbol"), found("alias", { ...braf, uniprot: { TrEMBL: "H7C560" } }));
    const { items, meta } = await ask({ symbol: 'B-raf(1)/\\"', taxid: 10090 });
    expect(items[0]).toMatchObject({ matchedBy: "alias", protein: null, organism: null });
    expect(meta).toEqual({ protein: "none" });
    expect(seen.map(({ url }) => url.searchParams.get("q"))).toEqual([
      String.raw`symbol:"B\-raf\(1\)\/\\\""`,
      String.raw`alias:"B\-raf\(1\)\/\\\""`,
    ]);
    expect(seen[1]?.url.searchParams.get("species")).toBe("10090");
  });

  it("says that a gene is unknown", async () => {
    const { ask } = open(found("symbol"), found("alias"));
    await expect(ask({ symbol: "ZZZNOTAGENE" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("UP-2 gives the gene without its protein when only UniProt fails, and says so", async () => {
    const { ask } = open(found("symbol", braf), { url: "/uniprotkb/", status: 404 });
    const { items, meta } = await ask({ symbol: "BRAF" });
    expect(items[0]).toMatchObject({ symbol: "BRAF", protein: null, organism: null });
    expect(meta).toEqual({ protein: "unavailable" });
  });

  it("UP-2 does not take a failed MyGene.info for an unknown gene", async () => {
    const { ask } = open(found("symbol"), { url: "q=alias", status: 501 });
    await expect(ask({ symbol: "BRAF" })).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    const refused = { url: "", status: 400, body: { success: false, error: "x" } };
    await expect(open(refused).ask({ symbol: "BRAF" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("takes NCBI's number of a gene from its id where the field is not there", async () => {
    const { entrezgene: _, ...hit } = braf;
    expect((await open(found("symbol", hit), protein).ask({ symbol: "BRAF" })).items[0]?.geneId).toBe(673);
    const ensembl = open(found("symbol", { ...hit, _id: "ENSG00000157764" }), protein);
    expect((await ensembl.ask({ symbol: "BRAF" })).items[0]?.geneId).toBeNull();
  });

  it.each([
    ["none where its proteins are unreviewed", { uniprot: { TrEMBL: "H7C560" } }, "none"],
    ["none where it encodes none", { uniprot: undefined, type_of_gene: "ncRNA" }, "none"],
    ["unavailable where its link is not there", { uniprot: undefined }, "unavailable"],
  ])("says of a gene's protein that it is %s", async (_, fields, state) => {
    const { meta } = await open(found("symbol", { ...braf, ...fields })).ask({ symbol: "BRAF" });
    expect(meta).toEqual({ protein: state });
  });

  it("UP-3 refuses links to proteins whose reviewed one goes by another name", async () => {
    const { ask } = open(found("symbol", { ...braf, uniprot: { SwissProt: "P15056", TrEMBL: ["H7C560"] } }));
    await expect(ask({ symbol: "BRAF" })).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });

  it("UP-3 reports a hit whose symbol was renamed, or that no id names, instead of selling nulls", async () => {
    for (const hit of [
      { ...braf, symbol: undefined, gene_symbol: "BRAF" },
      { name: "B-Raf", type_of_gene: "ncRNA" },
    ]) {
      const { ask } = open(found("symbol", hit), protein);
      await expect(ask({ symbol: "BRAF" })).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
    }
  });

  it("has null for the symbol of a gene that has none", async () => {
    const { ask } = open(found("symbol", { ...braf, symbol: undefined }), protein);
    expect((await ask({ symbol: "BRAF" })).items[0]).toMatchObject({ symbol: null, geneId: 673 });
  });

  it.each([
    ["symbol", { symbol: "" }],
    ["symbol", { symbol: " " }],
    ["symbol", { symbol: "A\nB" }],
    ["symbol", { symbol: "x".repeat(31) }],
    ["taxid", { symbol: "TP53", taxid: 0 }],
    ["taxid", { symbol: "TP53", taxid: 10_000_000 }],
  ])("refuses a %s out of its bounds without asking: %j", async (path, input) => {
    const { ask, seen } = open();
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    expect(seen).toEqual([]);
  });
});
