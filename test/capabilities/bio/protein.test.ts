import { describe, expect, it } from "vitest";
import { bioProtein } from "../../../src/capabilities/bio/protein.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const reference = (database: string, id: string, properties: Record<string, string> = {}) => ({
  database,
  id,
  properties: Object.entries(properties).map(([key, value]) => ({ key, value })),
});
const bare = {
  entryType: "UniProtKB unreviewed (TrEMBL)",
  primaryAccession: "A0A024R1R8",
  uniProtkbId: "A0A024R1R8_HUMAN",
  organism: { scientificName: "Homo sapiens", taxonId: 9606, lineage: ["Eukaryota"] },
  sequence: { value: "MS", length: 64, crc64: "0" },
};
const full = {
  ...bare,
  entryType: "UniProtKB reviewed (Swiss-Prot)",
  primaryAccession: "P15056",
  uniProtkbId: "BRAF_HUMAN",
  organism: { scientificName: "Homo sapiens", commonName: "Human", taxonId: 9606 },
  sequence: { length: 766, molWeight: 84437 },
  annotationScore: 5,
  proteinExistence: "1: Evidence at protein level",
  entryAudit: { firstPublicDate: "1990-04-01", lastAnnotationUpdateDate: "2026-06-18" },
  proteinDescription: {
    recommendedName: {
      fullName: { value: "Serine/threonine-protein kinase B-raf" },
      shortNames: [{ value: "B-raf" }],
      ecNumbers: [{ value: "2.7.11.1" }],
    },
    alternativeNames: [{ fullName: { value: "Proto-oncogene B-Raf" } }, { shortNames: [{ value: "p94" }] }],
  },
  genes: [{ geneName: { value: "BRAF" }, synonyms: [{ value: "RAFB1" }] }, { orfNames: [{ value: "x" }] }],
  comments: [
    { commentType: "FUNCTION", texts: [{ value: "One." }, { value: "Two." }] },
    { commentType: "FUNCTION", texts: [{ value: "Three." }] },
    { commentType: "TISSUE SPECIFICITY", texts: [{ value: "Brain." }] },
    {
      commentType: "SUBCELLULAR LOCATION",
      subcellularLocations: [
        { location: { value: "Nucleus", id: "SL-0191" } },
        { location: { value: "Cytoplasm" } },
        { location: { value: "Nucleus" } },
      ],
    },
  ],
  keywords: [{ id: "KW-0067", category: "Ligand", name: "ATP-binding" }],
  uniProtKBCrossReferences: [
    reference("GO", "GO:0005634", { GoTerm: "C:nucleus", GoEvidenceType: "IDA:UniProtKB" }),
    reference("GO", "GO:0005524", { GoTerm: "F:ATP binding" }),
    reference("GO", "GO:0006468", { GoTerm: "P:protein phosphorylation" }),
    reference("GO", "GO:0000001", { GoTerm: "E:engineered" }),
    reference("PDB", "1UWH", { Method: "X-ray" }),
    reference("PDB", "1UWJ"),
    reference("AlphaFoldDB", "P15056"),
    { database: "RefSeq", id: "NP_004324.2" },
  ],
};

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  return { ...fake, ask: (accession: string) => bioProtein({ accession }, { fetch: fake.fetch, cache: false }) };
}

