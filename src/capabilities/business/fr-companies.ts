import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit, text } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { redactStreetAddress } from "../../engines/addresses/redact-street-address.js";
import { readSiren, readSiret } from "../../engines/identifiers/siren.js";
import { invalid } from "../../errors.js";
import { type FrenchCompany, searchFrenchCompanies } from "../../providers/recherche-entreprises/companies.js";
import { rechercheEntreprises } from "../../providers/recherche-entreprises/provider.js";

/** The register counts no further. */
const MAX_TOTAL = 10_000;

/** Ranges of employees by INSEE's code. */
const EMPLOYEES: Readonly<Record<string, string>> = {
  NN: "none",
  "00": "0",
  "01": "1-2",
  "02": "3-5",
  "03": "6-9",
  "11": "10-19",
  "12": "20-49",
  "21": "50-99",
  "22": "100-199",
  "31": "200-249",
  "32": "250-499",
  "41": "500-999",
  "42": "1000-1999",
  "51": "2000-4999",
  "52": "5000-9999",
  "53": "10000+",
};

const label = () => z.string().nullable();
const count = () => z.number().nullable();

export const businessFrCompanies = /* @__PURE__ */ defineCapability({
  id: "business.fr-companies",
  summary:
    "Search France's registers by company name, SIREN, SIRET or director: status, activity, finances, directors.",
  keywords: ["france", "siren", "siret", "insee", "sirene", "company registry", "dirigeants", "kyb"],
  price: "0.00144",
  provider: rechercheEntreprises,
  input: () =>
    z.strictObject({
      q: text(2, 120).describe(
        "Company name, director's name, SIREN of nine digits or SIRET of fourteen; meta says if its check digits are wrong",
      ),
      limit: limit(10, 25).describe("How many companies to return"),
    }),
  output: rows(() =>
    z.object({
      siren: z.string(),
      siret: label().describe("Of the headquarters"),
      name: label(),
      legalName: label(),
      acronym: label(),
      status: z.enum(["active", "ceased"]).nullable(),
      createdDate: label(),
      closedDate: label(),
      legalFormCode: label().describe("INSEE code of four digits"),
      activityCode: label().describe("NAF Rev. 2"),
      activitySection: label(),
      category: label().describe("PME, ETI or GE"),
      employeeRangeCode: label(),
      employeeRange: label(),
      establishments: count(),
      openEstablishments: count(),
      headquarters: z.object({
        siret: label(),
        address: label(),
        postalCode: label(),
        city: label(),
        department: label(),
        region: label(),
        latitude: count(),
        longitude: count(),
      }),
      directors: z.array(
        z.object({
          type: z.enum(["person", "company"]).nullable(),
          name: label(),
          role: label(),
          birthYear: count(),
          siren: label(),
        }),
      ),
      finances: z
        .array(z.object({ year: z.number(), revenue: count(), netIncome: count() }))
        .describe("In euros, newest year first"),
      vatNumbers: z.array(z.string()),
      matchingEstablishments: z.array(
        z.object({
          siret: z.string(),
          address: label(),
          active: z.boolean().nullable(),
          isHeadquarters: z.boolean().nullable(),
        }),
      ),
      url: z.string(),
    }),
  ),
  example: { q: "la poste" },
  read({ q, limit }) {
    const words = q.trim().replace(/\s+/g, " ");
    if (words.length < 2) throw invalid("q", "must have at least two characters that are not blanks");
    const number = words.replaceAll(" ", "");
    if (/^\d{10,13}$|^\d{15,}$/.test(number))
      throw invalid("q", "is neither a SIREN of nine digits nor a SIRET of fourteen");
    // The registers contain numbers that fail their own check (123456789 is one), and other nine-digit words are not
    // identifiers: so a wrong check digit is reported in meta and not refused.
    if (/^\d{9}$/.test(number)) return { words: number, limit, kind: "siren", checks: readSiren(number) !== undefined };
    if (/^\d{14}$/.test(number))
      return { words: number, limit, kind: "siret", checks: readSiret(number) !== undefined };
    return { words, limit, kind: "text", checks: null };
  },
  async run({ words, limit, kind, checks }, ctx) {
    const activeOnly = words.length < 3;
    const { companies, total } = await searchFrenchCompanies({ words, limit, activeOnly }, ctx);
    const totalCapped = total >= MAX_TOTAL;
    return {
      items: companies.map(toItem),
      total: totalCapped ? null : total,
      meta: { searchedBy: kind, checkDigitsValid: checks, activeOnly, totalCapped },
    };
  },
});

function toItem(company: FrenchCompany) {
  const { siege } = company;
  const personal = isOnePerson(company);
  const headquarters = {
    siret: siege.siret,
    address: siege.adresse,
    postalCode: siege.code_postal,
    city: siege.libelle_commune,
    department: siege.departement,
    region: siege.region,
    latitude: siege.latitude,
    longitude: siege.longitude,
  };
  return {
    siren: company.siren,
    siret: siege.siret,
    name: company.nom_complet,
    legalName: company.nom_raison_sociale,
    acronym: company.sigle,
    status: statusOf(company.etat_administratif),
    createdDate: company.date_creation,
    closedDate: company.date_fermeture,
    legalFormCode: company.nature_juridique,
    activityCode: company.activite_principale,
    activitySection: company.section_activite_principale,
    category: company.categorie_entreprise,
    employeeRangeCode: company.tranche_effectif_salarie,
    employeeRange: EMPLOYEES[company.tranche_effectif_salarie ?? ""] ?? null,
    establishments: company.nombre_etablissements,
    openEstablishments: company.nombre_etablissements_ouverts,
    headquarters: personal ? redactStreetAddress(headquarters) : headquarters,
    directors: company.dirigeants.map(toDirector),
    finances: company.finances
      .map(([year, { ca, resultat_net }]) => ({ year: Number(year), revenue: ca, netIncome: resultat_net }))
      .sort((a, b) => b.year - a.year),
    vatNumbers: company.tva,
    matchingEstablishments: company.matching_etablissements.map((establishment) => ({
      siret: establishment.siret,
      address: personal ? null : establishment.adresse,
      active: establishment.etat_administratif === null ? null : establishment.etat_administratif === "A",
      isHeadquarters: establishment.est_siege,
    })),
    url: `https://annuaire-entreprises.data.gouv.fr/entreprise/${encodeURIComponent(company.siren)}`,
  };
}

/** Legal forms of natural persons begin with 1. */
const isOnePerson = ({ nature_juridique }: FrenchCompany): boolean => nature_juridique?.startsWith("1") ?? false;

const statusOf = (state: string | null): "active" | "ceased" | null =>
  state === "A" ? "active" : state === "C" ? "ceased" : null;

/** Of a birth date only the year is passed on. */
function toDirector(director: FrenchCompany["dirigeants"][number]) {
  const person = director.type_dirigeant === "personne physique";
  const company = director.type_dirigeant === "personne morale";
  return {
    type: person ? ("person" as const) : company ? ("company" as const) : null,
    name: company ? director.denomination : [director.prenoms, director.nom].filter(Boolean).join(" ") || null,
    role: director.qualite,
    birthYear: director.annee_de_naissance,
    siren: director.siren,
  };
}
