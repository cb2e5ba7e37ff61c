import { describe, expect, test } from "vitest";
import { businessBrCnpj } from "../../../src/capabilities/business/br-cnpj.js";
import { businessFiCompanies } from "../../../src/capabilities/business/fi-companies.js";
import { businessFrCompanies } from "../../../src/capabilities/business/fr-companies.js";
import { businessNoCompanies } from "../../../src/capabilities/business/no-companies.js";
import { businessPlKrs } from "../../../src/capabilities/business/pl-krs.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const options = (...exchanges: Exchange[]) => {
  const { fetch, seen } = fakeUpstream(exchanges);
  return { fetch, seen, cache: false as const, secrets: {} };
};

describe("business.br-cnpj", () => {
  const COMPANY = {
    cnpj: "33683111000280",
    razao_social: "MARIA DA SILVA 12345678909",
    codigo_natureza_juridica: 2135,
    cnae_fiscal: 600001,
    email: "maria@example.com",
    ddd_telefone_1: "1123851939",
    logradouro: "DAS FLORES",
    cep: "01311902",
    uf: "SP",
    qsa: [{ nome_socio: "MARIA", cnpj_cpf_do_socio: "***345678**", identificador_de_socio: 2 }],
  };
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
  const company = {
    businessId: { value: "0112038-9" },
    names: [
      { name: "Mill Oyj", type: "1", registrationDate: "1997-09-01" },
      { name: "Oy Mill Ab", type: "1", registrationDate: "1966-06-10", endDate: "1997-08-31" },
    ],
    companyForms: [{ type: "17", descriptions: [{ languageCode: "3", description: "Public limited company" }] }],
    addresses: [{ type: 2, postOffices: [{ city: "HELSINKI", languageCode: "1" }], postOfficeBox: "1" }],
    tradeRegisterStatus: "1",
    status: "2",
  };
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
  const company = {
    siren: "356000000",
    nom_complet: "MILL",
    siege: {},
    etat_administratif: "A",
    tranche_effectif_salarie: "53",
    finances: { "2021": { ca: 1 }, "2022": { ca: 2, resultat_net: -1 } },
    dirigeants: [{ type_dirigeant: "personne physique", nom: "ROE", prenoms: "JANE", date_de_naissance: "1965-10" }],
  };
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

test("business.no-companies: a number is looked up, nobody is an empty list, a wrong digit is refused", async () => {
  const entity = {
    organisasjonsnummer: "923609016",
    navn: "MILL ASA",
    konkurs: true,
    naeringskode1: { kode: "06.100" },
  };
  const found = options({ url: "/enheter/923609016", body: entity });
  const { items } = await businessNoCompanies({ name: "923 609 016" }, found);
  expect(items[0]).toMatchObject({ status: "bankrupt", industry: { code: "06.100" }, secondaryIndustries: [] });
  const none = options({ url: "/enheter?", body: { page: { totalElements: 0 } } });
  await expect(businessNoCompanies({ name: "nobody" }, none)).resolves.toMatchObject({ items: [], total: 0 });
  await expect(businessNoCompanies({ name: "123456789" }, options())).rejects.toMatchObject({ code: "INVALID_INPUT" });
});

test("business.pl-krs: days, decimals and numbers in their common form; another entity's extract is refused", async () => {
  const odpis = {
    naglowekA: { numerKRS: "0001268296", stanZDnia: "23.09.2026 R." },
    dane: {
      dzial1: {
        danePodmiotu: { nazwa: "MILL", identyfikatory: { regon: "54577292400000", nip: "945-233-64-18" } },
        kapital: { wysokoscKapitaluZakladowego: { wartosc: "10000,50", waluta: "PLN" } },
      },
    },
  };
  const found = options({ url: "/OdpisAktualny/0001268296", body: { odpis } });
  const { items } = await businessPlKrs({ krs: "0001268296" }, found);
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
