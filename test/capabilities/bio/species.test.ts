import { describe, expect, it } from "vitest";
import { bioSpecies } from "../../../src/capabilities/bio/species.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const sparrow = {
  usageKey: 5231190,
  scientificName: "Passer domesticus (Linnaeus, 1758)",
  canonicalName: "Passer domesticus",
  rank: "SPECIES",
  status: "ACCEPTED",
  confidence: 99,
  matchType: "EXACT",
  kingdom: "Animalia",
  class: "Aves",
  species: "Passer domesticus",
};
const matched = (body: object): Exchange => ({ url: "/species/match", body });
const named = (...names: [string, string?][]): Exchange => ({
  url: "/vernacularNames",
  body: { endOfRecords: false, results: names.map(([vernacularName, language]) => ({ vernacularName, language })) },
});
const counted: Exchange = { url: "/occurrence/search", body: { offset: 0, limit: 0, count: 82081 } };

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  return { ...fake, ask: (name: string) => bioSpecies({ name }, { fetch: fake.fetch, cache: false }) };
}

describe("bio.species", () => {
  it("refuses a plain name that goes by another field now, and takes a name that has none", async () => {
    const { canonicalName, ...nameless } = sparrow;
    const of = (body: object) => open(matched(body), named(), counted).ask("sparrow");
    await expect(of({ ...nameless, canonicalNameText: canonicalName })).rejects.toMatchObject({
      code: "UPSTREAM_SCHEMA",
    });
    await expect(of(nameless)).resolves.toMatchObject({ items: [{ canonicalName: null }] });
    for (const scientificName of ["Passer domesticus x Passer montanus", "Passer sp. 1", "BOLD:AAA0001"])
      await expect(of({ ...nameless, scientificName })).resolves.toMatchObject({ items: [{ canonicalName: null }] });
    const virus = { ...nameless, kingdom: "Viruses", scientificName: "Potato virus Y" };
    await expect(of(virus)).resolves.toMatchObject({ ok: true });
  });

  it("gives a taxon with its classification, English names and number of observations", async () => {
    const names = named(["Haussperling", "deu"], ["House Sparrow", "eng"], ["house sparrow", "eng"], ["Moineau", ""]);
    const { ask, seen } = open(matched(sparrow), names, counted);
    const { items, total, meta, source } = await ask(" Passer domesticus ");
    expect(items).toEqual([
      {
        key: 5231190,
        usageKey: 5231190,
        scientificName: "Passer domesticus (Linnaeus, 1758)",
        canonicalName: "Passer domesticus",
        rank: "SPECIES",
        status: "ACCEPTED",
        matchType: "EXACT",
        confidence: 99,
        synonym: false,
        acceptedKey: null,
        classification: {
          kingdom: "Animalia",
          phylum: null,
          class: "Aves",
          order: null,
          family: null,
          genus: null,
          species: "Passer domesticus",
        },
        commonNames: ["House Sparrow"],
        occurrenceCount: 82081,
        url: "https://www.gbif.org/species/5231190",
      },
    ]);
    expect({ total, meta }).toEqual({ total: 1, meta: { fuzzy: false, note: null } });
    expect(source).toMatchObject({ provider: "GBIF", url: "https://www.gbif.org/species/5231190" });
    expect(seen.map(({ url }) => url.pathname + url.search).sort()).toEqual([
      "/v1/occurrence/search?taxonKey=5231190&limit=0",
      "/v1/species/5231190/vernacularNames?limit=100",
      "/v1/species/match?name=Passer+domesticus&verbose=true",
    ]);
  });

  it("gives at most eight names, in GBIF's order", async () => {
    const names = Array.from({ length: 12 }, (_, index): [string, string] => [`name ${index}`, "eng"]);
    const { items } = await open(matched(sparrow), named(...names), counted).ask("Passer domesticus");
    expect(items[0]?.commonNames).toEqual(names.slice(0, 8).map(([name]) => name));
  });

  it("follows a synonym to its accepted taxon, whether or not GBIF flags it", async () => {
    const synonym = { ...sparrow, usageKey: 1, acceptedUsageKey: 2, status: "SYNONYM", matchType: "FUZZY", note: "n" };
    const { ask, seen } = open(matched(synonym), named(), counted);
    const { items, meta } = await ask("Passer domesticas");
    expect(items[0]).toMatchObject({ key: 2, usageKey: 1, acceptedKey: 2, synonym: true, matchType: "FUZZY" });
    expect(meta).toEqual({ fuzzy: true, note: "n" });
    expect(seen.filter(({ url }) => url.href.includes("/2/") || url.href.includes("taxonKey=2&"))).toHaveLength(2);
  });

  it("knows nothing of a name without a match, however confident GBIF is", async () => {
    const { ask, seen } = open(matched({ confidence: 100, matchType: "NONE", synonym: false }));
    await expect(ask("aaa vva")).rejects.toMatchObject({ code: "NOT_FOUND", issues: [] });
    expect(seen).toHaveLength(1);
  });

  it("lists what an ambiguous name could be", async () => {
    const alternatives = Array.from({ length: 7 }, (_, usageKey) => ({ ...sparrow, usageKey, kingdom: "Plantae" }));
    const { ask } = open(matched({ matchType: "NONE", note: "Multiple equal matches", alternatives }));
    const error: unknown = await ask("Satyrium").catch((error: unknown) => error);
    expect(error).toMatchObject({ code: "NOT_FOUND", issues: { length: 5 } });
    expect(error).toHaveProperty("issues.1", {
      path: "name",
      message: "could be Passer domesticus (Linnaeus, 1758) (SPECIES, Plantae, ACCEPTED, EXACT; key 1)",
    });
  });

  it("UP-2 goes without names and count when only these fail, and says so", async () => {
    const { ask } = open(
      matched(sparrow),
      { url: "/vernacularNames", status: 404 },
      { url: "/occurrence/", status: 500 },
    );
    const { items, meta } = await ask("Passer domesticus");
    expect(items[0]).toMatchObject({ key: 5231190, commonNames: [], occurrenceCount: null });
    expect(meta).toMatchObject({ failed: ["commonNames", "occurrenceCount"] });
  });

  it("UP-3 reports a match without a key instead of selling nulls", async () => {
    const { ask } = open(matched({ ...sparrow, usageKey: undefined }));
    await expect(ask("Passer domesticus")).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });

  it("tells a refused name from an outage", async () => {
    await expect(open({ url: "", status: 400 }).ask("x (")).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(open({ url: "", status: 404 }).ask("Passer")).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });

  it.each(["a", "   ", "x".repeat(121)])("refuses the name %j without asking", async (name) => {
    const { ask, seen } = open();
    await expect(ask(name)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "name" }] });
    expect(seen).toEqual([]);
  });
});
