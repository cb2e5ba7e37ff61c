import { describe, expect, test } from "vitest";
import { businessBrCnpj } from "../../../src/capabilities/business/br-cnpj.js";
import { businessFiCompanies } from "../../../src/capabilities/business/fi-companies.js";
import { businessFrCompanies } from "../../../src/capabilities/business/fr-companies.js";
import { businessNoCompanies } from "../../../src/capabilities/business/no-companies.js";
import { businessPlKrs } from "../../../src/capabilities/business/pl-krs.js";
import { emptyBut } from "../../support/empty-but.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const options = (...exchanges: Exchange[]) => {
  const { fetch, seen } = fakeUpstream(exchanges);
  return { fetch, seen, cache: false as const, secrets: {} };
};

/** What the registers never leave out. */
const BRAZIL = [
  "nome_fantasia situacao_cadastral descricao_situacao_cadastral data_situacao_cadastral",
  "descricao_motivo_situacao_cadastral identificador_matriz_filial data_inicio_atividade",
  "natureza_juridica codigo_porte porte capital_social cnae_fiscal_descricao cnaes_secundarios",
  "descricao_tipo_de_logradouro numero complemento bairro municipio codigo_municipio_ibge pais",
  "ddd_telefone_2 ddd_fax opcao_pelo_simples data_opcao_pelo_simples data_exclusao_do_simples",
  "opcao_pelo_mei data_opcao_pelo_mei data_exclusao_do_mei",
].join(" ");
const PARTNER = [
  "qualificacao_socio data_entrada_sociedade faixa_etaria pais nome_representante_legal",
  "qualificacao_representante_legal",
].join(" ");
const FRANCE = [
  "nom_complet nom_raison_sociale sigle nombre_etablissements nombre_etablissements_ouverts",
  "activite_principale section_activite_principale categorie_entreprise date_creation",
  "date_fermeture dirigeants etat_administratif nature_juridique tranche_effectif_salarie",
  "matching_etablissements finances",
].join(" ");
const FINLAND = ["tradeRegisterStatus registrationDate lastModified"].join(" ");

