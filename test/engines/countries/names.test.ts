import { afterEach, describe, expect, it, vi } from "vitest";
import { findCountries, foldName } from "../../../src/engines/countries/countries.js";
import { COUNTRIES } from "../../../src/engines/countries/country-table.js";

const codes = async (name: string, fullText = true) =>
  (await findCountries({ name, fullText })).map(({ alpha2 }) => alpha2);

const LANGUAGES = "en de fr es pt it nl pl tr ru ar hi id vi ko ja zh zh-Hant".split(" ");

describe("the names of countries", () => {
  it.each(LANGUAGES)("finds every country by its name of CLDR in %s, before any other", async (language) => {
    const wrong: string[] = [];
    for (const style of ["long", "short", "narrow"] as const) {
      const names = new Intl.DisplayNames(language, { type: "region", style, fallback: "none" });
      for (const { alpha2 } of COUNTRIES) {
        const name = names.of(alpha2) ?? "";
        for (const written of new Set([name, name.toLocaleUpperCase(language), name.normalize("NFD")]))
          if (written.length > 1 && (await codes(written))[0] !== alpha2) wrong.push(`${alpha2} ${written}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("gives no country another's name of CLDR", async () => {
    const names = LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: "region", fallback: "none" }));
    const owners = new Map<string, Set<string>>();
    for (const { alpha2 } of COUNTRIES)
      for (const name of names.map((one) => foldName(one.of(alpha2) ?? ""))) {
        const own = owners.get(name) ?? new Set();
        owners.set(name, own.add(alpha2));
      }
    const taken = COUNTRIES.flatMap(({ alpha2, translations }) =>
      translations.filter((name) => {
        const own = owners.get(foldName(name));
        return own && !own.has(alpha2);
      }),
    );
    // Names of regions that two countries have a part of, and those of CD beside CG.
    expect([...new Set(taken.map(foldName))].toSorted()).toEqual(SHARED.toSorted());
  });

  it.each([
    ["Wybrzeże Kości Słoniowej", ["CI"]],
    ["Republika Wybrzeża Kości Słoniowej", ["CI"]],
    ["Guiana", ["GY", "GF"]],
    ["Guyana", ["GY", "GF"]],
    ["Kongo", ["CG", "CD"]],
    ["Congo", ["CG", "CD"]],
    ["Công-gô", ["CD", "CG"]],
    ["Cộng hoà Công-gô", ["CD", "CG"]],
    ["Конго", ["CG", "CD"]],
    ["刚果", ["CG", "CD"]],
    ["Korea", ["KP", "KR"]],
    ["Corée", ["KP", "KR"]],
    ["Virgin Islands", ["VG", "VI"]],
    ["Виргинские острова", ["VG", "VI"]],
    ["Saint Martin", ["MF", "SX"]],
    ["도미니카 공화국", ["DO"]],
    ["조지아", ["GE"]],
    ["인도", ["IN"]],
    ["پاپوآ گینه نو", ["PG"]],
    ["Tádzsikisztán", ["TJ"]],
    ["Szamoa", ["WS"]],
    ["Republika Sudanu", ["SD"]],
    ["टोगो", ["TG"]],
    ["टोंगा", ["TO"]],
    ["Sint-Maarten (Frans deel)", ["MF", "SX"]],
    ["サンマルタン (オランダ領)", ["MF", "SX"]],
    ["Dominik Milletler Topluluğu", ["DM", "DO"]],
    ["غويانا", ["GY", "GF"]],
    ["جمهوريّة غويانا", ["GY", "GF"]],
    ["Do Thái", ["IL"]],
    ["Quốc Gia Do Thái", ["IL"]],
    ["Ô-man", ["OM"]],
    ["Mỹ", ["US"]],
    ["Bỉ", ["BE"]],
    ["仏領ギアナ", ["GF"]],
  ])("finds the countries that %s names, and no other", async (name, expected) => {
    expect(await codes(name)).toEqual(expected);
  });

  it.each([
    ["die Schweiz", "CH"],
    ["La France", "FR"],
    ["l'Italie", "IT"],
    ["L’ITALIE", "IT"],
    ["i Paesi Bassi", "NL"],
    ["los Estados Unidos", "US"],
    ["de Verenigde Staten", "US"],
    ["a França", "FR"],
    ["Tanzania, United Republic of", "TZ"],
    ["République-Unie de Tanzanie", "TZ"],
    ["Russie, Fédération de", "RU"],
    ["Congo, República Democrática do", "CD"],
    ["Bolivia, Plurinational State of", "BO"],
    ["Republik Island", "IS"],
    ["République togolaise", "TG"],
    ["Federacyjna Republika Nigerii", "NG"],
    ["Republika Bośni i Hercegowiny", "BA"],
    ["Тунисская Республика", "TN"],
    ["Нигерская Республика", "NE"],
    ["Нигерийская Республика", "NG"],
    ["Slovakya Cumhuriyeti", "SK"],
    ["Republik Trinidad dan Tobago", "TT"],
    ["アイスランド共和国", "IS"],
    ["スペイン王国", "ES"],
    ["冰岛共和国", "IS"],
    ["摩洛哥王國", "MA"],
    ["朝鲜民主主义人民共和国", "KP"],
    ["미얀마 공화국", "MM"],
    ["جمهوريّة زمبابوي", "ZW"],
    ["Republic of China", "TW"],
    ["People's Republic of China", "CN"],
    ["Republic of Korea", "KR"],
    ["Taiwan, Province of China", "TW"],
    ["Falklandinseln (Malwinen)", "FK"],
    ["Heiliger Stuhl (Staat Vatikanstadt)", "VA"],
    ["Bouvet-Insel", "BV"],
    ["İSPANYA", "ES"],
    ["MY", "MY"],
    ["Islas Maldivas", "MV"],
    ["Islas Bermudas", "BM"],
    ["Eiland Man", "IM"],
    ["Wyspy Norfolk", "NF"],
    ["Taiwán, Provincia de China", "TW"],
    ["Tajwan, Prowincja Chińska", "TW"],
    ["تايوان، محافظة صينيّة", "TW"],
    ["Iran, République islamique d'", "IR"],
    ["تنزانيا، جمهوريّة تنزانيا المتّحدة", "TZ"],
    ["Cộng hoà Bu-run-đi", "BI"],
    ["बुरुण्डी", "BI"],
    ["अर्जेण्टीना", "AR"],
    ["रिपब्लिक ऑफ कोलम्बिया", "CO"],
    ["Confédération helvétique", "CH"],
    ["Federación Rusa", "RU"],
    ["Китайская Народная Республика", "CN"],
    ["Корейская Народно-Демократическая Республика", "KP"],
    ["Südafrika", "ZA"],
    ["Stati Uniti Messicani", "MX"],
    ["Mon-đô-va", "MD"],
    ["Nước Cộng Hoà Mon-đô-va", "MD"],
    ["Cộng hoà Pa-ki-xờ-tan", "PK"],
    ["A Phú Hãn", "AF"],
    ["Cộng Hoà Hồi Giáo A Phú Hãn", "AF"],
    ["Cộng hoà Ăng-gô-la", "AO"],
    ["Cộng hoà Xim-ba-bu-ê", "ZW"],
    ["Nước Cộng Hoà Ý", "IT"],
    ["Quốc Gia Độc Lập Xa-mô-a", "WS"],
    ["इस्लामिक रिपब्लिक ऑफ अफ़्ग़ानिस्तान", "AF"],
    ["प्रिन्सपलिटी ऑफ एन्डोर्रा", "AD"],
    ["कॉमनवेल्थ ऑफ द बहामास", "BS"],
    ["रिपब्लिक ऑफ बोस्निया एंड हर्ज़ेगोविना", "BA"],
    ["फ्रेंच रिपब्लिक", "FR"],
    ["صاموا الأمريكيّة", "AS"],
    ["جمهوريّة ساو تومي و برنسبي الدّيموقراطيّة", "ST"],
    ["بوركينا فاصو", "BF"],
    ["Negara Independen Papua Nugini", "PG"],
    ["Hongkong, Daerah Administratif Istimewa China", "HK"],
    ["Осо́бый административный район Гонконг", "HK"],
    ["香港・中国特別行政区", "HK"],
    ["마카오, 중국의 특별 행정구", "MO"],
    ["大不列顛及北愛爾蘭聯合王國", "GB"],
    ["美利堅合眾國", "US"],
    ["臺灣", "TW"],
    ["Förenade kungariket", "GB"],
    ["米国", "US"],
  ])("understands %s, which no list has in this form", async (name, alpha2) => {
    expect((await codes(name))[0]).toBe(alpha2);
  });

  it.each([
    "New Mexico",
    "Northern Ireland",
    "german",
    "the Republic",
    "Republika",
    "Kingdom of",
    "Republic of Korean",
    "जापानी",
    "अरबी",
    "फ्रेंच",
    "इटालियन",
    "البرتغالية",
    "اللاتينية",
    "Xi-bê-ri-a",
    "Môn-mô",
    "Isla",
    "Paris, France",
    "Georgia, United States",
  ])("does not take %s for a whole name", async (name) => expect(await codes(name)).toEqual([]));

  it("does a name that matches nothing in no time", async () => {
    const start = process.cpuUsage();
    for (let i = 0; i < 50; i++) await codes(`republic (${"(a) ".repeat(18)}`, false);
    expect(process.cpuUsage(start).user / 50).toBeLessThan(200_000);
  });
});

/** Folded names that two countries have in some language, of which one has them in CLDR. */
const SHARED = ["guyana", "kongo", "sao martinho", "سانت مارتن"];

describe("a host without names of countries", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it.each([
    ["no names at all", { ...Intl, getCanonicalLocales: Intl.getCanonicalLocales, DisplayNames: undefined }],
    ["English ones alone", { ...Intl, DisplayNames: onlyEnglish() }],
  ])("finds countries by the table's names: %s", async (_, intl) => {
    vi.resetModules();
    vi.stubGlobal("Intl", intl);
    const countries = await import("../../../src/engines/countries/countries.js");
    const found = async (name: string) =>
      (await countries.findCountries({ name, fullText: true })).map(({ alpha2 }) => alpha2);
    expect(await found("Alemania")).toEqual(["DE"]);
    expect(await found("Suomi")).toEqual(["FI"]);
    expect(await found("République togolaise")).toEqual(["TG"]);
  });
});

function onlyEnglish() {
  return class extends Intl.DisplayNames {
    static override supportedLocalesOf(locales: string | string[]) {
      return [locales].flat().filter((locale) => locale === "en");
    }
  };
}
