/** True answers of rare kinds: old forms, and records that lack what most have. A renamed key beside them is refused. */
import { describe, expect, test } from "vitest";
import { aviationMetar } from "../../src/capabilities/aviation/metar.js";
import { aviationSigmet } from "../../src/capabilities/aviation/sigmet.js";
import { bioSpecies } from "../../src/capabilities/bio/species.js";
import { businessBrCnpj } from "../../src/capabilities/business/br-cnpj.js";
import { businessUkCompanies } from "../../src/capabilities/business/uk-companies.js";
import { cryptoAddressHistory } from "../../src/capabilities/crypto/address-history.js";
import { cryptoDexPools } from "../../src/capabilities/crypto/dex/dex-pools.js";
import { createContext } from "../../src/capability/context.js";
import { findPapers } from "../../src/providers/arxiv/papers.js";
import { internationalSigmets } from "../../src/providers/aviation-weather/international-sigmets.js";
import { readSmartContract } from "../../src/providers/blockscout/contracts.js";
import { blockscout } from "../../src/providers/blockscout/provider.js";
import { readChainHistory, readChains } from "../../src/providers/defillama/chains.js";
import { readProtocols } from "../../src/providers/defillama/protocols.js";
import { RISKS, readAddressReport } from "../../src/providers/goplus/address.js";
import { findGene } from "../../src/providers/mygene/gene.js";
import { fakeClock } from "../support/clock.js";
import { includedOf, poolRow } from "../support/dex.js";
import { fakeUpstream } from "../support/upstream.js";

