/** The search in sixteen languages, by questions that people ask in them. */
import { describe, expect, test, vi } from "vitest";
import { subjectsById } from "../../src/discovery/languages/rank.js";
import { fold, readWords } from "../../src/discovery/languages/words.js";
import { createSearch } from "../../src/discovery/search.js";
import { serviceOf } from "../support/service.js";
import { MORE, QUESTIONS } from "./world-questions.js";

const loaded = vi.hoisted(() => new Set<string>());
vi.mock("../../src/discovery/languages/de.js", async (real) => {
  loaded.add("de");
  return await real();
});

const service = serviceOf();
const search = createSearch(service);
const idsOf = async (question: string, limit = 3) => (await search(question, limit)).results.map(({ id }) => id);

test("no words of another language are loaded for a question in English", async () => {
  for (const question of ["convert an amount between currencies", "weather at an airport", "check an iban"])
    await search(question);
  expect(loaded.size).toBe(0);
  await search("wechselkurs");
  expect(loaded.size).toBe(1);
});

const files = Object.keys(QUESTIONS);

test("nine of ten questions find their endpoint among three, in every language", async () => {
  const missed: string[] = [];
  const shares: Record<string, number> = {};
  for (const [name, asked] of Object.entries({ ...QUESTIONS, more: MORE })) {
    let hits = 0;
    for (const [question, ...ids] of asked) {
      const found = await idsOf(question);
      if (ids.some((id) => found.includes(id))) hits++;
      else missed.push(`${name}: ${question} → ${ids.join(" or ")}, not ${found.join(", ")}`);
    }
    shares[name] = hits / asked.length;
  }
  const total = Object.values(QUESTIONS).flat().length + MORE.length;
  expect(missed.length / total, missed.join("\n")).toBeLessThanOrEqual(0.1);
  for (const [name, share] of Object.entries(shares))
    expect([name, share >= 0.8], missed.join("\n")).toEqual([name, true]);
});

describe.each(files)("the words in %s", (name) => {
  test("name every subject", async () => {
    const { words } = (await import(`../../src/discovery/languages/${name}.ts`)) as { words: string };
    const lines = words.trim().split("\n");
    const subjects = lines.map((line) => line.split(": ")[0]).filter((subject) => subject !== "." && subject !== "~");
    const wanted = new Set([...subjectsById().values()].flat());
    expect([...subjects].sort()).toEqual([...wanted].sort());
    for (const line of lines) expect(line).toMatch(/^[a-z.~]+: \S+(?: \S+)*$/u);
    expect(readWords(name, "start", words).beginnings.has("")).toBe(false);
  });
});

test("every endpoint has subjects, and no two the same ones", () => {
  expect([...subjectsById().keys()].sort()).toEqual(service.capabilities.map(({ id }) => id).sort());
  const sets = [...subjectsById().values()].map((subjects) => [...subjects].sort().join(" "));
  expect(sets.filter((set, at) => sets.indexOf(set) !== at)).toEqual([]);
});

test("words are compared without case, accents and marks that people leave out", () => {
  expect(fold("Döviz KURU")).toBe(" doviz kuru ");
  expect(fold("IŞIK ı İ")).toBe(" isik i i ");
  expect(fold("الطَّقْس إلى")).toBe(" الطقس الي ");
  expect(fold("ＰＤＦ を、ﾃｷｽﾄ")).toBe(" pdf を テキスト ");
  expect(fold("ёлка — Złoty")).toBe(" елка zloty ");
  expect(fold("환율")).toBe(" 환율 ");
});

test("an unavailable endpoint that fits best is told of, with the reason, in any language", async () => {
  const bare = createSearch(serviceOf({ missing: ({ id }) => (id === "ai.translate" ? ["KEY"] : []) }));
  for (const question of ["перевести текст на английский", "文章を英語に翻訳", "translate a text"])
    for (const limit of [1, 3, 10]) {
      const { results } = await bare(question, limit);
      expect(results.find(({ id }) => id === "ai.translate")).toMatchObject({
        available: false,
        reason: expect.any(String),
      });
      expect(results.length).toBeLessThanOrEqual(limit);
      expect(results.findIndex(({ available }) => available === false)).toBe(results.length - 1);
    }
});

test("a hostile question costs milliseconds", async () => {
  await idsOf("wechselkurs");
  for (const part of ["а", "курс ", "汇率", "ال", "kurs a ", "\u0301", "ﷺ"]) {
    const begun = performance.now();
    await search(part.repeat(100_000));
    expect(performance.now() - begun).toBeLessThan(500);
  }
});
