/** Connecticut's business master. Agents are in a separate dataset. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { day, label, whole } from "../../upstream/fields.js";
import { connecticut } from "../socrata/provider.js";
import { type Registration, realDay, toAddress } from "./registration.js";

/** Business address, as in the master. */
export const billing = () => ({
  billingstreet: label(),
  billing_unit: label(),
  billingcity: label(),
  billingstate: label(),
  billingpostalcode: label(),
  billingcountry: label(),
});

const always = () => ({
  id: z.string(),
  name: z.string(),
  status: label(),
  accountnumber: label(),
  business_type: label(),
  citizenship: label(),
  date_registration: day(),
});
const sometimes = () => ({
  formation_place: label(),
  dissolution_date: day(),
  ...billing(),
});
const row = lazySchema(() => whole(always(), sometimes()));
type Row = z.output<ReturnType<typeof row>>;

export const connecticutRegistry = {
  dataset: { portal: connecticut, id: "n7gp-d28j" },
  nameColumn: "name",
  // The id is the database's own; the account number appears in the state's letters.
  idColumns: ["accountnumber", "id"],
  columns: () => Object.keys({ ...always(), ...sometimes() }),
  row,
  toRegistration,
};

function toRegistration(row: Row): Registration {
  return {
    state: "CT",
    entityId: row.id,
    accountNumber: /^0*$/.test(row.accountnumber ?? "") ? null : row.accountnumber,
    name: row.name,
    status: row.status,
    statusNormalized: normalize(row.status),
    statusDate: realDay(row.dissolution_date),
    entityType: row.business_type,
    entityTypeLabel: row.business_type,
    jurisdiction: row.formation_place,
    domestic: row.citizenship === null ? null : /^domestic$/i.test(row.citizenship),
    formedDate: realDay(row.date_registration),
    county: null,
    principalAddress: toAddress({
      line1: row.billingstreet,
      line2: row.billing_unit,
      city: row.billingcity,
      state: row.billingstate,
      postalCode: row.billingpostalcode,
      country: row.billingcountry,
    }),
    mailingAddress: null,
    registeredAgent: null,
    agentStatus: null,
    processAddress: null,
    officers: [],
    url: `${connecticut.baseUrl}/n7gp-d28j.json?id=${encodeURIComponent(row.id)}`,
  };
}

function normalize(status: string | null): Registration["statusNormalized"] {
  if (status === null) return "unknown";
  if (/^active$/i.test(status)) return "active";
  return /dissolved|forfeited|withdrawn|revoked|merged|converted|cancel+ed|expired/i.test(status)
    ? "dissolved"
    : "unknown";
}
