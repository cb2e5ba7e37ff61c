// Generated: npx vitest run test/generated.test.ts -u

import type * as addressGroup from "../capabilities/address/index.js";
import type * as agentGroup from "../capabilities/agent/index.js";
import type * as agricultureGroup from "../capabilities/agriculture/index.js";
import type * as aiGroup from "../capabilities/ai/index.js";
import type * as aircraftGroup from "../capabilities/aircraft/index.js";
import type * as airportGroup from "../capabilities/airport/index.js";
import type * as aviationGroup from "../capabilities/aviation/index.js";
import type * as bankGroup from "../capabilities/bank/index.js";
import type * as barcodeGroup from "../capabilities/barcode/index.js";
import type * as batchGroup from "../capabilities/batch/index.js";
import type * as bioGroup from "../capabilities/bio/index.js";
import type * as blsGroup from "../capabilities/bls/index.js";
import type * as bookGroup from "../capabilities/book/index.js";
import type * as businessGroup from "../capabilities/business/index.js";
import type * as calendarGroup from "../capabilities/calendar/index.js";
import type * as censusGroup from "../capabilities/census/index.js";
import type * as chemGroup from "../capabilities/chem/index.js";
import type * as chineseGroup from "../capabilities/chinese/index.js";
import type * as classGroup from "../capabilities/class/index.js";
import type * as climateGroup from "../capabilities/climate/index.js";
import type * as clinicalGroup from "../capabilities/clinical/index.js";
import type * as codeGroup from "../capabilities/code/index.js";
import type * as convertGroup from "../capabilities/convert/index.js";
import type * as countdownGroup from "../capabilities/countdown/index.js";
import type * as countryGroup from "../capabilities/country/index.js";
import type * as cryptoGroup from "../capabilities/crypto/index.js";
import type * as dataGroup from "../capabilities/data/index.js";
import type * as devGroup from "../capabilities/dev/index.js";
import type * as docGroup from "../capabilities/doc/index.js";
import type * as domainGroup from "../capabilities/domain/index.js";
import type * as ediGroup from "../capabilities/edi/index.js";
import type * as emailGroup from "../capabilities/email/index.js";
import type * as financeGroup from "../capabilities/finance/index.js";
import type * as geoGroup from "../capabilities/geo/index.js";
import type * as htmlGroup from "../capabilities/html/index.js";
import type * as imageGroup from "../capabilities/image/index.js";
import type * as invoiceGroup from "../capabilities/invoice/index.js";
import type * as jsonGroup from "../capabilities/json/index.js";
import type * as lockGroup from "../capabilities/lock/index.js";
import type * as paymentGroup from "../capabilities/payment/index.js";
import type * as pdfGroup from "../capabilities/pdf/index.js";
import type * as phoneGroup from "../capabilities/phone/index.js";
import type * as productGroup from "../capabilities/product/index.js";
import type * as pubsubGroup from "../capabilities/pubsub/index.js";
import type * as queueGroup from "../capabilities/queue/index.js";
import type * as scheduleGroup from "../capabilities/schedule/index.js";
import type * as securityGroup from "../capabilities/security/index.js";
import type * as storeGroup from "../capabilities/store/index.js";
import type * as textGroup from "../capabilities/text/index.js";
import type * as timeGroup from "../capabilities/time/index.js";
import type * as tldGroup from "../capabilities/tld/index.js";
import type * as urlGroup from "../capabilities/url/index.js";
import type * as validateGroup from "../capabilities/validate/index.js";
import type * as watchersGroup from "../capabilities/watchers/index.js";
import type * as webhooksGroup from "../capabilities/webhooks/index.js";
import type { Endpoint } from "./types.js";

