import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { identifier } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { sourceOf } from "../../capability/provider.js";
import { redactStreetAddress } from "../../engines/addresses/redact-street-address.js";
import { formatCnpj, readCnpj } from "../../engines/identifiers/cnpj.js";
import { CapabilityError } from "../../errors.js";
import { type BrazilianCompany, findBrazilianCompany } from "../../providers/minha-receita/company.js";
import { minhaReceita } from "../../providers/minha-receita/provider.js";

const label = () => z.string().nullable();
const coded = () => z.object({ code: label(), description: label() });
const regime = () => z.object({ optedIn: z.boolean().nullable(), since: label(), until: label() });

const PARTNER_TYPES = { 1: "company", 2: "person", 3: "foreigner" } as const;

export const businessBrCnpj = /* @__PURE__ */ defineCapability({
  id: "business.br-cnpj",
  summary: "A Brazilian company by its CNPJ: names, status, activities, address, tax regimes and partners.",
  keywords: ["brazil", "receita federal", "cnpj", "company registry", "partners", "qsa", "kyb", "simples"],
  price: "0.00108",
  provider: minhaReceita,
  input: () =>
    z.strictObject({
      cnpj: identifier(
        readCnpj,
        "a CNPJ of 14 characters with right check digits, such as 33.683.111/0002-80",
        [14, 20],
      ).describe("CNPJ with its marks or without; since 2026 also with letters"),
    }),
  output: one(() =>
    z.object({
      cnpj: z.string(),
      cnpjFormatted: z.string(),
      legalName: z.string(),
      tradeName: label(),
      status: label().describe("ATIVA, BAIXADA, SUSPENSA, INAPTA or NULA"),
      statusCode: z.number().nullable(),
      statusDate: label(),
      statusReason: label(),
      isHeadquarters: z.boolean().nullable(),
      openedDate: label(),
      legalNature: coded(),
      size: coded(),
      shareCapital: z.number().nullable().describe("In reais"),
      mainActivity: coded().describe("CNAE of seven digits"),
      secondaryActivities: z.array(coded()),
      address: z.object({
        street: label(),
        number: label(),
        complement: label(),
        district: label(),
        city: label(),
        state: label(),
        postalCode: label(),
        cityIbgeCode: label(),
        country: label(),
      }),
      phones: z.array(z.string()),
      fax: label(),
      email: label(),
      simples: regime().describe("Simples Nacional"),
      mei: regime().describe("Individual microentrepreneur"),
      partners: z.array(
        z.object({
          name: label(),
          type: z.enum(["company", "person", "foreigner"]).nullable(),
          document: label().describe("CNPJ of a company; numbers of persons are not passed on"),
          qualification: label(),
          since: label(),
          ageRange: label(),
          country: label(),
          legalRepresentative: z.object({ name: z.string(), qualification: label() }).nullable(),
        }),
      ),
    }),
  ),
  example: { cnpj: "33.683.111/0002-80" },
  async run({ cnpj }, ctx) {
    const found = await findBrazilianCompany(cnpj, ctx);
    if (!found) throw new CapabilityError("NOT_FOUND", "The register has no entity of this CNPJ.");
    const { company, provider } = found;
    return {
      item: toItem(cnpj, company),
      source: sourceOf(provider),
      meta: { provider: provider.name, personalDataWithheld: isOnePerson(company) },
    };
  },
});

/** Sole traders and microentrepreneurs: the contact data of the business is that of a person, and often of a home. */
const isOnePerson = ({ codigo_natureza_juridica, opcao_pelo_mei }: BrazilianCompany): boolean =>
  opcao_pelo_mei === true || /^(2135|4\d{3})$/.test(codigo_natureza_juridica ?? "");

function toItem(cnpj: string, company: BrazilianCompany) {
  const personal = isOnePerson(company);
  return {
    cnpj,
    cnpjFormatted: formatCnpj(cnpj),
    // A sole trader's name ends in the owner's tax number.
    legalName: company.razao_social.trim().replace(/\s+\d{11}$/, ""),
    tradeName: company.nome_fantasia,
    status: company.descricao_situacao_cadastral,
    statusCode: company.situacao_cadastral,
    statusDate: company.data_situacao_cadastral,
    statusReason:
      company.descricao_motivo_situacao_cadastral === "SEM MOTIVO" ? null : company.descricao_motivo_situacao_cadastral,
    isHeadquarters: company.identificador_matriz_filial === null ? null : company.identificador_matriz_filial === 1,
    openedDate: company.data_inicio_atividade,
    legalNature: { code: company.codigo_natureza_juridica, description: company.natureza_juridica },
    size: { code: company.codigo_porte, description: company.porte },
    shareCapital: company.capital_social,
    mainActivity: { code: cnae(company.cnae_fiscal), description: company.cnae_fiscal_descricao },
    secondaryActivities: company.cnaes_secundarios
      // "None" is a row, too.
      .filter(({ codigo }) => codigo !== null && codigo !== "0")
      .map(({ codigo, descricao }) => ({ code: cnae(codigo), description: descricao })),
    address: toAddress(company, personal),
    phones: personal ? [] : [company.ddd_telefone_1, company.ddd_telefone_2].filter((phone) => phone !== null),
    fax: personal ? null : company.ddd_fax,
    email: personal ? null : company.email,
    simples: {
      optedIn: company.opcao_pelo_simples,
      since: company.data_opcao_pelo_simples,
      until: company.data_exclusao_do_simples,
    },
    mei: { optedIn: company.opcao_pelo_mei, since: company.data_opcao_pelo_mei, until: company.data_exclusao_do_mei },
    partners: company.qsa.map(toPartner),
  };
}

const cnae = (code: string | null) => code?.padStart(7, "0") ?? null;

function toAddress(company: BrazilianCompany, personal: boolean) {
  const kind = company.descricao_tipo_de_logradouro ?? company.descricao_tipo_logradouro;
  const street = [kind, company.logradouro].filter(Boolean).join(" ") || null;
  const whole = {
    street,
    number: company.numero,
    complement: company.complemento,
    district: company.bairro,
    city: company.municipio,
    state: company.uf,
    postalCode: company.cep,
    cityIbgeCode: company.codigo_municipio_ibge,
    country: company.pais,
  };
  return personal ? redactStreetAddress(whole) : whole;
}

function toPartner(partner: BrazilianCompany["qsa"][number]) {
  const type = PARTNER_TYPES[partner.identificador_de_socio as keyof typeof PARTNER_TYPES] ?? null;
  return {
    name: partner.nome_socio,
    type,
    document: type === "company" ? (readCnpj(partner.cnpj_cpf_do_socio ?? "") ?? null) : null,
    qualification: partner.qualificacao_socio,
    since: partner.data_entrada_sociedade,
    ageRange: partner.faixa_etaria,
    country: partner.pais,
    legalRepresentative: partner.nome_representante_legal
      ? { name: partner.nome_representante_legal, qualification: partner.qualificacao_representante_legal }
      : null,
  };
}