const answering = (body: unknown, secrets: Record<string, string> = {}) => ({
  fetch: fakeUpstream([{ url: "", body }]).fetch,
  cache: false as const,
  secrets,
});
const contextOf = (body: unknown) => createContext(answering(body), { timeoutMs: 20_000 });
const without = (record: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
const VITALIK = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const refused = expect.objectContaining({ code: "UPSTREAM_SCHEMA" });

test("an arXiv feed that declares its namespaces where it uses them", async () => {
  const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">1</opensearch:totalResults>
    <entry><id>http://arxiv.org/abs/2101.00001v1</id><title>Mills</title><summary>Of wind.</summary><published>2021-01-01T00:00:00Z</published></entry></feed>`;
  const papers = await findPapers("mills", { since: "2021-01-01", until: "2021-12-31" }, contextOf(feed));
  expect(papers).toMatchObject([{ title: "Mills", date: "2021-01-01" }]);
});

describe("a list of which one record has no name", () => {
  const CHAIN = { name: "Base", tvl: 1, tokenSymbol: "ETH", gecko_id: null, cmcId: null, chainId: 8453 };
  const PROTOCOL = {
    name: "Aave",
    symbol: "AAVE",
    category: "Lending",
    chains: ["Base"],
    tvl: 1,
    chainTvls: {},
    change_1d: 0,
    change_7d: 0,
  };
  const nameless = (record: object) => [{ ...record, name: null }, without(record, "name"), { ...record, name: " " }];

  test("is answered without it: DefiLlama's chains, protocols and history", async () => {
    const chains = [CHAIN, { ...CHAIN, name: "Ethereum" }];
    for (const odd of nameless(CHAIN))
      await expect(readChains(contextOf([odd, ...chains]))).resolves.toMatchObject([
        { name: "Base" },
        { name: "Ethereum" },
      ]);
    for (const odd of nameless(PROTOCOL))
      await expect(readProtocols(contextOf([odd, PROTOCOL, PROTOCOL]))).resolves.toHaveLength(2);
    const days = [
      { date: 1_700_000_000, tvl: 1 },
      { date: 1_700_086_400, tvl: null },
      { date: 1_700_172_800, tvl: 2 },
    ];
    await expect(readChainHistory(contextOf(days), "Base")).resolves.toMatchObject([{ tvl: 1 }, { tvl: 2 }]);
  });

  test("is answered without it: a SIGMET of no hazard takes no other with it", async () => {
    const row = {
      icaoId: "WAAA",
      receiptTime: "2026-09-27T13:20:28.928Z",
      validTimeFrom: 1_790_515_200,
      validTimeTo: 1_790_536_800,
      seriesId: "11",
      hazard: "VA",
      qualifier: "",
      base: 0,
      top: 7000,
      coords: [],
      dir: "-",
      spd: "0",
      rawSigmet: "WAAF SIGMET 11",
    };
    const list = [row, { ...row, hazard: null }, { ...row, coords: null, hazard: "TC" }];
    await expect(internationalSigmets(contextOf(list))).resolves.toMatchObject([{ code: "VA" }, { code: "TC" }]);
    await expect(internationalSigmets(contextOf([{ ...row, hazard: null }]))).rejects.toEqual(refused);
  });

  test("is refused if all or most lack it, for then it was renamed", async () => {
    const [odd] = nameless(CHAIN);
    await expect(readChains(contextOf([odd]))).rejects.toEqual(refused);
    await expect(readChains(contextOf([odd, odd, CHAIN]))).rejects.toEqual(refused);
    await expect(readChains(contextOf([CHAIN, without(CHAIN, "name"), odd]))).rejects.toEqual(refused);
  });

  test("is answered without it: GBIF's common names", async () => {
    const taxon = {
      usageKey: 1,
      scientificName: "Passer domesticus",
      canonicalName: "Passer domesticus",
      rank: "SPECIES",
      status: "ACCEPTED",
      matchType: "EXACT",
      kingdom: "Animalia",
    };
    const names = [
      { vernacularName: "House Sparrow", language: "eng" },
      { vernacularName: null, language: "eng" },
      { vernacularName: "Haussperling", language: "deu" },
    ];
    const { fetch } = fakeUpstream([
      { url: "/species/match", body: taxon },
      { url: "/vernacularNames", body: { results: names } },
      { url: "/occurrence", body: { count: 3 } },
    ]);
    const { items, meta } = await bioSpecies({ name: "Passer domesticus" }, { fetch, cache: false });
    expect(items[0]?.commonNames).toEqual(["House Sparrow"]);
    expect(meta).not.toHaveProperty("failed");
  });
});

test("a gene of MyGene.info without a symbol has null for it", async () => {
  const hit = { _id: "ENSG00000230000", name: "novel transcript", type_of_gene: "ncRNA", taxid: 9606 };
  await expect(
    findGene({ field: "alias", name: "LOC1", taxId: 9606 }, contextOf({ hits: [hit] })),
  ).resolves.toMatchObject({
    symbol: null,
    name: "novel transcript",
  });
});

test("a transaction of an explorer without a price of gas has null for it, and for the fee", async () => {
  const row = {
    hash: "0xab",
    blockNumber: "1",
    timeStamp: "1700000000",
    nonce: "0",
    from: VITALIK,
    to: "",
    contractAddress: "",
    value: "0",
    gas: "21000",
    gasUsed: "21000",
    isError: "0",
    txreceipt_status: "1",
    input: "0x",
    confirmations: "1",
  };
  const { items } = await cryptoAddressHistory(
    { address: VITALIK },
    answering({ status: "1", result: [row, { ...row, gasPrice: "7" }] }),
  );
  expect(items).toMatchObject([
    { gasPriceWei: null, feeWei: null },
    { gasPriceWei: "7", feeWei: "147000" },
  ]);
});

describe("a contract on Blockscout", () => {
  const NEW = { proxy_type: null, implementations: [], conflicting_implementations: null, creation_bytecode: null };

  test("that nobody verified, in the newer form", async () => {
    const body = { ...NEW, creation_status: "success", deployed_bytecode: "0x60" };
    await expect(readSmartContract(contextOf(body), blockscout, "0x1")).resolves.toMatchObject({
      is_verified: null,
      abi: [],
    });
  });

  test("is none without its code", async () => {
    await expect(readSmartContract(contextOf({ message: "hello" }), blockscout, "0x1")).rejects.toEqual(refused);
  });
});

describe("GoPlus's report", () => {
  const FLAGS = Object.fromEntries(RISKS.map((risk) => [risk, "0"]));
  const ask = (result: object) =>
    readAddressReport(contextOf({ code: 1, message: "ok", result }), { chainId: "1", address: "0x1" });

  test("of the time before two flags says nothing of them", async () => {
    await expect(ask(without(FLAGS, "reinit", "gas_abuse"))).resolves.toMatchObject({ reinit: null, mixer: false });
  });

  test("with a flag under a new name is refused", async () => {
    await expect(ask({ ...without(FLAGS, "mixer"), mixer_usage: "1" })).rejects.toEqual(refused);
  });
});

test("a legal entity in BrasilAPI's older form", async () => {
  const body = {
    ...{ cnpj: "33683111000280", razao_social: "MOINHO SA", situacao_cadastral: 2, descricao_matriz_filial: "Filial" },
    ...{ descricao_tipo_logradouro: "RUA", logradouro: "DAS FLORES", numero: 12, cep: 1311902, uf: "SP", porte: "05" },
    ...{ codigo_natureza_juridica: 2054, cnae_fiscal: 600001, cnaes_secundarios: [], codigo_municipio: 7107 },
    qsa: [{ identificador_de_socio: 1, nome_socio: "MILL LTDA", cnpj_cpf_do_socio: "1", percentual_capital_social: 0 }],
  };
  const { fetch } = fakeUpstream([
    { url: "minhareceita.org", status: 503 },
    { url: "brasilapi.com.br", body },
  ]);
  const { items } = await businessBrCnpj({ cnpj: "33683111000280" }, { fetch, cache: false, secrets: {} });
  expect(items).toMatchObject([
    { legalName: "MOINHO SA", address: { street: "RUA DAS FLORES", postalCode: "01311902" }, openedDate: null },
  ]);
});

describe("a company at Companies House", () => {
  const key = { COMPANIES_HOUSE_API_KEY: "canary" };

  test("with a former name that is not told", async () => {
    const body = {
      ...{ company_name: "MILL PLC", company_number: "00445790", type: "plc", company_status: "active" },
      previous_company_names: [{ ceased_on: "1981-12-14" }, { name: "MILL LTD", ceased_on: "1990-01-01" }],
    };
    const { items } = await businessUkCompanies({ companyNumber: "445790" }, answering(body, key));
    expect(items).toMatchObject([{ previousNames: [{ name: "MILL LTD", from: null, to: "1990-01-01" }] }]);
  });

  test("in a search that does not tell how many match", async () => {
    const row = { title: "MILL PLC", company_number: "00445790", company_type: "plc", company_status: "active" };
    const found = await businessUkCompanies({ query: "mill" }, answering({ items: [row] }, key));
    expect(found).toMatchObject({ items: [{ name: "MILL PLC" }], total: null });
  });
});

test("a pool of a token whose symbol is empty", async () => {
  const included = includedOf("eth").map((one) =>
    one.type === "token" ? { ...one, attributes: { ...one.attributes, symbol: "" } } : one,
  );
  const { items } = await cryptoDexPools({ network: "eth" }, answering({ data: [poolRow("eth", "0x1")], included }));
  expect(items).toMatchObject([{ baseToken: { symbol: null } }]);
});

describe("a name in GBIF", () => {
  const TAXON = {
    ...{ usageKey: 1, scientificName: "Aus bus Smith, 1900", canonicalName: "Aus bus", rank: "SPECIES" },
    ...{ status: "DOUBTFUL", matchType: "EXACT", kingdom: "Animalia", confidence: 97, synonym: false },
  };
  const ask = (match: object) => {
    const { fetch } = fakeUpstream([
      { url: "/species/match", body: match },
      { url: "/vernacularNames", body: { results: [] } },
      { url: "/occurrence/search", body: { offset: 0, limit: 0, count: 0 } },
    ]);
    return bioSpecies({ name: "Aus bus" }, { fetch, cache: false });
  };

  test("of doubtful place, which has no rank below its kingdom", async () => {
    expect((await ask(TAXON)).items).toMatchObject([
      { canonicalName: "Aus bus", classification: { kingdom: "Animalia", species: null } },
    ]);
  });

  test("with a new name for its species is refused", async () => {
    await expect(ask({ ...TAXON, speciesName: "Aus bus" })).rejects.toEqual(refused);
  });
});

describe("a weather report", () => {
  const METAR = { icaoId: "KEWR", obsTime: 1774673460, rawOb: "METAR KEWR 280451Z", metarType: "METAR", temp: 5 };
  const ask = (row: object) => aviationMetar({ ids: "KEWR" }, { ...answering([row]), clock: fakeClock() });

  test("of a station that measures little", async () => {
    expect((await ask(METAR)).items).toMatchObject([{ temperatureC: 5, windSpeedKt: null }]);
  });

  test("with a new name for its temperature is refused", async () => {
    await expect(ask({ ...without(METAR, "temp"), temperature: 5 })).rejects.toEqual(refused);
  });

  test("from outside the US without its area", async () => {
    const at = "2026-03-29T02:00:00Z";
    const [from, to] = [-1, 1].map((hours) => Date.parse(at) / 1000 + hours * 3600);
    const ash = { hazard: "VA", rawSigmet: "WVID21 WAAF", icaoId: "WAAF", validTimeFrom: from, validTimeTo: to };
    const { fetch } = fakeUpstream([
      { url: "/isigmet", body: [ash] },
      { url: "", body: "" },
    ]);
    const { items } = await aviationSigmet(
      { hazard: "ASH" },
      { fetch, cache: false, secrets: {}, clock: fakeClock(at) },
    );
    expect(items).toMatchObject([{ id: null, office: "WAAF", area: [] }]);
  });
});
