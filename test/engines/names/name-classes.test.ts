import { afterEach, describe, expect, it, vi } from "vitest";
import { compareNames, explainNames } from "../../../src/engines/names/compare.js";
import { NameList } from "../../../src/engines/names/name-list.js";
import { readName, toLatin } from "../../../src/engines/names/words.js";
import { SanctionsList } from "../../../src/providers/ofac/list.js";
import { amongOthers, entry } from "../../support/ofac.js";
import { NAME_CLASSES } from "./name-classes.js";
import { SANCTION_PAIRS } from "./sanction-pairs.js";
import { numbersFrom, typoOf } from "./typos.js";

const THRESHOLD = 0.5;
const TYPES = { P: "individual", O: "organization", V: "vessel" } as const;

/** One list of all names, in the midst of others. */
function listOf(rows: readonly (readonly [unknown, listed: string, kind: keyof typeof TYPES, ...unknown[]])[]) {
  const kinds = new Map(rows.map(([, listed, kind]) => [listed, TYPES[kind]]));
  const entries = [...kinds].map(([name, type], i) => entry(i + 1, name, type));
  return SanctionsList.build(amongOthers(...entries), []);
}

const list = await listOf(Object.values(NAME_CLASSES).flat());
const scoreOf = async (asked: string, listed: string, among = list) => {
  const { matches } = await among.screen(asked, { threshold: 0, limit: 1000 });
  return matches.find(({ name }) => name === listed)?.score ?? 0;
};

afterEach(() => vi.restoreAllMocks());

describe.each(Object.entries(NAME_CLASSES))("%s", (_, rows) => {
  it.each(rows)("%s | %s (%s): %s", async (asked, listed, _kind, flagged) => {
    const score = await scoreOf(asked, listed);
    if (flagged) expect(score).toBeGreaterThanOrEqual(THRESHOLD);
    else expect(score).toBeLessThan(THRESHOLD);
  });
});

describe("the score of names that differ", () => {
  it("is below 1, however alike they sound", async () => {
    const among = await listOf([["", "HARIS, Muhammad", "P"]]);
    expect(await scoreOf("Mohamed Harris", "HARIS, Muhammad", among)).toBeLessThan(1);
  });

  it("is as high between two companies as in a list: Appel Inc. and Apple Inc.", async () => {
    const { score } = compareNames(await readName("Appel Inc."), await readName("Apple Inc."));
    expect(score).toBeGreaterThanOrEqual(THRESHOLD);
  });
});

it("at least 95 of 100 single slips are found at the default threshold", async () => {
  const listed = SANCTION_PAIRS.filter(([, , kind]) => kind !== "V");
  const among = await listOf(listed);
  const next = numbersFrom(20);
  const names = [...new Set(listed.map(([, name]) => name))].filter((name) => !/\d/.test(name));
  const missed: string[] = [];
  const typos = names.flatMap((name) =>
    Array.from({ length: 5 }, () => [typoOf(name.toLowerCase(), next), name] as const),
  );
  for (const [typo, name] of typos)
    if ((await scoreOf(typo, name, among)) < THRESHOLD) missed.push(`${typo} | ${name}`);
  expect(typos.length).toBeGreaterThan(300);
  expect(missed.length / typos.length, missed.join("\n")).toBeLessThanOrEqual(0.05);
});

describe("the explanation of a score", () => {
  it("names the words that matched, how much each tells, and those without a counterpart", async () => {
    const people = ["OBRENOVIC, Dragan Petar", "PETAR, Dragan", "DRAGAN, Ivo"].map((text) => ({
      ...{ text, bearer: text, isPerson: true },
    }));
    const names = await NameList.build(people);
    const [best] = (await names.search("Dragan Obrenovik", { threshold: 0.5 })).matches;
    expect(best?.listed.text).toBe("OBRENOVIC, Dragan Petar");
    const { reasons, words } = await names.explain("Dragan Obrenovik", people[0] ?? { text: "", isPerson: true });
    expect(reasons).toEqual(["1 word spelt differently", "1 word more in the name found"]);
    expect(words).toEqual([
      { asked: "dragan", found: "dragan", similarity: 1, weight: expect.any(Number), names: 3 },
      { asked: "obrenovik", found: "obrenovic", similarity: expect.any(Number), weight: 1, names: 1 },
      { asked: null, found: "petar", similarity: 0, weight: expect.any(Number), names: 2 },
    ]);
    expect(words[0]?.weight).toBeLessThan(words[2]?.weight ?? 0);
  });

  it("is there for two names alone, where nothing is known of rarity", async () => {
    const { words } = explainNames(await readName("Goldmann Sachs"), await readName("Goldman Sachs Group, Inc."));
    expect(words).toEqual([
      { asked: "sachs", found: "sachs", similarity: 1, weight: 1, names: null },
      { asked: "goldmann", found: "goldman", similarity: 0.95, weight: 1, names: null },
      { asked: null, found: "group", similarity: 0, weight: 0.3, names: null },
    ]);
  });
});

describe("a hostile name", () => {
  it.each([
    ["a run of marks", `a${"\u0301\u0323".repeat(50_000)}`],
    ["signs that are sentences", "\ufdfa".repeat(50_000)],
    ["one endless word", "x".repeat(100_000)],
    ["endless words", "mohammad ali bank trading ".repeat(10_000)],
  ])("costs no more than one of 300 characters: %s", async (_, name) => {
    const normalize = vi.spyOn(String.prototype, "normalize");
    const { tokens, personTokens, written } = await readName(name);
    const longest = Math.max(0, ...normalize.mock.contexts.map((text) => String(text).length));
    expect(longest).toBeLessThanOrEqual(300);
    expect(Math.max(tokens.length, personTokens.length)).toBeLessThanOrEqual(24);
    expect(written.length).toBeLessThanOrEqual(1200);
    expect((await toLatin(name)).length).toBeLessThanOrEqual(2400);
  });
});