/** The endpoints of this package, as a client calls them. */
// biome-ignore format: one line each, however long a summary is
export interface CatalogueClient {
  readonly address: {
    /** Write a postal address in the order and lines of its country, name the fields that are missing, and check its postal code. Price: 0.001 USD a call. */
    readonly format: Endpoint<typeof addressGroup.addressFormat>;
  };
  readonly agent: {
    /** What happened on a topic since a date: US rules, votes in Congress, papers and federal court opinions, ranked. Price: 0.06 USD a call. */
    readonly knowledgeDelta: Endpoint<typeof agentGroup.agentKnowledgeDelta>;
  };
  readonly agriculture: {
    /** Weekly percent of a US county's or state's area in each drought category, newest week first. Price: 0.001 USD a call. */
    readonly drought: Endpoint<typeof agricultureGroup.agricultureDrought>;
    /** US agricultural statistics: yields, production, area, prices and stocks by commodity, year, state, county. Price: 0.001 USD a call. */
    readonly stats: Endpoint<typeof agricultureGroup.agricultureStats>;
  };
  readonly ai: {
    /** Chat completion in the common format with any model of the gateway; you pay for the tokens used. Price: 0.001 to 50 USD a call. */
    readonly chat: Endpoint<typeof aiGroup.aiChat>;
    /** Sort a text into labels of your own, with confidence and reason: zero-shot classification. Price: 0.018 USD a call. */
    readonly classify: Endpoint<typeof aiGroup.aiClassify>;
    /** Several models answer the same question, read each other, and a chairman merges them into one answer. Price: 0.012 to 50 USD a call. */
    readonly council: Endpoint<typeof aiGroup.aiCouncil>;
    /** Describe a picture: alt text, description, kind, the text in it, its main objects and dominant colours. Price: 0.018 USD a call. */
    readonly describeImage: Endpoint<typeof aiGroup.aiDescribeImage>;
    /** Find the people, organizations, places, dates, products and amounts that a text names. Price: 0.036 USD a call. */
    readonly entities: Endpoint<typeof aiGroup.aiEntities>;
    /** Read a web page or a document, such as a PDF, and give its content as JSON of your own schema. Price: 0.075 USD a call. */
    readonly extract: Endpoint<typeof aiGroup.aiExtract>;
    /** Generate up to four pictures from a description with any image model of the gateway. Price: 0.036 to 50 USD a call. */
    readonly image: Endpoint<typeof aiGroup.aiImage>;
    /** Check a text for hate, harassment, sexual content, violence, self-harm, danger and crime, with a score for each. Price: 0.018 USD a call. */
    readonly moderate: Endpoint<typeof aiGroup.aiModerate>;
    /** Read the text of a picture, a scan or a document in reading order, with its tables as Markdown; text layers without a model. Price: 0.036 USD a call. */
    readonly ocr: Endpoint<typeof aiGroup.aiOcr>;
    /** Find personal data in a text: names, e-mail and postal addresses, phone, card and identity numbers. Price: 0.03 USD a call. */
    readonly pii: Endpoint<typeof aiGroup.aiPii>;
    /** A short brief on a topic with key facts, grounded only in an encyclopedia, the pages that you name and a document of yours. Price: 0.042 USD a call. */
    readonly research: Endpoint<typeof aiGroup.aiResearch>;
    /** A picture of a web page as a browser shows it: PNG, JPEG or WebP, of any viewport or the whole page. Price: 0.0075 USD a call. */
    readonly screenshot: Endpoint<typeof aiGroup.aiScreenshot>;
    /** Tell whether a text is positive, negative, neutral or mixed, how strongly, and why. Price: 0.018 USD a call. */
    readonly sentiment: Endpoint<typeof aiGroup.aiSentiment>;
    /** Summarize a web page or a document, such as a PDF: a short summary, its key points, its audience and how long it takes to read. Price: 0.063 USD a call. */
    readonly summarize: Endpoint<typeof aiGroup.aiSummarize>;
    /** Translate a text into any language, keeping line breaks, markup and placeholders. Price: 0.0282 USD a call. */
    readonly translate: Endpoint<typeof aiGroup.aiTranslate>;
    /** Answer a question from a live web search, with the pages that the answer rests on. Price: 0.033 USD a call. */
    readonly webAnswer: Endpoint<typeof aiGroup.aiWebAnswer>;
  };
  readonly aircraft: {
    /** The registration record of a US aircraft, by tail number (N-number) or by Mode S address (icao24). Price: 0.00144 USD a call. */
    readonly lookup: Endpoint<typeof aircraftGroup.aircraftLookup>;
    /** A US aircraft's registration record, with its owner and operator screened by name against the OFAC sanctions list. Price: 0.00432 USD a call. */
    readonly profile: Endpoint<typeof aircraftGroup.aircraftProfile>;
  };
  readonly airport: {
    /** Look up an airport, heliport or seaplane base by its IATA, ICAO or local code: name, place, elevation, codes. Price: 0.001 USD a call. */
    readonly lookup: Endpoint<typeof airportGroup.airportLookup>;
    /** Airports, heliports and seaplane bases around a point, nearest first, by type, country or scheduled service. Price: 0.001 USD a call. */
    readonly near: Endpoint<typeof airportGroup.airportNear>;
  };
  readonly aviation: {
    /** NTSB aviation accidents and incidents by aircraft, place and date, newest first, with injuries and reports. Price: 0.0012 USD a call. */
    readonly accidents: Endpoint<typeof aviationGroup.aviationAccidents>;
    /** The current weather at airports: raw METAR, flight category, temperature, wind, visibility, pressure, clouds. Price: 0.0012 USD a call. */
    readonly metar: Endpoint<typeof aviationGroup.aviationMetar>;
    /** Active SIGMETs and AIRMETs: thunderstorms, turbulence, icing, low visibility, hidden mountains, volcanic ash. Price: 0.00108 USD a call. */
    readonly sigmet: Endpoint<typeof aviationGroup.aviationSigmet>;
    /** Airport weather forecasts: raw TAF, when it was issued, how long it holds, and its periods decoded. Price: 0.0012 USD a call. */
    readonly taf: Endpoint<typeof aviationGroup.aviationTaf>;
  };
  readonly bank: {
    /** Look up FDIC-insured US banks by name, certificate number, RSSD id or state, with size, regulator and owner. Price: 0.0012 USD a call. */
    readonly lookup: Endpoint<typeof bankGroup.bankLookup>;
    /** Read a bank statement (MT940, MT942, camt.052, 053, 054, OFX, QIF) into one JSON, and check its sums against its balances. Price: 0.004 USD a call. */
    readonly statement: Endpoint<typeof bankGroup.bankStatement>;
  };
  readonly barcode: {
    /** Draw a QR, Aztec, Data Matrix or PDF417 code as SVG or PNG, with colours, gradients, module shapes and a logo. Price: 0.001 USD a call. */
    readonly generate: Endpoint<typeof barcodeGroup.barcodeGenerate>;
    /** Read the barcodes and QR codes of a picture, with their corners and with GS1, payment, Wi-Fi and contact data parsed. Price: 0.002 USD a call. */
    readonly read: Endpoint<typeof barcodeGroup.barcodeRead>;
  };
  readonly batch: {
    /** Run up to 50 calls behind one payment: all succeed, or nothing is charged and the failing ones are listed. Price: 0.0012 USD a call. */
    readonly run: Endpoint<typeof batchGroup.batchRun>;
  };
  readonly bio: {
    /** A gene by its symbol or alias, human or of another organism, with the reviewed protein that it encodes. Price: 0.00192 USD a call. */
    readonly gene: Endpoint<typeof bioGroup.bioGene>;
    /** A protein by its UniProt accession: names, genes, organism, function, locations, GO terms, structures. Price: 0.00144 USD a call. */
    readonly protein: Endpoint<typeof bioGroup.bioProtein>;
    /** A species or other taxon by its scientific name: classification, English names, number of observations. Price: 0.00144 USD a call. */
    readonly species: Endpoint<typeof bioGroup.bioSpecies>;
  };
  readonly bls: {
    /** Observations of US labor statistics by series: unemployment, inflation (CPI), prices, wages, employment. Price: 0.0012 USD a call. */
    readonly series: Endpoint<typeof blsGroup.blsSeries>;
  };
  readonly book: {
    /** Search books by words, title, author or ISBN: authors, years, editions, covers, ratings, e-book access. Price: 0.0012 USD a call. */
    readonly search: Endpoint<typeof bookGroup.bookSearch>;
  };
  readonly business: {
    /** A Brazilian company by its CNPJ: names, status, activities, address, tax regimes and partners. Price: 0.00108 USD a call. */
    readonly brCnpj: Endpoint<typeof businessGroup.businessBrCnpj>;
    /** Which legal entity a name means: candidates from GLEIF and SEC, scored and explained, and the best match if any. Price: 0.00288 USD a call. */
    readonly entityMatch: Endpoint<typeof businessGroup.businessEntityMatch>;
    /** A Connecticut business in full: master record, officers, registered agent, recent filings. Price: 0.003 USD a call. */
    readonly entityProfile: Endpoint<typeof businessGroup.businessEntityProfile>;
    /** A US state's registration of a business, with it and its registered agent screened by name for sanctions. Price: 0.00576 USD a call. */
    readonly entityScreen: Endpoint<typeof businessGroup.businessEntityScreen>;
    /** Search Finland's company register by name or business ID: form, activity, situation, registers, addresses. Price: 0.00144 USD a call. */
    readonly fiCompanies: Endpoint<typeof businessGroup.businessFiCompanies>;
    /** Search France's registers by company name, SIREN, SIRET or director: status, activity, finances, directors. Price: 0.00144 USD a call. */
    readonly frCompanies: Endpoint<typeof businessGroup.businessFrCompanies>;
    /** One company's identifiers across registers: LEI, SEC filer number (CIK), tickers, EIN, and how they are linked. Price: 0.0048 USD a call. */
    readonly idResolve: Endpoint<typeof businessGroup.businessIdResolve>;
    /** A dossier on a business from seven sources: identity, filings, sanctions, debarment, register, awards, controls. Price: 0.0144 USD a call. */
    readonly kyb360: Endpoint<typeof businessGroup.businessKyb360>;
    /** Legal entities worldwide by LEI or name: names, status, addresses, registry number, renewal date, BICs. Price: 0.0012 USD a call. */
    readonly lei: Endpoint<typeof businessGroup.businessLei>;
    /** Who owns a legal entity and whom it owns: direct and ultimate parent by LEI, children and their number. Price: 0.00144 USD a call. */
    readonly leiHierarchy: Endpoint<typeof businessGroup.businessLeiHierarchy>;
    /** The ISINs of a legal entity's securities by its LEI, or the issuer of an ISIN. Price: 0.00144 USD a call. */
    readonly leiIsins: Endpoint<typeof businessGroup.businessLeiIsins>;
    /** NAICS 2022 industry codes: look one up with its parents and children, or search the titles by words. Price: 0.001 USD a call. */
    readonly naics: Endpoint<typeof businessGroup.businessNaics>;
    /** Search Norway's register of legal entities by name or organisation number: status, industry, addresses. Price: 0.00144 USD a call. */
    readonly noCompanies: Endpoint<typeof businessGroup.businessNoCompanies>;
    /** An entity of Poland's National Court Register by its KRS number: identifiers, address, capital, bodies. Price: 0.00144 USD a call. */
    readonly plKrs: Endpoint<typeof businessGroup.businessPlKrs>;
    /** Search the business registers of New York, Colorado and Connecticut by name or id, in one schema. Price: 0.00288 USD a call. */
    readonly sosSearch: Endpoint<typeof businessGroup.businessSosSearch>;
    /** Search the UK's company register, or get the profile of a company number: status, accounts, former names. Price: 0.00144 USD a call. */
    readonly ukCompanies: Endpoint<typeof businessGroup.businessUkCompanies>;
  };
  readonly calendar: {
    /** Add business days to a date, count them between two dates, or check one, by a country's holidays. Price: 0.001 USD a call. */
    readonly businessDays: Endpoint<typeof calendarGroup.calendarBusinessDays>;
    /** When companies report earnings, with expected and actual EPS and revenue, and the time of day. Price: 0.001 USD a call. */
    readonly earnings: Endpoint<typeof calendarGroup.calendarEarnings>;
    /** List a year's public, bank, school, optional and observed holidays of a country or region. Price: 0.001 USD a call. */
    readonly holidays: Endpoint<typeof calendarGroup.calendarHolidays>;
    /** Read an iCalendar file (.ics) into events and tasks, list the occurrences of recurring events across clock changes, or write one. Price: 0.001 USD a call. */
    readonly ics: Endpoint<typeof calendarGroup.calendarIcs>;
    /** Initial public offerings that are expected, priced, filed or withdrawn: date, price, shares, value, exchange. Price: 0.001 USD a call. */
    readonly ipo: Endpoint<typeof calendarGroup.calendarIpo>;
  };
  readonly census: {
    /** Demographics of a US state or county: population, age, income, poverty, work, education, housing, race (ACS 5-year). Price: 0.00108 USD a call. */
    readonly demographics: Endpoint<typeof censusGroup.censusDemographics>;
    /** Demographics of a US ZIP area: population, age, income, poverty, work, education, housing, race (ACS 5-year). Price: 0.001 USD a call. */
    readonly zipcode: Endpoint<typeof censusGroup.censusZipcode>;
  };
  readonly chem: {
    /** A chemical compound by name, SMILES, InChIKey or PubChem CID: formula, mass, structure, properties, synonyms. Price: 0.001 USD a call. */
    readonly compound: Endpoint<typeof chemGroup.chemCompound>;
  };
  readonly chinese: {
    /** Convert Chinese text between simplified, traditional, Taiwan, Hong Kong and Japanese characters. Price: 0.001 USD a call. */
    readonly convert: Endpoint<typeof chineseGroup.chineseConvert>;
    /** Tell whether Chinese text is simplified, traditional, mixed or neither, by the majority of its characters. Price: 0.001 USD a call. */
    readonly detect: Endpoint<typeof chineseGroup.chineseDetect>;
    /** Write Chinese text in pinyin with tone marks, tone numbers or no tones, whole and syllable by syllable. Price: 0.001 USD a call. */
    readonly pinyin: Endpoint<typeof chineseGroup.chinesePinyin>;
  };
  readonly class: {
    /** What an industry code of NAICS, SIC, ISIC or NACE is in the other three, by the official concordances. Price: 0.0036 USD a call. */
    readonly industryResolve: Endpoint<typeof classGroup.classIndustryResolve>;
  };
  readonly climate: {
    /** Daily temperature, rain, snow and wind records of a weather station (GHCN-Daily), for up to 366 days. Price: 0.0012 USD a call. */
    readonly stationHistory: Endpoint<typeof climateGroup.climateStationHistory>;
    /** Weather stations with daily climate records (GHCN-Daily) around a point, nearest first. Price: 0.001 USD a call. */
    readonly stationNear: Endpoint<typeof climateGroup.climateStationNear>;
  };
  readonly clinical: {
    /** One clinical trial of ClinicalTrials.gov in full: design, arms, outcomes, eligibility, sites, references. Price: 0.00144 USD a call. */
    readonly studyDetail: Endpoint<typeof clinicalGroup.clinicalStudyDetail>;
    /** Search the clinical trials of ClinicalTrials.gov by words, sponsor, phase, status and country. Price: 0.0012 USD a call. */
    readonly trialSearch: Endpoint<typeof clinicalGroup.clinicalTrialSearch>;
  };
  readonly code: {
    /** Facts about a public GitHub repository: stars, forks, licence, language, topics, activity, state. Price: 0.0012 USD a call. */
    readonly repoLookup: Endpoint<typeof codeGroup.codeRepoLookup>;
  };
  readonly convert: {
    /** Convert an amount between major currencies at the ECB's daily reference rate, today's or a past day's. Price: 0.00144 USD a call. */
    readonly currency: Endpoint<typeof convertGroup.convertCurrency>;
    /** Convert a value between units of mass, length, volume, area or temperature, with exact factors. Price: 0.001 USD a call. */
    readonly unit: Endpoint<typeof convertGroup.convertUnit>;
  };
  readonly countdown: {
    /** An animated GIF that counts down to a date from the moment it is opened, for e-mails and web pages. Price: 0.006 USD a call. */
    readonly gif: Endpoint<typeof countdownGroup.countdownGif>;
  };
  readonly country: {
    /** Sovereign rating, default spread, country and equity risk premium, and currency of one or all countries. Price: 0.001 USD a call. */
    readonly financials: Endpoint<typeof countryGroup.countryFinancials>;
    /** Countries by ISO code or by a name in any of fifty languages: capital, currency, borders, codes, flag. Price: 0.0012 USD a call. */
    readonly lookup: Endpoint<typeof countryGroup.countryLookup>;
  };
  readonly crypto: {
    /** Transactions of an EVM address, the newest first: hash, time, counterparties, value, fee, method and outcome. Price: 0.00144 USD a call. */
    readonly addressHistory: Endpoint<typeof cryptoGroup.cryptoAddressHistory>;
    /** Risk report on an EVM address: phishing, theft, mixers, honeypots, sanctions and other flags, with a verdict. Price: 0.002 USD a call. */
    readonly addressSafety: Endpoint<typeof cryptoGroup.cryptoAddressSafety>;
    /** Whether a crypto address of any chain stands on the US sanctions list (OFAC SDN): an exact match, whatever the case. Price: 0.002 USD a call. */
    readonly addressScreen: Endpoint<typeof cryptoGroup.cryptoAddressScreen>;
    /** Check whether a Bitcoin, Ethereum, Solana, Litecoin, TRON, XRP or Bitcoin Cash address is valid, checksum included. Price: 0.001 USD a call. */
    readonly addressValidate: Endpoint<typeof cryptoGroup.cryptoAddressValidate>;
    /** Live balances of an EVM address: the chain's native coin, and up to twenty ERC-20 tokens by contract address. Price: 0.00144 USD a call. */
    readonly balances: Endpoint<typeof cryptoGroup.cryptoBalances>;
    /** Balance and totals of a Bitcoin address: received, sent, transactions, unspent outputs, and what is pending. Price: 0.00144 USD a call. */
    readonly btcAddress: Endpoint<typeof cryptoGroup.cryptoBtcAddress>;
    /** Recommended Bitcoin fee rates, from the next block to the cheapest, and how full the mempool is. Price: 0.001 USD a call. */
    readonly btcFees: Endpoint<typeof cryptoGroup.cryptoBtcFees>;
    /** Bitcoin's mempool: how many transactions wait, their size and fees, and the ten that came last. Price: 0.00144 USD a call. */
    readonly btcMempool: Endpoint<typeof cryptoGroup.cryptoBtcMempool>;
    /** A Bitcoin transaction: whether it is confirmed and where, its fee, size, inputs and outputs. Price: 0.00144 USD a call. */
    readonly btcTx: Endpoint<typeof cryptoGroup.cryptoBtcTx>;
    /** Unspent outputs of a Bitcoin address, the largest first, with their sum. Price: 0.00144 USD a call. */
    readonly btcUtxos: Endpoint<typeof cryptoGroup.cryptoBtcUtxos>;
    /** Price bars (open, high, low, close, volume) of a pair on a large exchange, oldest first. Price: 0.00144 USD a call. */
    readonly cexKlines: Endpoint<typeof cryptoGroup.cryptoCexKlines>;
    /** Live price of a pair on a large exchange, with bid, ask and the last 24 hours: open, high, low, volume. Price: 0.00144 USD a call. */
    readonly cexTicker: Endpoint<typeof cryptoGroup.cryptoCexTicker>;
    /** Total value locked (TVL) in the DeFi protocols of one blockchain, day by day, oldest first. Price: 0.00144 USD a call. */
    readonly chainTvlHistory: Endpoint<typeof cryptoGroup.cryptoChainTvlHistory>;
    /** Full profile of a cryptocurrency: price, market cap, supply, all-time high and low, links and contracts. Price: 0.00144 USD a call. */
    readonly coin: Endpoint<typeof cryptoGroup.cryptoCoin>;
    /** Price, market cap and 24-hour volume of a cryptocurrency over time, oldest first, for up to a year. Price: 0.00144 USD a call. */
    readonly coinHistory: Endpoint<typeof cryptoGroup.cryptoCoinHistory>;
    /** A smart contract: whether its source is verified, what kind of proxy it is and for what, its functions and events. Price: 0.0018 USD a call. */
    readonly contract: Endpoint<typeof cryptoGroup.cryptoContract>;
    /** Decode the input data of an EVM transaction: the function by its selector, its parameters, and the raw words. Price: 0.001 USD a call. */
    readonly decodeCalldata: Endpoint<typeof cryptoGroup.cryptoDecodeCalldata>;
    /** DeFi protocols ranked by total value locked (TVL), over all chains or on one; or one protocol by name. Price: 0.0018 USD a call. */
    readonly defi: Endpoint<typeof cryptoGroup.cryptoDefi>;
    /** Blockchains ranked by the total value locked (TVL) in their DeFi protocols, with each one's share. Price: 0.00144 USD a call. */
    readonly defiChains: Endpoint<typeof cryptoGroup.cryptoDefiChains>;
    /** DeFi protocols and chains ranked by the fees they took, or exchanges by their trading volume. Price: 0.00144 USD a call. */
    readonly defiFees: Endpoint<typeof cryptoGroup.cryptoDefiFees>;
    /** Total value locked (TVL) in one DeFi protocol day by day, oldest first, and its chains' shares now. Price: 0.00144 USD a call. */
    readonly defiProtocolHistory: Endpoint<typeof cryptoGroup.cryptoDefiProtocolHistory>;
    /** Yield pools of DeFi with APY, its parts and trend, TVL and risk, by chain, project, symbol and minimums. Price: 0.00144 USD a call. */
    readonly defiYields: Endpoint<typeof cryptoGroup.cryptoDefiYields>;
    /** The networks whose decentralised exchanges are covered, with the ids that the other dex endpoints take. Price: 0.00144 USD a call. */
    readonly dexNetworks: Endpoint<typeof cryptoGroup.cryptoDexNetworks>;
    /** Price bars (open, high, low, close, volume) in US dollars of one pool of a decentralised exchange. Price: 0.00144 USD a call. */
    readonly dexOhlcv: Endpoint<typeof cryptoGroup.cryptoDexOhlcv>;
    /** Trending or new liquidity pools of a network's decentralised exchanges, with price, volume and trades. Price: 0.00144 USD a call. */
    readonly dexPools: Endpoint<typeof cryptoGroup.cryptoDexPools>;
    /** Search the liquidity pools of decentralised exchanges by token name, symbol, token or pool address. Price: 0.00144 USD a call. */
    readonly dexSearch: Endpoint<typeof cryptoGroup.cryptoDexSearch>;
    /** The liquidity pools that trade one token, by its contract address, the most liquid and active first. Price: 0.00144 USD a call. */
    readonly dexTokenPools: Endpoint<typeof cryptoGroup.cryptoDexTokenPools>;
    /** Resolve an ENS name to its Ethereum address or an address to its primary name, with the profile's records. Price: 0.001 USD a call. */
    readonly ensResolve: Endpoint<typeof cryptoGroup.cryptoEnsResolve>;
    /** The Crypto Fear & Greed Index: daily market sentiment from 0 (extreme fear) to 100 (extreme greed). Price: 0.0012 USD a call. */
    readonly fearGreed: Endpoint<typeof cryptoGroup.cryptoFearGreed>;
    /** Gas fees of an EVM chain now: base fee, slow, standard and fast priority fees, and what a transfer costs. Price: 0.001 USD a call. */
    readonly gasOracle: Endpoint<typeof cryptoGroup.cryptoGasOracle>;
    /** The cryptocurrency market as a whole: total market cap, 24-hour volume, changes and each coin's dominance. Price: 0.0012 USD a call. */
    readonly global: Endpoint<typeof cryptoGroup.cryptoGlobal>;
    /** The kimchi premium: by how many percent coins cost more in Korea than in the US, at the day's bank rate. Price: 0.00144 USD a call. */
    readonly kimchiPremium: Endpoint<typeof cryptoGroup.cryptoKimchiPremium>;
    /** Funding rates, open interest, prices and volume of the perpetual futures on a large on-chain venue. Price: 0.00144 USD a call. */
    readonly perpvenueFunding: Endpoint<typeof cryptoGroup.cryptoPerpvenueFunding>;
    /** The next funding rates of perpetual futures by coin, side by side on several venues, made comparable. Price: 0.00144 USD a call. */
    readonly perpvenuePredictedFunding: Endpoint<typeof cryptoGroup.cryptoPerpvenuePredictedFunding>;
  };
  readonly data: {
    /** Convert data between JSON, JSON Lines, YAML, TOML, XML, CSV, TSV and Excel; tells what was lost or changed. Price: 0.001 to 0.002 USD a call. */
    readonly convert: Endpoint<typeof dataGroup.dataConvert>;
  };
  readonly dev: {
    /** Explain a cron expression in words and list its next and previous runs in a time zone, across daylight saving changes. Price: 0.001 USD a call. */
    readonly cron: Endpoint<typeof devGroup.devCron>;
    /** Decode a JSON Web Token, and verify its signature, or decrypt it, with a JWK, a key set, PEM or a secret. Price: 0.001 USD a call. */
    readonly jwt: Endpoint<typeof devGroup.devJwt>;
    /** Check an SPDX licence expression, and whether a list of allowed licences satisfies it. Price: 0.001 USD a call. */
    readonly license: Endpoint<typeof devGroup.devLicense>;
    /** Run a regular expression over a text in linear time (RE2): matches, groups, replacement, and its risk elsewhere. Price: 0.001 USD a call. */
    readonly regexTest: Endpoint<typeof devGroup.devRegexTest>;
    /** Compare, sort, parse or increment versions, or test them against a range, by the rules of npm, Python or Maven. Price: 0.001 USD a call. */
    readonly version: Endpoint<typeof devGroup.devVersion>;
  };
  readonly doc: {
    /** A document as Markdown: Word, PowerPoint, Excel, OpenDocument, EPUB, mail, HTML, CSV or Jupyter notebook, with tables, lists and links. Price: 0.004 USD a call. */
    readonly toMarkdown: Endpoint<typeof docGroup.docToMarkdown>;
  };
  readonly domain: {
    /** Grade the mail of a domain: SPF, DMARC, DKIM, MTA-STS, TLS-RPT, BIMI and MX, as published, or as a zone would have it. Price: 0.002 USD a call. */
    readonly emailSecurity: Endpoint<typeof domainGroup.domainEmailSecurity>;
  };
  readonly edi: {
    /** Read EDIFACT or TRADACOMS into messages of JSON, or write a file with counts and trailers from such JSON. Price: 0.002 USD a call. */
    readonly edifact: Endpoint<typeof ediGroup.ediEdifact>;
    /** Read an X12 or EDIFACT file into interchanges, groups, transactions and segments, with counts and control numbers checked. Price: 0.002 USD a call. */
    readonly parse: Endpoint<typeof ediGroup.ediParse>;
  };
  readonly email: {
    /** Judge by SPF (RFC 7208) whether an address may send mail for a domain, as published, or as it would be with a zone that you give. Price: 0.001 USD a call. */
    readonly spf: Endpoint<typeof emailGroup.emailSpf>;
    /** Judge an e-mail address by the standards, and tell role, free and disposable addresses and typos of well-known domains. No mail is sent. Price: 0.001 USD a call. */
    readonly validate: Endpoint<typeof emailGroup.emailValidate>;
  };
  readonly finance: {
    /** Amortization schedule of a loan or mortgage in exact decimals: payment, interest, principal and balance of each month. Price: 0.001 USD a call. */
    readonly amortize: Endpoint<typeof financeGroup.financeAmortize>;
    /** Compute IRR or XIRR of cash flows with all roots, net present value, modified IRR and payback time. Price: 0.001 USD a call. */
    readonly irr: Endpoint<typeof financeGroup.financeIrr>;
    /** Price a European or American option with its Greeks, or find the volatility that its price implies. Price: 0.001 USD a call. */
    readonly option: Endpoint<typeof financeGroup.financeOption>;
  };
  readonly geo: {
    /** Convert coordinates between degrees, DMS, UTM, MGRS, Plus Codes, geohash and H3, whichever they are written in. Price: 0.001 USD a call. */
    readonly convert: Endpoint<typeof geoGroup.geoConvert>;
    /** Distance, bearings and midpoint between two points on the WGS 84 ellipsoid; or area, perimeter and inside of a polygon. Price: 0.001 USD a call. */
    readonly distance: Endpoint<typeof geoGroup.geoDistance>;
  };
  readonly html: {
    /** Read named values from a page of HTML by CSS selectors, and its tables as rows. Price: 0.001 USD a call. */
    readonly extract: Endpoint<typeof htmlGroup.htmlExtract>;
    /** A page of HTML, sent or by its address, as Markdown: what it shows, without hidden text, or its article alone. Price: 0.001 USD a call. */
    readonly toMarkdown: Endpoint<typeof htmlGroup.htmlToMarkdown>;
  };
  readonly image: {
    /** Compare two pictures: how many pixels differ, how alike they are in structure and to the eye, with a picture of the differences. Price: 0.002 USD a call. */
    readonly compare: Endpoint<typeof imageGroup.imageCompare>;
  };
  readonly invoice: {
    /** Read an e-invoice (UBL, CII, XRechnung, Factur-X, ZUGFeRD in a PDF) into one JSON, and compute its sums again. Price: 0.004 USD a call. */
    readonly read: Endpoint<typeof invoiceGroup.invoiceRead>;
    /** Validate an e-invoice by the official rules of EN 16931 and XRechnung: UBL, CII, Factur-X or ZUGFeRD in a PDF. Price: 0.01 to 0.1 USD a call. */
    readonly validate: Endpoint<typeof invoiceGroup.invoiceValidate>;
  };
  readonly json: {
    /** Compare two JSON documents as JSON Patch, or apply, merge and test a patch (RFC 6902 and 7396). Price: 0.001 USD a call. */
    readonly diff: Endpoint<typeof jsonGroup.jsonDiff>;
    /** Query a JSON document by JSONPath (RFC 9535), JMESPath or JSON Pointer, with the path of each result. Price: 0.001 USD a call. */
    readonly query: Endpoint<typeof jsonGroup.jsonQuery>;
    /** Repair broken JSON, such as a model's answer: quotes, commas, comments, fences, cut ends; tells every change. Price: 0.001 USD a call. */
    readonly repair: Endpoint<typeof jsonGroup.jsonRepair>;
    /** Validate JSON against a JSON Schema of draft 4, 6, 7, 2019-09 or 2020-12, with the place of every error. Price: 0.001 USD a call. */
    readonly validate: Endpoint<typeof jsonGroup.jsonValidate>;
  };
  readonly lock: {
    /** Take a lock of your wallet for some seconds, with a fencing number that only grows; told when to retry if it is held. Price: 0.002 USD a call. */
    readonly acquire: Endpoint<typeof lockGroup.lockAcquire>;
    /** Give a lock of your wallet back before its time is over. Price: 0.002 USD a call. */
    readonly release: Endpoint<typeof lockGroup.lockRelease>;
    /** Hold a lock of your wallet for longer, while it has not run out. Price: 0.002 USD a call. */
    readonly renew: Endpoint<typeof lockGroup.lockRenew>;
  };
  readonly payment: {
    /** Read and check the text of a payment QR code (Swiss QR-bill, SEPA EPC or Girocode), or write one for barcode.generate. Price: 0.001 USD a call. */
    readonly qr: Endpoint<typeof paymentGroup.paymentQr>;
  };
  readonly pdf: {
    /** The text layer of a PDF, page by page in reading order, with metadata, outline and places of words. Price: 0.001 to 0.1 USD a call. */
    readonly text: Endpoint<typeof pdfGroup.pdfText>;
    /** A page of a PDF as a picture, PNG or WebP, at 36 to 200 dots an inch. Price: 0.002 USD a call. */
    readonly toImage: Endpoint<typeof pdfGroup.pdfToImage>;
    /** A PDF as Markdown: headings, paragraphs, lists and tables in reading order, without repeated headers and footers. Price: 0.001 to 0.2 USD a call. */
    readonly toMarkdown: Endpoint<typeof pdfGroup.pdfToMarkdown>;
  };
  readonly phone: {
    /** Read a phone number as people write it: is it valid, its E.164, national and international form, country, and kind of line. Price: 0.001 USD a call. */
    readonly normalize: Endpoint<typeof phoneGroup.phoneNormalize>;
  };
  readonly product: {
    /** Read and check GS1 data of a label, such as GTIN, batch and expiry date, from brackets, a scan or a Digital Link, and write it in all three. Price: 0.001 USD a call. */
    readonly gs1: Endpoint<typeof productGroup.productGs1>;
  };
  readonly pubsub: {
    /** Make a topic that your wallet publishes to and any wallet that knows its id may subscribe to with a URL. Price: 0.002 USD a call. */
    readonly createTopic: Endpoint<typeof pubsubGroup.pubsubCreateTopic>;
    /** End a topic of your wallet with all subscriptions to it; what still waits for delivery is dropped. Price: 0.002 USD a call. */
    readonly deleteTopic: Endpoint<typeof pubsubGroup.pubsubDeleteTopic>;
    /** What became of the messages of a topic or a subscription of your wallet: one row a receiver, newest first. Price: 0.002 USD a call. */
    readonly deliveries: Endpoint<typeof pubsubGroup.pubsubDeliveries>;
    /** Send a message to all confirmed subscribers of a topic of your wallet: signed, retried, queued at once; priced by every five of them. Price: 0.002 to 0.052 USD a call. */
    readonly publish: Endpoint<typeof pubsubGroup.pubsubPublish>;
    /** Have the messages of a topic posted to a URL of yours, once it has confirmed by sending back the token it is asked with. Price: 0.002 USD a call. */
    readonly subscribe: Endpoint<typeof pubsubGroup.pubsubSubscribe>;
    /** End a subscription of your wallet to a topic; messages that still wait for its URL are dropped. Price: 0.002 USD a call. */
    readonly unsubscribe: Endpoint<typeof pubsubGroup.pubsubUnsubscribe>;
  };
  readonly queue: {
    /** Acknowledge leased messages of a queue of your wallet: they are done and never come again. Price: 0.002 USD a call. */
    readonly ack: Endpoint<typeof queueGroup.queueAck>;
    /** The messages of a queue of your wallet that were set aside after too many attempts, with their last error. Price: 0.002 USD a call. */
    readonly deadLetters: Endpoint<typeof queueGroup.queueDeadLetters>;
    /** Put one message, or up to ten, into a queue of your wallet, with a delay and a key against doubles. Price: 0.002 USD a call. */
    readonly enqueue: Endpoint<typeof queueGroup.queueEnqueue>;
    /** Keep a leased message of a queue of your wallet for longer, up to twelve hours in all. Price: 0.002 USD a call. */
    readonly extend: Endpoint<typeof queueGroup.queueExtend>;
    /** Take messages from a queue of your wallet for some seconds; those not acknowledged by then come again. Price: 0.002 USD a call. */
    readonly lease: Endpoint<typeof queueGroup.queueLease>;
    /** Give leased messages of a queue of your wallet back, at once or later; those out of attempts are set aside. Price: 0.002 USD a call. */
    readonly nack: Endpoint<typeof queueGroup.queueNack>;
    /** Send messages of a queue of your wallet that were set aside again, their attempts starting over. Price: 0.002 USD a call. */
    readonly redrive: Endpoint<typeof queueGroup.queueRedrive>;
    /** How many messages of a queue of your wallet are ready, delayed, leased or set aside, and how old the oldest is. Price: 0.002 USD a call. */
    readonly stats: Endpoint<typeof queueGroup.queueStats>;
  };
  readonly schedule: {
    /** End a schedule of your wallet; what still waits for delivery is dropped, and nothing is paid back. Price: 0.002 USD a call. */
    readonly cancel: Endpoint<typeof scheduleGroup.scheduleCancel>;
    /** Have a URL of yours called at a time, every so many seconds, or by cron in a time zone: signed, retried, with a payload of yours. Price: 0.05 USD a call. */
    readonly create: Endpoint<typeof scheduleGroup.scheduleCreate>;
    /** List the schedules of your wallet, those of the last 30 days included, page by page. Price: 0.002 USD a call. */
    readonly list: Endpoint<typeof scheduleGroup.scheduleList>;
    /** How a schedule of your wallet is doing: when it calls next, its latest deliveries, and what did not arrive. Price: 0.002 USD a call. */
    readonly status: Endpoint<typeof scheduleGroup.scheduleStatus>;
  };
  readonly security: {
    /** Score a CVSS vector of version 2.0, 3.0, 3.1 or 4.0, and say what each of its metrics means. Price: 0.001 USD a call. */
    readonly cvss: Endpoint<typeof securityGroup.securityCvss>;
  };
  readonly store: {
    /** Delete a file that your wallet keeps; deleting a missing one succeeds. Price: 0.002 USD a call. */
    readonly blobDelete: Endpoint<typeof storeGroup.storeBlobDelete>;
    /** Read the bytes of a file that your wallet keeps under a key; reading it prolongs its life. Price: 0.01 USD a call. */
    readonly blobGet: Endpoint<typeof storeGroup.storeBlobGet>;
    /** List the files of a namespace of your wallet by prefix, page by page, with sizes, types and digests. Price: 0.002 USD a call. */
    readonly blobList: Endpoint<typeof storeGroup.storeBlobList>;
    /** Keep a file of up to 3 MB under a key that only your wallet can read. Price: 0.01 USD a call. */
    readonly blobPut: Endpoint<typeof storeGroup.storeBlobPut>;
    /** Delete a document that your wallet keeps; deleting a missing one succeeds. Price: 0.002 USD a call. */
    readonly docDelete: Endpoint<typeof storeGroup.storeDocDelete>;
    /** Read a document that your wallet keeps, with its meta data; reading it prolongs its life. Price: 0.002 USD a call. */
    readonly docGet: Endpoint<typeof storeGroup.storeDocGet>;
    /** Change members of a document that your wallet keeps, by JSON Merge Patch: null removes, the rest is merged. Price: 0.002 USD a call. */
    readonly docPatch: Endpoint<typeof storeGroup.storeDocPatch>;
    /** Keep a document, a text or a JSON object with meta data, that your wallet can query and search. Price: 0.002 USD a call. */
    readonly docPut: Endpoint<typeof storeGroup.storeDocPut>;
    /** Find documents of your wallet by conditions on their JSON, sorted and page by page. Price: 0.002 USD a call. */
    readonly docQuery: Endpoint<typeof storeGroup.storeDocQuery>;
    /** Search the documents of your wallet by words, phrases and prefixes, best first. Price: 0.002 USD a call. */
    readonly docSearch: Endpoint<typeof storeGroup.storeDocSearch>;
    /** Erase everything that your wallet keeps here, or one namespace of it; nothing of it can be brought back. Price: 0.001 USD a call. */
    readonly erase: Endpoint<typeof storeGroup.storeErase>;
    /** Take out everything that your wallet keeps here, page by page: values, documents, vectors, files, queues and more. Price: 0.01 USD a call. */
    readonly export: Endpoint<typeof storeGroup.storeExport>;
    /** Delete what your wallet keeps under a key; deleting a missing key succeeds. Price: 0.002 USD a call. */
    readonly kvDelete: Endpoint<typeof storeGroup.storeKvDelete>;
    /** Read the JSON value that your wallet keeps under a key; reading it prolongs its life. Price: 0.002 USD a call. */
    readonly kvGet: Endpoint<typeof storeGroup.storeKvGet>;
    /** Add to a whole number that your wallet keeps under a key, within bounds if you like; it starts at 0. Price: 0.002 USD a call. */
    readonly kvIncrement: Endpoint<typeof storeGroup.storeKvIncrement>;
    /** Keep a JSON value under a key that only your wallet can read, with compare-and-set and a time to live. Price: 0.002 USD a call. */
    readonly kvPut: Endpoint<typeof storeGroup.storeKvPut>;
    /** List the keys of a namespace of your wallet in byte order, by prefix and page by page, with values on request. Price: 0.002 USD a call. */
    readonly kvScan: Endpoint<typeof storeGroup.storeKvScan>;
    /** How much your wallet keeps here, kind by kind, and how much room it has. Price: 0.002 USD a call. */
    readonly usage: Endpoint<typeof storeGroup.storeUsage>;
    /** Delete a vector that your wallet keeps; deleting a missing one succeeds. Price: 0.002 USD a call. */
    readonly vectorDelete: Endpoint<typeof storeGroup.storeVectorDelete>;
    /** Find the vectors of your wallet that are nearest to one, exactly, by cosine, dot product or distance. Price: 0.01 USD a call. */
    readonly vectorQuery: Endpoint<typeof storeGroup.storeVectorQuery>;
    /** Keep a vector with a body and meta data, to be found by its nearness to others; an id that is there is replaced. Price: 0.005 USD a call. */
    readonly vectorUpsert: Endpoint<typeof storeGroup.storeVectorUpsert>;
  };
  readonly text: {
    /** Cut a text into chunks for retrieval: by characters, sentences, paragraphs or Markdown headings, with overlap. Price: 0.001 USD a call. */
    readonly chunk: Endpoint<typeof textGroup.textChunk>;
    /** Compare two texts by lines, words or characters, with a unified diff, or apply a patch to a text. Price: 0.001 USD a call. */
    readonly diff: Endpoint<typeof textGroup.textDiff>;
    /** Remove card numbers, IBANs, e-mail addresses, phones, keys and other data of fixed format from a text, without a model. Price: 0.001 USD a call. */
    readonly redact: Endpoint<typeof textGroup.textRedact>;
    /** Compare two texts by edit distance, Jaro-Winkler, shared words, or by how they sound. Price: 0.001 USD a call. */
    readonly similarity: Endpoint<typeof textGroup.textSimilarity>;
  };
  readonly time: {
    /** Convert a time between time zones: offset, abbreviation, gap or doubled hour of daylight saving, ISO week, next clock change. Price: 0.001 USD a call. */
    readonly convert: Endpoint<typeof timeGroup.timeConvert>;
    /** Find dates, times, ranges, durations and repetitions in English text, and resolve them against a reference time. Price: 0.001 USD a call. */
    readonly parse: Endpoint<typeof timeGroup.timeParse>;
  };
  readonly tld: {
    /** Split a domain by the Public Suffix List: suffix, registrable domain, subdomain, and both forms of an international name. Price: 0.001 USD a call. */
    readonly info: Endpoint<typeof tldGroup.tldInfo>;
  };
  readonly url: {
    /** Read a feed: RSS in all versions, RDF, Atom, CDF or JSON Feed, with times in UTC and HTML cleaned. Price: 0.001 USD a call. */
    readonly feed: Endpoint<typeof urlGroup.urlFeed>;
    /** Whether a crawler may fetch an address by robots.txt (RFC 9309), and the line and group that decide. Price: 0.001 USD a call. */
    readonly robots: Endpoint<typeof urlGroup.urlRobots>;
  };
  readonly validate: {
    /** Check up to a hundred numbers of any kinds in one call: e-mail addresses, phones, IBANs, tax numbers and identifiers of a form. Price: 0.002 USD a call. */
    readonly batch: Endpoint<typeof validateGroup.validateBatch>;
    /** Check an IBAN by the registry of formats and its check digits, and take it apart: country, bank, branch, account, SEPA. Price: 0.001 USD a call. */
    readonly iban: Endpoint<typeof validateGroup.validateIban>;
    /** Check an identifier by its form and check digit: BIC, LEI, ISIN, GTIN, ISBN, VIN, IMEI, DOI, ORCID and others, without asking a register. Price: 0.001 USD a call. */
    readonly identifier: Endpoint<typeof validateGroup.validateIdentifier>;
    /** Check a VAT, company or personal tax number of some eighty countries by its form and check digit, and tell what kind it is. Price: 0.0015 USD a call. */
    readonly taxId: Endpoint<typeof validateGroup.validateTaxId>;
  };
  readonly watchers: {
    /** Watch the answer of an endpoint of this service, and have a URL of yours called when it changes, crosses a threshold or has new rows. Price: 0.05 to 50 USD a call. */
    readonly arm: Endpoint<typeof watchersGroup.watchersArm>;
    /** End a watcher of your wallet; what still waits for delivery is dropped, and nothing is paid back. Price: 0.001 USD a call. */
    readonly cancel: Endpoint<typeof watchersGroup.watchersCancel>;
    /** List the watchers of your wallet, those that ended in the last 30 days included, page by page. Price: 0.001 USD a call. */
    readonly list: Endpoint<typeof watchersGroup.watchersList>;
    /** How a watcher of your wallet is doing: what it saw last, when it looks next, and what did not arrive. Price: 0.001 USD a call. */
    readonly status: Endpoint<typeof watchersGroup.watchersStatus>;
  };
  readonly webhooks: {
    /** Send one message of a schedule, watcher or subscription of yours once more, arrived or not, under the same id. Price: 0.002 USD a call. */
    readonly redeliver: Endpoint<typeof webhooksGroup.webhooksRedeliver>;
    /** A new signing secret for the calls of a schedule, watcher or subscription of yours; the former one signs beside it for a day. Price: 0.002 USD a call. */
    readonly rotate: Endpoint<typeof webhooksGroup.webhooksRotate>;
  };
}
