import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit, text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { CapabilityError, invalid } from "../../errors.js";
import { connecticut } from "../../providers/socrata/provider.js";
import { withoutWildcards } from "../../providers/socrata/soql.js";
import {
  type Agent,
  findAgent,
  findFilings,
  findMasters,
  findPrincipals,
  fullNameOf,
  type Master,
  type MasterKey,
  type Principal,
} from "../../providers/state-registries/connecticut-profile.js";
import { realDay } from "../../providers/state-registries/registration.js";
import { type Settled, settle } from "../../upstream/sections.js";

const label = () => z.string().nullable();
const address = () =>
  z.object({
    street: label(),
    unit: label(),
    city: label(),
    state: label(),
    postalCode: label(),
    country: label(),
  });

export const businessEntityProfile = /* @__PURE__ */ defineCapability({
  id: "business.entity-profile",
  summary: "A Connecticut business in full: master record, officers, registered agent, recent filings.",
  keywords: [
    "secretary of state",
    "connecticut",
    "company officers",
    "registered agent",
    "annual report",
    "kyb",
    "llc",
  ],
  price: "0.003",
  provider: connecticut,
  input: () =>
    z.strictObject({
      state: z.enum(["CT"]).describe("Whose register"),
      entityId: text(2, 40).optional().describe("Id or account number. Give this, accountNumber or name"),
      accountNumber: text(2, 40).optional().describe("Connecticut's public business id; wins over entityId and name"),
      name: text(2, 120).optional().describe("Name, or a part of it: the exact name wins, then an active entity"),
      filingsLimit: limit(10, 50).describe("How many filings to return, newest first"),
    }),
  output: one(() =>
    z.object({
      state: z.literal("CT"),
      entityId: z.string(),
      accountNumber: label(),
      name: z.string(),
      status: label(),
      subStatus: label(),
      active: z.boolean().nullable(),
      entityType: label(),
      domestic: z.boolean().nullable(),
      jurisdiction: label(),
      formedDate: label(),
      startedInStateDate: label(),
      dissolvedDate: label(),
      annualReportDueDate: label(),
      naics: z.object({ code: label(), title: label() }).nullable(),
      principalAddress: address(),
      mailingAddress: label(),
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
      ownership: z.object({ woman: label(), veteran: label(), minority: label(), lgbtqi: label() }),
      officers: z.array(z.object({ name: label(), title: label(), businessAddress: label() })),
      registeredAgent: z
        .object({ name: label(), type: label(), businessAddress: label(), mailingAddress: label() })
        .nullable(),
      filings: z.array(z.object({ number: label(), type: label(), date: label() })),
      filingsTotal: z.number().int().nullable(),
    }),
  ),
  example: { state: "CT", accountNumber: "0582030" },
  read({ entityId, accountNumber, name = "", filingsLimit }): { key: MasterKey; filingsLimit: number } {
    if (accountNumber?.trim()) return { key: { accountNumber: accountNumber.trim() }, filingsLimit };
    if (entityId?.trim()) return { key: { entityId: entityId.trim() }, filingsLimit };
    const words = withoutWildcards(name);
    if (words.length < 2) throw invalid("", "give an accountNumber, an entityId, or a name of at least two characters");
    return { key: { name: words }, filingsLimit };
  },
  async run({ key, filingsLimit }, ctx) {
    const [entity, ...others] = byNearness(await findMasters(key, ctx), key);
    if (!entity) throw new CapabilityError("NOT_FOUND", "Connecticut's register has no such business.");
    const [officers, agent, filings] = await Promise.all([
      settle((own) => findPrincipals(entity, own), ctx, { what: "The list of officers" }),
      settle((own) => findAgent(entity, own), ctx, { what: "The list of agents" }),
      settle((own) => findFilings(entity, filingsLimit, own), ctx, { what: "The list of filings" }),
    ]);
    return {
      item: {
        ...toMaster(entity),
        officers: (officers.value ?? []).map(toOfficer),
        registeredAgent: agent.value ? toAgent(agent.value) : null,
        filings: (filings.value?.filings ?? []).map(({ name, filing_type, type, filing_date }) => ({
          number: name,
          type: filing_type ?? type,
          date: realDay(filing_date),
        })),
        filingsTotal: filings.value?.total ?? null,
      },
      meta: {
        sections: {
          officers: stateOf(officers, ({ length }) => length > 0),
          agent: stateOf(agent, (found) => found !== undefined),
          filings: stateOf(filings, (found) => found.filings.length > 0),
        },
        otherMatches: others.map(({ id, accountnumber, name, status }) => ({
          entityId: id,
          accountNumber: accountOf(accountnumber),
          name,
          status,
        })),
      },
    };
  },
});

