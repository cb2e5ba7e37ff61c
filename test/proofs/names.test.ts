/**
 * The screening of names beside sets from outside, in the folder `NAME_SETS` or `../shared/name-sets`:
 *
 * - `cases.csv`: 826 labelled pairs of OpenSanctions (github.com/opensanctions/nomenklatura, contrib/name_bench, commit
 *   502208c22543a0ca8f394a2509c8be55738dbb38, MIT);
 * - `sdn.csv` and `alt.csv`: copies of the OFAC list and its aliases (public domain);
 * - `company_tickers.json`: companies listed in the US, of SEC EDGAR (public domain).
 *
 * Thresholds were tuned on half of the pairs, chosen by hash; both halves are reported.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { type Listed, NameList } from "../../src/engines/names/name-list.js";
import { GIVEN_NAMES, SURNAMES } from "../engines/names/common-names.js";
import { numbersFrom, typoOf } from "../engines/names/typos.js";

const FOLDER = process.env.NAME_SETS ?? resolve("../shared/name-sets");
const THRESHOLD = 0.5;
const has = (...files: string[]) => files.every((file) => existsSync(join(FOLDER, file)));
const rowsOf = (file: string, columns: boolean) =>
  parse(readFileSync(join(FOLDER, file)), { columns, relax_quotes: true, relax_column_count: true, trim: true });
const say = (text: string) => process.stdout.write(`${text}\n`);
const percent = (share: number) => `${(share * 100).toFixed(2)} %`;

if (!has("cases.csv", "sdn.csv"))
  say(`Skipped: the sets of names are not in ${FOLDER} (NAME_SETS names another folder).`);

interface Case {
  case_group: string;
  schema: string;
  name1: string;
  name2: string;
  is_match: string;
}

const isHeldOut = ({ case_group, schema, name1, name2 }: Case) =>
  ((createHash("sha256").update(`${case_group}|${schema}|${name1}|${name2}`).digest()[0] ?? 0) & 1) === 1;

function f1Of(cases: readonly { meant: boolean; flagged: boolean }[]): number {
  const count = (meant: boolean, flagged: boolean) =>
    cases.filter((one) => one.meant === meant && one.flagged === flagged).length;
  return (2 * count(true, true)) / (2 * count(true, true) + count(false, true) + count(true, false));
}

describe.runIf(has("cases.csv"))("OpenSanctions' labelled pairs", () => {
  it("F1 is above 0.80 at the default threshold, each pair alone and all in one list", async () => {
    const cases = rowsOf("cases.csv", true) as unknown as Case[];
    const listedAs = (one: Case) => ({ text: one.name2, bearer: one, isPerson: one.schema === "Person" });
    const all = await NameList.build<Case, Listed<Case>>(cases.map(listedAs));
    const judge = async (one: Case, list: NameList<Case>) => {
      const { matches } = await list.search(one.name1, {
        ...{ threshold: THRESHOLD, limit: cases.length },
        only: ({ bearer }) => bearer === one,
      });
      return { one, meant: one.is_match === "true", flagged: matches.length > 0 };
    };
    const alone = await Promise.all(
      cases.map(async (one) => judge(one, await NameList.build<Case, Listed<Case>>([listedAs(one)]))),
    );
    const together = await Promise.all(cases.map((one) => judge(one, all)));
    for (const [what, judged] of Object.entries({ alone, together })) {
      const [tuned, held] = [false, true].map((out) => f1Of(judged.filter(({ one }) => isHeldOut(one) === out)));
      say(
        `${what}: ${judged.length} pairs, F1 ${f1Of(judged).toFixed(3)} (tuned half ${tuned?.toFixed(3)}, other half ${held?.toFixed(3)})`,
      );
      expect(f1Of(judged)).toBeGreaterThan(0.8);
      expect(held).toBeGreaterThan(0.8);
    }
  }, 300_000);
});

describe.runIf(has("sdn.csv"))("a copy of the OFAC list", async () => {
  const entries = has("sdn.csv")
    ? (rowsOf("sdn.csv", false) as string[][]).filter(([id]) => /^\d+$/.test(id ?? ""))
    : [];
  const kinds = new Map(entries.map(([id = "", , kind = ""]) => [id, kind]));
  const aliases = has("alt.csv") ? (rowsOf("alt.csv", false) as string[][]) : [];
  const named = [
    ...entries.map(([id = "", name = ""]) => [id, name] as const),
    ...aliases.map(([id = "", , , name = ""]) => [id, name] as const),
  ];
  const listed = named.flatMap(([id, text]) => {
    const kind = kinds.get(id);
    return kind === undefined || kind === "vessel" || kind === "aircraft"
      ? []
      : [{ text, bearer: id, isPerson: kind === "individual" }];
  });
  const list = await NameList.build<string, Listed<string>>(listed);

  async function shareFlagged(names: readonly string[]): Promise<number> {
    const flagged: string[] = [];
    for (const name of names)
      if ((await list.search(name, { threshold: THRESHOLD })).matches.length > 0) flagged.push(name);
    return flagged.length / names.length;
  }

  it("flags under 3 % of common American names", async () => {
    const next = numbersFrom(7);
    const pick = (from: readonly string[]) => from[Math.floor(next() * from.length)] ?? "";
    const share = await shareFlagged(Array.from({ length: 1500 }, () => `${pick(GIVEN_NAMES)} ${pick(SURNAMES)}`));
    say(`common names: ${percent(share)} of 1500 flagged among ${listed.length} names`);
    expect(share).toBeLessThan(0.03);
  }, 300_000);

  it.runIf(has("company_tickers.json"))(
    "flags under 1 % of the companies that the SEC lists",
    async () => {
      const rows = Object.values(JSON.parse(readFileSync(join(FOLDER, "company_tickers.json"), "utf8")));
      const filers = new Map(
        (rows as { cik_str: number; title: string }[]).map(({ cik_str, title }) => [cik_str, title]),
      );
      const names = [...filers.values()].filter((_, i) => i % 4 === 0);
      const share = await shareFlagged(names);
      say(`SEC companies: ${percent(share)} of ${names.length} flagged`);
      expect(share).toBeLessThan(0.01);
    },
    300_000,
  );

  it("finds 95 % of its names with a single slip", async () => {
    const next = numbersFrom(7);
    const primary = listed.slice(0, entries.length).filter(({ text }) => !/\d/.test(text));
    let found = 0;
    for (let i = 0; i < 1500; i++) {
      const one = primary[Math.floor(next() * primary.length)];
      const { matches } = await list.search(typoOf(one?.text.toLowerCase() ?? "", next), {
        threshold: THRESHOLD,
        limit: 50,
      });
      if (matches.some(({ listed: { bearer } }) => bearer === one?.bearer)) found++;
    }
    say(`single slips: ${percent(found / 1500)} of 1500 found`);
    expect(found / 1500).toBeGreaterThanOrEqual(0.95);
  }, 300_000);
});
