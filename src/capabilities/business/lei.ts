import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { countryCode, limit, offset, words } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { redactStreetAddress } from "../../engines/addresses/redact-street-address.js";
import { invalid } from "../../errors.js";
import { MAX_OFFSET } from "../../providers/gleif/page.js";
import { gleif } from "../../providers/gleif/provider.js";
import type { LeiRecord } from "../../providers/gleif/record.js";
import { findRecord, type RecordFilters, recordUrl, searchRecords } from "../../providers/gleif/records.js";
import { lei, unknownLei } from "./_lei.js";

const input = () =>
  z.strictObject({
    lei: lei().optional().describe("Legal Entity Identifier; wins over query"),
    query: words(1, 200).optional().describe("Name of the entity, legal, former or transliterated"),
    country: countryCode().optional().describe("Country of the legal address, as two letters"),
    status: z.enum(["active", "all"]).default("all").describe("Only entities that still exist, or all"),
    limit: limit(10, 100).describe("How many records to return"),
    offset: offset(MAX_OFFSET).describe("How many matches to skip"),
  });
type Search = z.output<ReturnType<typeof input>>;

const label = () => z.string().nullable();
const address = () =>
  z
    .object({
      lines: z.array(z.string()),
      city: label(),
      region: label().describe("ISO 3166-2"),
      country: label().describe("ISO 3166-1"),
      postalCode: label(),
    })
    .nullable();

export const businessLei = /* @__PURE__ */ defineCapability({
  id: "business.lei",
  summary: "Legal entities worldwide by LEI or name: names, status, addresses, registry number, renewal date, BICs.",
  keywords: ["legal entity identifier", "gleif", "kyc", "kyb", "company", "counterparty", "bic", "mifid", "issuer"],
  price: "0.0012",
  provider: gleif,
  input,
  output: rows(() =>
    z.object({
      lei: z.string(),
      legalName: z.string(),
      legalNameLanguage: label(),
      otherNames: z.array(z.object({ name: z.string(), language: label(), type: label() })),
      transliteratedNames: z.array(z.object({ name: z.string(), language: label(), type: label() })),
      status: label().describe("Of the entity: ACTIVE or INACTIVE"),
      registrationStatus: label().describe("Of the LEI: ISSUED, LAPSED, ... An active entity may let its LEI lapse"),
      category: label(),
      subCategory: label(),
      legalForm: z.object({ code: label().describe("ISO 20275; 8888 for one that is in `other`"), other: label() }),
      jurisdiction: label().describe("ISO 3166-1 or 3166-2"),
      legalAddress: address(),
      headquartersAddress: address(),
      registrationAuthority: label().describe("GLEIF's code of the business register; RA999999 for none"),
      registrationNumber: label().describe("Number in that register"),
      creationDate: label(),
      initialRegistrationDate: label(),
      lastUpdateDate: label(),
      nextRenewalDate: label(),
      managingLou: label().describe("LEI of the issuer of this LEI"),
      corroborationLevel: label(),
      successorLei: label(),
      expirationDate: label(),
      expirationReason: label(),
      bic: z.array(z.string()),
      mic: z.array(z.string()),
      ocid: label().describe("OpenCorporates id"),
      conformityFlag: label(),
      url: z.string(),
    }),
  ),
  example: { lei: "INR2EJN1ERAN0W5ZP974" },
  live: { freshDays: 10 },
  check({ lei, query, country }) {
    if (lei ?? country) return;
    if (!query?.trim()) throw invalid("", "give at least one of lei, query and country");
  },
  async run(input, ctx) {
    if (input.lei === undefined) return search(input, ctx);
    const found = await findRecord(input.lei, ctx);
    if (!found) throw unknownLei();
    return { items: [toItem(found.record)], total: 1, meta: { publishDate: found.publishDate } };
  },
});

async function search({ query, country, status, limit, offset }: Search, ctx: Context) {
  const words = query?.trim() || undefined;
  const filters: RecordFilters = {
    "entity.legalAddress.country": country,
    "entity.status": status === "active" ? "ACTIVE" : undefined,
  };
  const byName = await searchRecords({ "entity.names": words, ...filters }, { limit, offset }, ctx);
  // Text that is not a name may be part of an address or a register number.
  const found =
    byName.total === 0 && words ? await searchRecords({ fulltext: words, ...filters }, { limit, offset }, ctx) : byName;
  return {
    items: found.records.map(toItem),
    total: found.total,
    meta: { publishDate: found.publishDate, limit, offset },
  };
}

function toItem({ lei, entity, registration, bic, mic, ocid, conformityFlag }: LeiRecord) {
  return {
    lei,
    legalName: entity.legalName.name,
    legalNameLanguage: entity.legalName.language,
    otherNames: entity.otherNames,
    transliteratedNames: entity.transliteratedOtherNames,
    status: entity.status,
    registrationStatus: registration.status,
    category: entity.category,
    subCategory: entity.subCategory,
    legalForm: { code: entity.legalForm.id, other: entity.legalForm.other },
    jurisdiction: entity.jurisdiction,
    legalAddress: toAddress(entity.legalAddress, entity.category),
    headquartersAddress: toAddress(entity.headquartersAddress, entity.category),
    registrationAuthority: entity.registeredAt.id,
    registrationNumber: entity.registeredAs,
    creationDate: entity.creationDate,
    initialRegistrationDate: registration.initialRegistrationDate,
    lastUpdateDate: registration.lastUpdateDate,
    nextRenewalDate: registration.nextRenewalDate,
    managingLou: registration.managingLou,
    corroborationLevel: registration.corroborationLevel,
    successorLei: entity.successorEntity.lei,
    expirationDate: entity.expiration.date,
    expirationReason: entity.expiration.reason,
    bic,
    mic,
    ocid,
    conformityFlag,
    url: recordUrl(lei),
  };
}

function toAddress(address: LeiRecord["entity"]["legalAddress"], category: string | null) {
  if (!address) return null;
  const { addressLines: lines, city, region, country, postalCode } = address;
  const whole = { lines, city, region, country, postalCode };
  return category === "SOLE_PROPRIETOR" ? redactStreetAddress(whole) : whole;
}
