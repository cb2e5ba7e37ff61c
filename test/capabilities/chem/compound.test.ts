import { describe, expect, it } from "vitest";
import { chemCompound } from "../../../src/capabilities/chem/compound.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const row = {
  CID: 2244,
  Title: "Aspirin",
  MolecularFormula: "C9H8O4",
  MolecularWeight: "180.16",
  ExactMass: "180.04225873",
  SMILES: "CC(=O)OC1=CC=CC=C1C(=O)O",
  ConnectivitySMILES: "CC(=O)OC1=CC=CC=C1C(=O)O",
  InChIKey: "BSYNRYMUTXBXSQ-UHFFFAOYSA-N",
  XLogP: 1.2,
  Charge: 0,
  HeavyAtomCount: 13,
};
const found = (...rows: object[]): Exchange => ({ url: "/property/", body: { PropertyTable: { Properties: rows } } });
const named = (...names: string[]): Exchange => ({
  url: "/synonyms/",
  body: { InformationList: { Information: [{ CID: 2244, Synonym: names }] } },
});
const described: Exchange = {
  url: "/description/",
  body: {
    InformationList: {
      Information: [{ CID: 2244, Title: "Aspirin" }, { Description: "A drug." }, { Description: "Other." }],
    },
  },
};
const fault = (status: number, Code: string): Exchange => ({
  url: "",
  status,
  body: { Fault: { Code, Message: "m" } },
});

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (input: Parameters<typeof chemCompound>[0]) => chemCompound(input, { fetch: fake.fetch, cache: false });
  return { ...fake, ask };
}

describe("chem.compound", () => {
  it("gives a compound with numbers, its synonyms and what it is", async () => {
    const { ask, seen } = open(found(row), named(...Array.from({ length: 30 }, (_, index) => `n${index}`)), described);
    const { items, total, meta } = await ask({ cid: 2244 });
    expect(items[0]).toMatchObject({
      cid: 2244,
      title: "Aspirin",
      iupacName: null,
      molecularWeight: 180.16,
      exactMass: 180.04225873,
      smiles: row.SMILES,
      xLogP: 1.2,
      tpsa: null,
      charge: 0,
      description: "A drug.",
      imageUrl: "https://pubchem.ncbi.nlm.nih.gov/rest/pug/compound/cid/2244/PNG",
      url: "https://pubchem.ncbi.nlm.nih.gov/compound/2244",
    });
    expect(items[0]?.synonyms).toHaveLength(20);
    expect({ total, meta }).toEqual({ total: 1, meta: { matches: 1, otherCids: [] } });
    expect(seen[0]?.url.pathname).toMatch(
      /^\/rest\/pug\/compound\/cid\/2244\/property\/Title,.*,HeavyAtomCount\/JSON$/,
    );
  });

  it("takes the best of several matches and names the others", async () => {
    const others = Array.from({ length: 12 }, (_, index) => ({ CID: index + 1, MolecularFormula: "C" }));
    const { items, meta } = await open(found(row, ...others), named(), described).ask({ name: "aspirin" });
    expect(items[0]?.cid).toBe(2244);
    expect(meta).toEqual({ matches: 13, otherCids: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] });
  });

  it("knows the names that SMILES had before 2025", async () => {
    const old = { CID: 1, MolecularFormula: "C", IsomericSMILES: "[13CH4]", CanonicalSMILES: "C" };
    const { items } = await open(found(old), named(), described).ask({ cid: 1 });
    expect(items[0]).toMatchObject({ smiles: "[13CH4]", connectivitySmiles: "C" });
  });

  it.each<[Parameters<typeof chemCompound>[0], string, string]>([
    [{ name: "acetic acid?" }, "/compound/name/acetic%20acid%3F/property/", ""],
    [{ name: "1/2-salt" }, "/compound/name/property/", "?name=1%2F2-salt"],
    [{ name: ".." }, "/compound/name/property/", "?name=.."],
    [{ smiles: "C/C=C\\C#N+" }, "/compound/smiles/property/", "?smiles=C%2FC%3DC%5CC%23N%2B"],
    [{ inchikey: "BSYNRYMUTXBXSQ-UHFFFAOYSA-N" }, "/compound/inchikey/BSYNRYMUTXBXSQ-UHFFFAOYSA-N/property/", ""],
  ])("asks for %j where slashes do no harm", async (input, path, search) => {
    const { ask, seen } = open(found(row), named(), described);
    await ask(input);
    expect(seen[0]?.url.pathname).toContain(path);
    expect(seen[0]?.url.search).toBe(search);
  });

  it("UP-2 does without synonyms and description, and tells those it has none of from those it could not get", async () => {
    const none = (url: string): Exchange => ({ url, status: 404, body: {} });
    const nothing = await open(found(row), none("/synonyms/"), none("/description/")).ask({ cid: 2244 });
    expect(nothing.items[0]).toMatchObject({ synonyms: [], description: null });
    expect(nothing.meta).not.toHaveProperty("failed");
    const down = (url: string): Exchange => ({ url, status: 500 });
    const failed = await open(found(row), down("/synonyms/"), down("/description/")).ask({ cid: 2244 });
    expect(failed.items[0]).toMatchObject({ cid: 2244, synonyms: [], description: null });
    expect(failed.meta).toMatchObject({ failed: ["description", "synonyms"] });
  });

  it.each<[string, Parameters<typeof chemCompound>[0]]>([
    ["", {}],
    ["", { cid: 2244, name: "aspirin" }],
    ["cid", { cid: 2_500_000_001 }],
    ["cid", { cid: 0 }],
    ["name", { name: "  " }],
    ["name", { name: "a\u0000b" }],
    ["smiles", { smiles: "C".repeat(501) }],
    ["inchikey", { inchikey: "bsynrymutxbxsq-uhfffaoysa-n" }],
  ])("refuses a bad %s without asking (%#)", async (path, input) => {
    const { ask, seen } = open();
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    expect(seen).toEqual([]);
  });

  it.each<[string, Exchange, string]>([
    ["an unknown name", fault(404, "PUGREST.NotFound"), "NOT_FOUND"],
    ["a structure that it does not have", found({ CID: 0, MolecularFormula: "C9" }), "NOT_FOUND"],
    ["an unreadable structure", fault(400, "PUGREST.BadRequest"), "INVALID_INPUT"],
    ["overload", fault(503, "PUGREST.ServerBusy"), "UPSTREAM_RATE_LIMIT"],
    ["too long a search", fault(504, "PUGREST.Timeout"), "UPSTREAM_TIMEOUT"],
    ["an outage", { url: "", status: 503, body: "<html>" }, "UPSTREAM_ERROR"],
    ["a renamed field", found({ cid: 2244, MolecularFormula: "C" }), "UPSTREAM_SCHEMA"],
  ])("UP-2 tells %s from others", async (_, exchange, code) => {
    await expect(open(exchange).ask({ smiles: "CCO" })).rejects.toMatchObject({ code });
  });
});