const stateOf = <T>(settled: Settled<T>, isFound: (value: T) => boolean) =>
  settled.failure ? "error" : isFound(settled.value) ? "found" : "not_found";

const isActive = ({ status }: Master) => status?.toLowerCase() === "active";

/** The exact name first, then active entities, then the shortest name. */
function byNearness(found: readonly Master[], key: MasterKey): Master[] {
  const wanted = "name" in key ? key.name.toLowerCase() : undefined;
  const rank = (one: Master) => (one.name.toLowerCase() === wanted ? 0 : isActive(one) ? 1 : 2);
  return found.toSorted((a, b) => rank(a) - rank(b) || a.name.length - b.name.length);
}

/** The register writes zeros for a missing number. */
const accountOf = (number: string | null) => (/^0*$/.test(number ?? "") ? null : number);

function toMaster(row: Master) {
  const [, title, code] = /^(.*)\((\d{2,6})\)\s*$/.exec(row.naics_code ?? "") ?? [];
  return {
    state: "CT" as const,
    entityId: row.id,
    accountNumber: accountOf(row.accountnumber),
    name: row.name,
    status: row.status,
    subStatus: row.sub_status,
    active: row.status === null ? null : isActive(row),
    entityType: row.business_type,
    domestic: row.citizenship === null ? null : row.citizenship.toLowerCase() === "domestic",
    jurisdiction: row.formation_place,
    formedDate: realDay(row.date_registration),
    startedInStateDate: realDay(row.began_transacting_in_ct),
    dissolvedDate: realDay(row.dissolution_date),
    annualReportDueDate: realDay(row.annual_report_due_date),
    naics:
      row.naics_code === null ? null : { code: code ?? null, title: title?.trim() || (code ? null : row.naics_code) },
    principalAddress: {
      street: row.billingstreet,
      unit: row.billing_unit,
      city: row.billingcity,
      state: row.billingstate,
      postalCode: row.billingpostalcode,
      country: row.billingcountry,
    },
    mailingAddress: textOf(row.mailing_address),
    latitude: row.geo_location?.coordinates[1] ?? null,
    longitude: row.geo_location?.coordinates[0] ?? null,
    ownership: {
      woman: row.woman_owned_organization,
      veteran: row.veteran_owned_organization,
      minority: row.minority_owned_organization,
      lgbtqi: row.organization_is_lgbtqi_owned,
    },
  };
}

/** An address in one line; null if only commas are left. */
const textOf = (address: string | null) => (address && /[^\s,]/.test(address) ? address : null);

function businessAddressOf(row: Principal | Agent): string | null {
  const { business_street_address_1, business_street_address_2, business_city, business_state } = row;
  const pieces = [business_street_address_1, business_street_address_2, business_city, business_state];
  return [...pieces, row.business_zip_code, row.business_country].filter(Boolean).join(", ") || null;
}

const toOfficer = (row: Principal) => ({
  name: fullNameOf(row),
  title: row.designation,
  businessAddress: businessAddressOf(row),
});

const toAgent = (row: Agent) => ({
  name: fullNameOf(row),
  type: row.type,
  businessAddress: textOf(row.business_address) ?? businessAddressOf(row),
  mailingAddress: textOf(row.mailing_address),
});