describe("business.br-cnpj", () => {
  const COMPANY = emptyBut(BRAZIL, {
    cnpj: "33683111000280",
    razao_social: "MARIA DA SILVA 12345678909",
    codigo_natureza_juridica: 2135,
    cnae_fiscal: 600001,
    email: "maria@example.com",
    ddd_telefone_1: "1123851939",
    logradouro: "DAS FLORES",
    cep: "01311902",
    uf: "SP",
    qsa: [emptyBut(PARTNER, { nome_socio: "MARIA", cnpj_cpf_do_socio: "***345678**", identificador_de_socio: 2 })],
  });
  test("pads codes, and passes on no numbers, mail or home of a person", async () => {
    const found = options({ url: "minhareceita.org/33683111000280", body: COMPANY });
    const { items } = await businessBrCnpj({ cnpj: "33.683.111/0002-80" }, found);
    expect(items[0]).toMatchObject({
      cnpjFormatted: "33.683.111/0002-80",
      legalName: "MARIA DA SILVA",
      mainActivity: { code: "0600001" },
      email: null,
      phones: [],
      address: { street: null, postalCode: null, state: "SP" },
      partners: [{ name: "MARIA", type: "person", document: null }],
    });
  });
  test("another address stands in for one that is down; a 404 is final", async () => {
    const down = options({ url: "minhareceita", status: 503 }, { url: "brasilapi", body: COMPANY });
    const { source } = await businessBrCnpj({ cnpj: "33683111000280" }, down);
    expect(source.provider).toMatch(/BrasilAPI/);
    const none = options({ url: "minhareceita", status: 404 });
    await expect(businessBrCnpj({ cnpj: "33683111000280" }, none)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(none.seen).toHaveLength(1);
  });
});

test("business.fi-companies: current names, English words, and a business ID that is checked", async () => {
  const company = emptyBut(FINLAND, {
    businessId: { value: "0112038-9" },
    names: [
      { name: "Mill Oyj", type: "1", registrationDate: "1997-09-01" },
      { name: "Oy Mill Ab", type: "1", registrationDate: "1966-06-10", endDate: "1997-08-31" },
    ],
    companyForms: [
      {
        type: "17",
        registrationDate: null,
        descriptions: [{ languageCode: "3", description: "Public limited company" }],
      },
    ],
    addresses: [
      { type: 2, postCode: null, postOffices: [{ city: "HELSINKI", languageCode: "1" }], postOfficeBox: "1" },
    ],
    tradeRegisterStatus: "1",
    status: "2",
  });
  const found = options({ url: "businessId=0112038-9", body: { totalResults: 1, companies: [company] } });
  const { items } = await businessFiCompanies({ name: "0112038-9" }, found);
  expect(items[0]).toMatchObject({
    name: "Mill Oyj",
    active: true,
    previousNames: [{ name: "Oy Mill Ab", from: "1966-06-10", to: "1997-08-31" }],
    companyForm: { code: "17", name: "Public limited company" },
    visitingAddress: null,
    postalAddress: { city: "HELSINKI", postOfficeBox: "1" },
  });
  await expect(businessFiCompanies({ name: "0112038-8" }, options())).rejects.toMatchObject({ code: "INVALID_INPUT" });
});

test("business.fr-companies: numbers lose their blanks, persons their birthdays, and a capped total is none", async () => {
  const company = emptyBut(FRANCE, {
    siren: "356000000",
    nom_complet: "MILL",
    siege: {},
    etat_administratif: "A",
    tranche_effectif_salarie: "53",
    finances: { "2021": { ca: 1, resultat_net: null }, "2022": { ca: 2, resultat_net: -1 } },
    dirigeants: [
      {
        ...{ type_dirigeant: "personne physique", nom: "ROE", prenoms: "JANE", qualite: null },
        ...{ annee_de_naissance: "1965", date_de_naissance: "1965-10" },
      },
    ],
  });
  const found = options({ url: "/search", body: { results: [company], total_results: 10_000 } });
  const { items, total, meta } = await businessFrCompanies({ q: "356 000 000" }, found);
  expect(found.seen[0]?.url.searchParams.get("q")).toBe("356000000");
  expect(items[0]).toMatchObject({
    status: "active",
    employeeRange: "10000+",
    finances: [{ year: 2022, revenue: 2, netIncome: -1 }, { year: 2021 }],
  });
  expect(JSON.stringify(items)).not.toContain("1965-10");
  expect(total).toBeNull();
  expect(meta).toMatchObject({ searchedBy: "siren", checkDigitsValid: true, totalCapped: true });
});

test("business.fr-companies: a wrong check digit is told, since the register has such numbers; another length is refused", async () => {
  const body = { results: [], total_results: 0 };
  for (const q of ["123456789", "123 456 789 00003"]) {
    const { meta } = await businessFrCompanies({ q }, options({ url: "/search", body }));
    expect(meta).toMatchObject({ checkDigitsValid: false });
  }
  // One of La Poste's offices, whose numbers follow a rule of their own.
  const { meta } = await businessFrCompanies({ q: "35600000049837" }, options({ url: "/search", body }));
  expect(meta).toMatchObject({ searchedBy: "siret", checkDigitsValid: true });
  for (const q of ["1234567890", "12 345 678 901 23", "123456789012345"])
    await expect(businessFrCompanies({ q }, options())).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await expect(businessFrCompanies({ q: "118218" }, options({ url: "/search", body }))).resolves.toBeDefined();
});

/** What Norway's register says of every entity that is not deleted. */
const LIVING = emptyBut(
  [
    "registreringsdatoEnhetsregisteret underAvvikling underTvangsavviklingEllerTvangsopplosning",
    "registrertIMvaregisteret registrertIForetaksregisteret registrertIFrivillighetsregisteret",
  ].join(" "),
  { konkurs: false },
);

test("business.no-companies: a number is looked up, nobody is an empty list, a wrong digit is refused", async () => {
  const entity = {
    organisasjonsnummer: "923609016",
    navn: "MILL ASA",
    organisasjonsform: null,
    ...LIVING,
    konkurs: true,
    naeringskode1: { kode: "06.100", beskrivelse: null },
  };
  const found = options({ url: "/enheter/923609016", body: entity });
  const { items } = await businessNoCompanies({ name: "923 609 016" }, found);
  expect(items[0]).toMatchObject({ status: "bankrupt", industry: { code: "06.100" }, secondaryIndustries: [] });
  const none = options({ url: "/enheter?", body: { page: { totalElements: 0 } } });
  await expect(businessNoCompanies({ name: "nobody" }, none)).resolves.toMatchObject({ items: [], total: 0 });
  await expect(businessNoCompanies({ name: "123456789" }, options())).rejects.toMatchObject({ code: "INVALID_INPUT" });
});

describe("of a business that is one person the town is told, and not the door", () => {
  const hidden = /Home Street|1234|99999|@/;

  test("Norway: a sole proprietorship", async () => {
    const home = emptyBut("land kommune kommunenummer", {
      ...{ adresse: ["Home Street 1"], postnummer: "1234", poststed: "OSLO", landkode: "NO" },
    });
    const contact = { epostadresse: "ann@example.org", telefon: "99999999", mobil: "99999999" };
    const entity = { navn: "ANN ROE", forretningsadresse: home, postadresse: home, ...contact };
    const of = async (kode: string) => {
      const body = { ...entity, organisasjonsnummer: "923609016", organisasjonsform: { kode, beskrivelse: null } };
      const { items } = await businessNoCompanies({ name: "923609016" }, options({ url: "/enheter/", body }));
      return items[0];
    };
    const person = await of("ENK");
    expect(person).toMatchObject({ businessAddress: { lines: [], postalCode: null, city: "OSLO", countryCode: "NO" } });
    expect(JSON.stringify(person)).not.toMatch(hidden);
    await expect(of("AS")).resolves.toMatchObject({ businessAddress: { lines: ["Home Street 1"] }, phone: "99999999" });
  });

  test("France: an individual entrepreneur, at each establishment", async () => {
    const siege = emptyBut("siret departement region longitude", {
      adresse: "1 Home Street 12345 LYON",
      code_postal: "12345",
      libelle_commune: "LYON",
      latitude: "45.1",
    });
    const place = emptyBut("etat_administratif est_siege", { siret: "73282932000074", adresse: "2 Home Street" });
    const of = async (nature_juridique: string) => {
      const company = emptyBut(FRANCE, {
        ...{ siren: "732829320", nature_juridique, siege, matching_etablissements: [place] },
      });
      const found = options({ url: "/search", body: { results: [company], total_results: 1 } });
      return (await businessFrCompanies({ q: "ann roe" }, found)).items[0];
    };
    const person = await of("1000");
    expect(person).toMatchObject({ headquarters: { address: null, city: "LYON", latitude: null } });
    expect(JSON.stringify(person)).not.toMatch(hidden);
    await expect(of("5710")).resolves.toMatchObject({ headquarters: { postalCode: "12345", latitude: 45.1 } });
  });

  test("Finland: a private trader", async () => {
    const address = {
      type: 1,
      street: "Home Street",
      postCode: "12345",
      postOffices: [{ city: "TURKU", languageCode: "1" }],
    };
    const of = async (description: string) => {
      const companyForms = [{ type: "26", registrationDate: null, descriptions: [{ languageCode: "3", description }] }];
      const businessId = { value: "0112038-9" };
      const company = emptyBut(FINLAND, { businessId, names: [], companyForms, addresses: [address] });
      const found = options({ url: "businessId=", body: { totalResults: 1, companies: [company] } });
      return (await businessFiCompanies({ name: "0112038-9" }, found)).items[0]?.visitingAddress;
    };
    await expect(of("Private trader")).resolves.toMatchObject({ street: null, postalCode: null, city: "TURKU" });
    await expect(of("Limited company")).resolves.toMatchObject({ street: "Home Street" });
  });
});

test("business.no-companies: a secondary industry is not sold as the main one; a limited company has an address", async () => {
  const entity = {
    ...{ organisasjonsnummer: "923609016", navn: "MILL ASA", ...LIVING },
    organisasjonsform: { kode: "ASA", beskrivelse: null },
    naeringskode2: { kode: "06.100", beskrivelse: null },
  };
  const of = (fields: object) =>
    businessNoCompanies({ name: "923609016" }, options({ url: "/enheter/", body: { ...entity, ...fields } }));
  await expect(of({ forretningsadr: null })).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  const { items, meta } = await of({ konkurs: true });
  expect(items[0]).toMatchObject({ industry: null, secondaryIndustries: [{ code: "06.100" }] });
  expect(meta).toEqual({ unavailable: ["industry", "addresses"] });
});

test("business.pl-krs: an association that a ministry kept under no number before", async () => {
  const of = (previous: object) => {
    const danePodmiotu = { nazwa: "CARITAS", formaPrawna: null, daneOWczesniejszejRejestracji: previous };
    const odpis = { naglowekA: { numerKRS: "0000198645" }, dane: { dzial1: { danePodmiotu } } };
    return businessPlKrs({ krs: "0000198645", register: "S" }, options({ url: "/OdpisAktualny/", body: { odpis } }));
  };
  expect((await of({ sadProwadzacyRejestr: "MINISTER" })).items[0]?.previousRegister).toEqual({
    ...{ name: null, number: null, authority: "MINISTER" },
  });
  expect((await of({})).items[0]?.previousRegister).toBeNull();
  await expect(of({ nazwaRejestruPoprzedniego: "A", nazwaPoprzedniegoRejestruSadu: "B" })).rejects.toMatchObject({
    code: "UPSTREAM_SCHEMA",
  });
});

test("business.pl-krs: days, decimals and numbers in their common form; another entity's extract is refused", async () => {
  const odpis = {
    naglowekA: emptyBut("rejestr dataRejestracjiWKRS numerOstatniegoWpisu dataOstatniegoWpisu", {
      ...{ numerKRS: "0001268296", stanZDnia: "23.09.2026 R." },
    }),
    dane: {
      dzial1: {
        danePodmiotu: {
          nazwa: "MILL",
          formaPrawna: null,
          identyfikatory: { regon: "54577292400000", nip: "945-233-64-18" },
        },
        kapital: { wysokoscKapitaluZakladowego: { wartosc: "10000,50", waluta: "PLN" } },
      },
    },
  };
  const found = options({ url: "/OdpisAktualny/0001268296", body: { odpis } });
  const { items, meta } = await businessPlKrs({ krs: "0001268296" }, found);
  // The register may leave out any part: what is missing is told.
  expect(meta).toEqual({ unavailable: ["address", "bodies"] });
  expect(items[0]).toMatchObject({
    asOf: "2026-09-23",
    regon: "545772924",
    nip: "9452336418",
    shareCapital: { amount: 10000.5, currency: "PLN" },
    representation: null,
  });
  const other = options({ url: "/OdpisAktualny/", body: { odpis } });
  await expect(businessPlKrs({ krs: "0000030897" }, other)).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  const none = options({ url: "/OdpisAktualny/", status: 404 });
  await expect(businessPlKrs({ krs: "0000030897" }, none)).rejects.toThrow(/register S/);
});