describe("bio.protein", () => {
  it("gives a reviewed protein", async () => {
    const { ask, seen } = open({ url: "/uniprotkb/P15056.json", body: full });
    const { items, total, source } = await ask("p15056");
    expect(items).toEqual([
      {
        accession: "P15056",
        entryName: "BRAF_HUMAN",
        reviewed: true,
        name: "Serine/threonine-protein kinase B-raf",
        shortNames: ["B-raf"],
        alternativeNames: ["Proto-oncogene B-Raf"],
        ecNumbers: ["2.7.11.1"],
        genes: [
          { name: "BRAF", synonyms: ["RAFB1"] },
          { name: null, synonyms: [] },
        ],
        organism: { scientificName: "Homo sapiens", commonName: "Human", taxId: 9606 },
        length: 766,
        molecularWeight: 84437,
        function: "One.\n\nTwo.\n\nThree.",
        subcellularLocations: ["Nucleus", "Cytoplasm"],
        goTerms: [
          { id: "GO:0005634", term: "nucleus", aspect: "cellular_component" },
          { id: "GO:0005524", term: "ATP binding", aspect: "molecular_function" },
          { id: "GO:0006468", term: "protein phosphorylation", aspect: "biological_process" },
          { id: "GO:0000001", term: "E:engineered", aspect: null },
        ],
        structureIds: ["1UWH", "1UWJ"],
        alphaFoldId: "P15056",
        keywords: ["ATP-binding"],
        existence: "1: Evidence at protein level",
        annotationScore: 5,
        lastUpdated: "2026-06-18",
      },
    ]);
    expect(total).toBe(1);
    expect(source.url).toBe("https://www.uniprot.org/uniprotkb/P15056");
    expect(seen[0]?.headers.get("accept")).toBe("application/json");
  });

  it("gives an unreviewed protein of which little is known, under its submitter's name", async () => {
    const proteinDescription = {
      submissionNames: [{ fullName: { value: "HCG1" }, ecNumbers: [{ value: "1.1.1.1" }] }],
    };
    const { items } = await open({ url: "", body: { ...bare, proteinDescription } }).ask("A0A024R1R8");
    expect(items[0]).toMatchObject({ reviewed: false, name: "HCG1", ecNumbers: ["1.1.1.1"], molecularWeight: null });
    expect(items[0]).toMatchObject({ genes: [], goTerms: [], structureIds: [], alphaFoldId: null, function: null });
    const nameless = await open({ url: "", body: bare }).ask("A0A024R1R8");
    expect(nameless.items[0]).toMatchObject({ name: null, shortNames: [], lastUpdated: null });
  });

  it("says which sections a reviewed entry came without, and refuses one without its name", async () => {
    const { comments: _, uniProtKBCrossReferences: __, ...thin } = full;
    expect((await open({ url: "", body: thin }).ask("P15056")).meta).toEqual({
      unavailable: ["comments", "references"],
    });
    const { proteinDescription, ...nameless } = full;
    const refused = (body: object) =>
      expect(open({ url: "", body }).ask("P15056")).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
    await refused(nameless);
    const { alternativeNames, ...names } = proteinDescription;
    await refused({ ...full, proteinDescription: { ...names, otherNames: alternativeNames } });
  });

  it("follows a merged accession to its new entry", async () => {
    const merged = { status: 303, headers: { location: "/uniprotkb/P15056?from=Q00015" } };
    const { ask } = open({ url: "/uniprotkb/Q00015", ...merged }, { url: "/uniprotkb/P15056?from=Q00015", body: full });
    expect((await ask("Q00015")).items[0]?.accession).toBe("P15056");
  });

  it("says what an inactive entry became", async () => {
    const body = {
      entryType: "Inactive",
      primaryAccession: "P00001",
      uniProtkbId: "CYC_HUMAN",
      inactiveReason: { inactiveReasonType: "DEMERGED", mergeDemergeTo: ["P99999", "P99998"] },
    };
    await expect(open({ url: "", body }).ask("P00001")).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "UniProt no longer has an entry of this accession (demerged). It was replaced by P99999, P99998.",
      issues: [{ message: "could be P99999" }, { message: "could be P99998" }],
    });
    const deleted = { ...body, inactiveReason: { inactiveReasonType: "DELETED" } };
    await expect(open({ url: "", body: deleted }).ask("P00001")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("UP-2 tells an unknown protein from a broken address", async () => {
    const unknown = { messages: ["Resource not found"], url: "http://rest.uniprot.org/uniprotkb/A0A999ZZZ9" };
    const page = { status: 404, body: "<html>", headers: { "content-type": "text/html" } };
    const ask = (exchange: Omit<Exchange, "url">) => open({ url: "", ...exchange }).ask("A0A999ZZZ9");
    await expect(ask({ status: 404, body: unknown })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(ask(page)).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
    await expect(ask({ status: 400, body: unknown })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("UP-3 reports an entry without a sequence instead of selling nulls", async () => {
    const { ask } = open({ url: "", body: { ...full, sequence: undefined } });
    await expect(ask("P15056")).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });

  it.each(["P", "BRAF", "P1505", "P15056-2", "A0A024R1R8A", "../P15056", "x".repeat(21)])(
    "refuses the accession %s without asking",
    async (accession) => {
      const { ask, seen } = open();
      await expect(ask(accession)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "accession" }] });
      expect(seen).toEqual([]);
    },
  );
});
