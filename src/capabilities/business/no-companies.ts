import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { unavailableIn } from "../../capability/facts.js";
import { limit, text } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { redactStreetAddress } from "../../engines/addresses/redact-street-address.js";
import { readOrganizationNumber } from "../../engines/identifiers/organization-number.js";
import { invalid } from "../../errors.js";
import { findNorwegianEntity, type NorwegianEntity, searchNorwegianEntities } from "../../providers/brreg/entities.js";
import { brreg } from "../../providers/brreg/provider.js";

const label = () => z.string().nullable();
const coded = () => z.object({ code: label(), description: label() });
const addressSchema = () =>
  z.object({
    lines: z.array(z.string()),
    postalCode: label(),
    city: label(),
    municipality: label(),
    municipalityNumber: label(),
    country: label(),
    countryCode: label(),
  });

export const businessNoCompanies = /* @__PURE__ */ defineCapability({
  id: "business.no-companies",
  summary: "Search Norway's register of legal entities by name or organisation number: status, industry, addresses.",
  keywords: ["norway", "brreg", "enhetsregisteret", "organisasjonsnummer", "company registry", "kyb", "mva"],
  price: "0.00144",
  provider: brreg,
  input: () =>
    z.strictObject({
      name: text(2, 120).describe("Name of the entity, or its organisation number of nine digits"),
      limit: limit(10, 25).describe("How many entities to return"),
    }),
  output: rows(() =>
    z.object({
      organizationNumber: z.string(),
      name: z.string(),
      legalForm: coded().nullable(),
      status: z.enum(["active", "bankrupt", "in_liquidation", "deleted"]),
      registeredDate: label(),
      foundedDate: label(),
      deletedDate: label(),
      industry: coded().nullable(),
      secondaryIndustries: z.array(coded()),
      employees: z.number().nullable(),
      businessAddress: addressSchema().nullable(),
      postalAddress: addressSchema().nullable(),
      website: label(),
      phone: label(),
      email: label(),
      shareCapital: z
        .object({ amount: z.number().nullable(), currency: label(), shares: z.number().nullable() })
        .nullable(),
      previousNames: z.array(z.object({ name: z.string(), from: label(), to: label() })),
      vatRegistered: z.boolean().nullable(),
      inBusinessRegister: z.boolean().nullable(),
      inVoluntaryRegister: z.boolean().nullable(),
      lastAnnualAccounts: label().describe("Year"),
      sector: coded().nullable(),
      parentOrganizationNumber: label(),
      url: z.string(),
    }),
  ),
  example: { name: "Equinor ASA" },
  read({ name, limit }) {
    const words = name.trim();
    if (words.length < 2) throw invalid("name", "must have at least two characters that are not blanks");
    if (!/^(\d\s*){9}$/.test(words)) return { name: words, limit };
    const number = readOrganizationNumber(words);
    if (!number) throw invalid("name", "is not an organisation number: its check digit is wrong");
    return { number };
  },
  async run(query, ctx) {
    if (query.number !== undefined) {
      const found = await findNorwegianEntity(query.number, ctx);
      const items = found ? [toItem(found)] : [];
      return { items, total: items.length, meta: unavailableIn(items, LOOKED_FOR) };
    }
    const { entities, total } = await searchNorwegianEntities(query.name, query.limit, ctx);
    const items = entities.map(toItem);
    return { items, total, meta: unavailableIn(items, LOOKED_FOR) };
  },
});

/** Any entity may lack these, as deleted ones do. */
const LOOKED_FOR = { industry: ["industry"], addresses: ["businessAddress", "postalAddress"] };

function toItem(entity: NorwegianEntity) {
  // A sole proprietor's contact data is personal, and the address often a home.
  const personal = entity.organisasjonsform?.kode === "ENK";
  const secondaryIndustries = [entity.naeringskode2, entity.naeringskode3].filter((code) => code !== null).map(toCoded);
  return {
    organizationNumber: entity.organisasjonsnummer,
    name: entity.navn,
    legalForm: entity.organisasjonsform && toCoded(entity.organisasjonsform),
    status: statusOf(entity),
    registeredDate: entity.registreringsdatoEnhetsregisteret,
    foundedDate: entity.stiftelsesdato,
    deletedDate: entity.slettedato,
    industry: entity.naeringskode1 && toCoded(entity.naeringskode1),
    secondaryIndustries,
    employees: entity.antallAnsatte,
    businessAddress: toAddress(entity.forretningsadresse, personal),
    postalAddress: toAddress(entity.postadresse, personal),
    website: entity.hjemmeside,
    phone: personal ? null : (entity.telefon ?? entity.mobil),
    email: personal ? null : entity.epostadresse,
    shareCapital: entity.kapital && {
      amount: entity.kapital.belop,
      currency: entity.kapital.valuta,
      shares: entity.kapital.antallAksjer,
    },
    previousNames: entity.historiskeNavn.map(({ navn, fraDato, tilDato }) => ({
      name: navn,
      from: fraDato,
      to: tilDato,
    })),
    vatRegistered: entity.registrertIMvaregisteret,
    inBusinessRegister: entity.registrertIForetaksregisteret,
    inVoluntaryRegister: entity.registrertIFrivillighetsregisteret,
    lastAnnualAccounts: entity.sisteInnsendteAarsregnskap,
    sector: entity.institusjonellSektorkode && toCoded(entity.institusjonellSektorkode),
    parentOrganizationNumber: entity.overordnetEnhet,
    url: `https://virksomhet.brreg.no/nb/oppslag/enheter/${encodeURIComponent(entity.organisasjonsnummer)}`,
  };
}

type Coded = NonNullable<NorwegianEntity["organisasjonsform"]>;
const toCoded = ({ kode, beskrivelse }: Coded) => ({ code: kode, description: beskrivelse });

function statusOf(entity: NorwegianEntity) {
  if (entity.slettedato) return "deleted" as const;
  if (entity.konkurs) return "bankrupt" as const;
  const ending = entity.underAvvikling || entity.underTvangsavviklingEllerTvangsopplosning;
  return ending ? ("in_liquidation" as const) : ("active" as const);
}

function toAddress(address: NorwegianEntity["forretningsadresse"], personal: boolean) {
  if (!address) return null;
  const whole = {
    lines: address.adresse,
    postalCode: address.postnummer,
    city: address.poststed,
    municipality: address.kommune,
    municipalityNumber: address.kommunenummer,
    country: address.land,
    countryCode: address.landkode,
  };
  return personal ? redactStreetAddress(whole) : whole;
}
