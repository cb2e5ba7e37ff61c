import { once } from "../lib/lazy.js";

/**
 * Everyday words for the catalogue's terms, and hints from identifiers in a task. It contains words that every
 * catalogue of this kind would share; words of a single capability are its keywords.
 */

/** Everyday words, then the catalogue's. A "_" joins words that only count together. */
const SAYINGS = `
plane planes jet jets airplane airplanes helicopter: aircraft
crash crashes crashed: accident
firm firms corporation corporations supplier suppliers vendor vendors llc ltd limited_company enterprise: company business
director directors officer officers: company officers
subsidiary subsidiaries parent_company holding ultimate_parent: hierarchy parent
wallet wallets account_address: crypto address
btc sats satoshi satoshis: bitcoin
eth ether: ethereum
scam scams fraud fraudulent: phishing risk
foggy fog windy: weather visibility
tomorrow tonight will_it will_there: forecast
is_it right_now at_the_moment: current
demographics degree educated poverty: population education
llm llms gpt claude gemini chatbot: model chat
debate second_opinion: council
photo photos photograph photographed image picture_of: picture
tldr gist: summarize summary
toxic toxicity abusive: hate harassment moderate
redact redaction anonymize anonymise: personal data
angry happy mood tone: sentiment
scrape scraping structured_data: extract page
say_this_in say_in translated: translate
rich richest wealthy salary salaries earn: income
rent rents: housing
wage: wages
payroll jobs nonfarm: employment labor
inflation_rate cost_of_living: inflation cpi
soybeans soy wheat barley oats hay farmers planted harvested: crop agricultural production
wrote writer novel novels: book author
bills bill laws legislation: congress rules
quarterly_results quarterly_report: earnings report
going_public went_public: ipo
candles candlestick candlesticks candle: bars ohlc price
biggest largest top: ranked
snowfall hottest coldest rainiest: daily temperature snow records
fog_at landing: airport weather
sanctioned blacklisted sanction_list: sanctions
due_diligence kyb know_your_business background_check: dossier
latin_name common_name: species scientific name
molar molecular_weight: mass compound
tax_number tax_id: cnpj
working_day working_days workday workdays: business days
pounds_in euros_in dollars_in: convert currency
stand_for stands_for: code
land a_helicopter: heliport airport
scan scannable boarding_pass: barcode code
at_once combine together: several calls batch
`;

/** Words about a company's seat; otherwise a country's name says nothing about registers. */
const REGISTERS = `
british uk england english scottish wales london: uk
norwegian norway oslo: norway
finnish finland helsinki: finland
french france paris societe: france
polish poland warsaw: poland
brazilian brazil brasil: brazilian
`;
const OF_COMPANIES = /\b(?:compan|firm|business|director|regist|organi[sz]ation|court|supplier|vendor|societe|ltd|llc)/;

/** Patterns of identifiers, and the questions that they usually belong to. */
const IDENTIFIERS: [RegExp, string][] = [
  [/\bNCT\d{8}\b/i, "clinical trial study nct"],
  [/\b(?:[OPQ]\d[A-Z\d]{3}\d|[A-NR-Z]\d[A-Z][A-Z\d]{2}\d)\b/, "protein uniprot accession"],
  [/\bN[1-9]\d{0,4}[A-HJ-NP-Z]{0,2}\b/, "aircraft tail number"],
  [/\b97[89][- ]?(?:\d[- ]?){9}\d\b/, "book isbn"],
  [/\b[A-Z\d]{18}\d{2}\b/, "lei legal entity"],
  [/\b[A-Z]{2}[A-Z\d]{9}\d\b/, "isin"],
  [/\b\w+\.eth\b/i, "ens name resolve"],
  [/\b0x[\da-f]{64}\b/i, "transaction hash"],
  [/\b0x[\da-f]{40}\b/i, "evm address"],
  [/\b(?:bc1|[13])[a-km-zA-HJ-NP-Z\d]{25,60}\b/, "bitcoin address"],
  [/\b[KE][A-Z]{3}\b/, "airport icao"],
  [/(?<![\d.,$])\b\d{5}\b(?![\d.,%])/, "zip code"],
  [/\bhttps?:\/\/github\.com\/|\b[\w-]+\/[\w.-]+\b(?=.*\b(?:stars?|forks?|issues?|repo)\b)/i, "github repository"],
];

/** A task with the catalogue's words added to it. */
export function withSynonyms(task: string): string {
  const text = ` ${task
    .normalize("NFD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")} `;
  const added = new Set<string>();
  const tables = OF_COMPANIES.test(text) ? [readSayings(), readRegisters()] : [readSayings()];
  for (const [said, meant] of tables.flat()) if (text.includes(` ${said} `)) added.add(meant);
  for (const [pattern, meant] of IDENTIFIERS) if (pattern.test(task)) added.add(meant);
  return [task, ...added].join(" ");
}

const readSayings = once(() => read(SAYINGS));
const readRegisters = once(() => read(REGISTERS));

function read(table: string): [said: string, meant: string][] {
  return table
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [said = "", meant = ""] = line.split(": ");
      return said.split(" ").map((word): [string, string] => [word.replaceAll("_", " "), meant]);
    });
}
