import { describe, expect, it } from "vitest";
import { NameList } from "../../../src/engines/names/name-list.js";
import { createPacer } from "../../../src/lib/pacer.js";

const person = (text: string) => ({ text, bearer: text, isPerson: true });
const company = (text: string) => ({ text, bearer: text, isPerson: false });

describe("a list of names", () => {
  it("lets others run while it is indexed", async () => {
    const names = Array.from({ length: 500 }, (_, i) => company(`Company ${i} of ${i % 7}`));
    let turns = 0;
    let isBuilt = false;
    const count = () => {
      turns++;
      if (!isBuilt) setImmediate(count);
    };
    setImmediate(count);
    // Every step is due for a rest: as often as this the event loop must have come round.
    await NameList.build(names, createPacer(0));
    isBuilt = true;
    expect(turns).toBeGreaterThan(names.length);
  });

  it("takes titles off persons only", async () => {
    const list = await NameList.build([
      person("WRENFIELD, Dr. Tobias"),
      company("GENERAL ELECTRONICS"),
      company("ELECTRONICS LTD"),
    ]);
    const best = async (name: string) =>
      (await list.search(name, { threshold: 0.7 })).matches.map(({ listed }) => listed.text);
    expect(await best("General Tobias Wrenfield")).toEqual(["WRENFIELD, Dr. Tobias"]);
    expect(await best("General Electronics")).toEqual(["GENERAL ELECTRONICS"]);
  });

  it("finds a person by first and last name beside a father's name, and a company not by a part of its own", async () => {
    const others = Array.from({ length: 50 }, (_, i) => company(`Vessel${i} Trading`));
    const list = await NameList.build([
      person("OBRENOVIC, Dragan Petrovich"),
      company("OBRENOVIC DRAGAN PETROVICH"),
      ...others,
    ]);
    const { matches } = await list.search("Dragan Obrenovic", { threshold: 0 });
    expect(matches.map(({ listed }) => listed.isPerson)).toEqual([true, false]);
  });

  it("tells entities apart by their numbers alone", async () => {
    const list = await NameList.build(["II", "III", "IV", "2"].map((number) => company(`Torvald Fund ${number} LP`)));
    const { matches } = await list.search("Torvald Fund 3", { threshold: 0.7 });
    expect(matches.map(({ listed }) => listed.text)).toEqual(["Torvald Fund III LP"]);
  });
});

it.each(["EKT", "Mohamed Wesco", "Haris Trading"])(
  "the score of a company, asked for as %s, does not hang on persons who are compared before",
  async (asked) => {
    const texts = ["EQT", "VISCO, Muhammad", "HARRIS, Qaram"].flatMap((text) => [
      { text, bearer: `${text} the person`, isPerson: true },
      { text: text.split(",")[0] ?? text, bearer: `${text} the company`, isPerson: false },
    ]);
    const list = await NameList.build(texts);
    const { matches } = await list.search(asked, { threshold: 0 });
    const { matches: companies } = await list.search(asked, { threshold: 0, only: ({ isPerson }) => !isPerson });
    const ofCompanies = ({ listed, score }: (typeof matches)[number]) =>
      listed.isPerson ? [] : [[listed.text, score]];
    expect(companies.length).toBeGreaterThan(0);
    // By ear EKT is EQT, and so is a person; a company is another one.
    expect(companies.filter(({ listed, score }) => listed.text === "EQT" && score >= 0.5)).toEqual([]);
    expect(matches.flatMap(ofCompanies)).toEqual(companies.flatMap(ofCompanies));
  },
);
