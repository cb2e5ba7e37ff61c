/**
 * Writes src/engines/countries/country-table.ts from npm world-countries (mledoze/countries, ODbL-1.0).
 * Run it again when world-countries changes: node scripts/generate-country-table.mjs
 */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
export const TABLE_PATH = fileURLToPath(new URL("../src/engines/countries/country-table.ts", import.meta.url));

const EURO = { EUR: { name: "Euro", symbol: "€" } };
const CARIBBEAN_GUILDER = { XCG: { name: "Caribbean guilder", symbol: "Cg" } };

/** Currencies that the data set lacks, or has as they were before a reform: ISO 4217 list one and its amendments. */
const CURRENCIES = {
  FM: { USD: { name: "United States dollar", symbol: "$" } },
  // Regulation (EU) 2025/1408: the euro from 2026-01-01.
  BG: EURO,
  // The peso alone: the convertible one was withdrawn on 2021-01-01.
  CU: { CUP: { name: "Cuban peso", symbol: "$" } },
  // In place of the Antillean guilder from 2025-03-31.
  CW: CARIBBEAN_GUILDER,
  SX: CARIBBEAN_GUILDER,
  // Three zeros fewer from 2022-04-01.
  SL: { SLE: { name: "Sierra Leonean leone", symbol: "Le" } },
  // In place of the Zimbabwe dollar from 2024-04-05.
  ZW: { ZWG: { name: "Zimbabwe Gold", symbol: "ZiG" } },
};

/** Neighbours by land alone: between Sri Lanka and India lies the sea. */
const BORDERS = { LK: [] };

/** Official names in English that the data set has otherwise: "Guiana" is the name of a region, and of Guyana. */
const OFFICIAL = { GF: "French Guiana" };

/** Translations of the data set that are another country's name, by the languages that have them. */
const ANOTHERS_NAMES = {
  AS: ["hun"],
  CM: ["pol"],
  DM: ["kor"],
  GN: ["per"],
  GS: ["kor"],
  IL: ["per"],
  IO: ["kor"],
  SS: ["pol"],
  TZ: ["hun"],
};
/** The same where the common name is right. */
const ANOTHERS_OFFICIAL_NAMES = { DM: ["zho"] };

/** Names that neither the data set nor CLDR has. */
const FURTHER_NAMES = {
  CD: ["刚果民主共和国", "剛果民主共和國"],
  CG: ["刚果共和国", "剛果共和國"],
  HK: ["Hong Kong Special Administrative Region of China"],
  MO: ["Macao Special Administrative Region of China"],
  TW: ["Taiwan, Province of China"],
  CH: ["Confédération helvétique"],
  CN: ["中华人民共和国", "中華人民共和國", "Китайская Народная Республика"],
  IL: ["Do Thái"],
  KP: [
    "朝鲜民主主义人民共和国",
    "朝鮮民主主義人民共和國",
    "朝鮮民主主義人民共和国",
    "Корейская Народно-Демократическая Республика",
  ],
  KR: ["大韩民国", "大韓民國"],
  MX: ["Stati Uniti Messicani", "Stany Zjednoczone Meksyku"],
  RU: ["Federación Rusa"],
};

function toRow(country) {
  const { cca2, idd } = country;
  const name = { ...country.name, official: OFFICIAL[cca2] ?? country.name.official };
  const native = Object.entries(name.native).map(([lang, { common, official }]) => ({ lang, common, official }));
  const own = new Set([...[name, ...native].flatMap(namesOf), ...country.altSpellings]);
  const currencies = CURRENCIES[cca2] ?? country.currencies;
  const [latitude, longitude] = country.latlng;
  return {
    alpha2: cca2,
    alpha3: country.cca3,
    numeric: country.ccn3 || null,
    cioc: country.cioc || null,
    commonName: name.common,
    officialName: name.official,
    nativeNames: native,
    altSpellings: country.altSpellings,
    capital: country.capital,
    region: country.region || null,
    subregion: country.subregion || null,
    independent: country.independent,
    status: country.status,
    unMember: country.unMember,
    unRegionalGroup: country.unRegionalGroup || null,
    currencies: Object.entries(currencies).map(([code, { name, symbol }]) => ({ code, name, symbol })),
    languages: Object.entries(country.languages).map(([code, name]) => ({ code, name })),
    callingCodes: callingCodes(idd),
    tld: country.tld,
    borders: BORDERS[cca2] ?? country.borders,
    // -1 stands for unknown.
    area: country.area > 0 ? country.area : null,
    latitude,
    longitude,
    landlocked: country.landlocked,
    demonym: country.demonyms.eng?.m || null,
    translations: [...new Set(translationsOf(country))].filter((text) => !own.has(text)),
  };
}

const namesOf = ({ common, official }) => [common, official];

const translationsOf = ({ cca2, translations }) => [
  ...Object.entries(translations)
    .filter(([language]) => !ANOTHERS_NAMES[cca2]?.includes(language))
    .flatMap(([language, { common, official }]) =>
      ANOTHERS_OFFICIAL_NAMES[cca2]?.includes(language) ? [common] : [common, official],
    ),
  ...(FURTHER_NAMES[cca2] ?? []),
];

/** Behind more than three suffixes are areas of one code: +1 201, +1 202 ... */
function callingCodes({ root, suffixes }) {
  if (suffixes.length > 3) return [root];
  return suffixes.map((suffix) => root + suffix);
}

/** The text of the generated module. */
export function renderCountryTable() {
  const rows = require("world-countries/countries.json").map(toRow);
  return `/**
 * Contains information from mledoze/countries (https://github.com/mledoze/countries), which is made available under
 * the Open Database License (ODbL) 1.0, https://opendatacommons.org/licenses/odbl/1-0/, and so is this table.
 * Generated by scripts/generate-country-table.mjs; not to be edited by hand.
 * @license ODbL-1.0
 */
import type { Country } from "./country.js";

/** ${rows.length} countries and territories. */
// biome-ignore format: one row a line
export const COUNTRIES: readonly Country[] = [
${rows.map((row) => `  ${JSON.stringify(row)},`).join("\n")}
];
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TABLE_PATH, renderCountryTable());
