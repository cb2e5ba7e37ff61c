/**
 * Connecticut's data on an entity, in four datasets. They are joined by the database's own id, which has a different
 * name in each; residence addresses and personal e-mail are not read.
 */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { day, label, maybe } from "../../upstream/fields.js";
import { connecticut } from "../socrata/provider.js";
import { countRows, type Dataset, readRows } from "../socrata/rows.js";
import { contains, equals } from "../socrata/soql.js";
import { billing } from "./connecticut.js";

const dataset = (id: string): Dataset => ({ portal: connecticut, id });
const MASTER = dataset("n7gp-d28j");
const PRINCIPALS = dataset("ka36-64k6");
const AGENTS = dataset("qh2m-n44y");
const FILINGS = dataset("ah3s-bes7");

const CANDIDATES = 10;

const master = lazySchema(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    status: label(),
    sub_status: label(),
    accountnumber: label(),
    business_type: label(),
    citizenship: label(),
    formation_place: label(),
    date_registration: day(),
    began_transacting_in_ct: day(),
    dissolution_date: day(),
    annual_report_due_date: day(),
    naics_code: label(),
    ...billing(),
    mailing_address: label(),
    woman_owned_organization: label(),
    veteran_owned_organization: label(),
    minority_owned_organization: label(),
    organization_is_lgbtqi_owned: label(),
    geo_location: maybe(z.object({ coordinates: z.tuple([z.number(), z.number()]) })),
  }),
);
export type Master = z.output<ReturnType<typeof master>>;

/** Ways to name an entity: its public account number, either id, or a part of its name. */
export type MasterKey = { accountNumber: string } | { entityId: string } | { name: string };

/** Matching entities: at most one, except for names. */
export async function findMasters(key: MasterKey, ctx: Context): Promise<Master[]> {
  if ("name" in key)
    return readRows(MASTER, { where: contains("name", key.name), order: "name,id", limit: CANDIDATES }, master(), ctx);
  const where =
    "accountNumber" in key
      ? equals("accountnumber", key.accountNumber)
      : `${equals("id", key.entityId)} OR ${equals("accountnumber", key.entityId)}`;
  const rows = await readRows(MASTER, { where, limit: 2 }, master(), ctx);
  // A row about another entity is refused.
  const wanted = "accountNumber" in key ? key.accountNumber : key.entityId;
  return rows.filter(({ id, accountnumber }) => accountnumber === wanted || (id === wanted && "entityId" in key));
}

const person = () => ({
  name__c: label(),
  firstname: label(),
  lastname: label(),
  business_street_address_1: label(),
  business_street_address_2: label(),
  business_city: label(),
  business_state: label(),
  business_zip_code: label(),
  business_country: label(),
});
const principal = lazySchema(() => z.object({ ...person(), business_id: z.string(), designation: label() }));
const agent = lazySchema(() =>
  z.object({
    ...person(),
    business_key: label(),
    business_id: label(),
    type: label(),
    business_address: label(),
    mailing_address: label(),
  }),
);
const filing = lazySchema(() =>
  z.object({ account: z.string(), name: label(), filing_type: label(), type: label(), filing_date: day() }),
);
export type Agent = z.output<ReturnType<typeof agent>>;
export type Principal = z.output<ReturnType<typeof principal>>;

export const fullNameOf = ({
  name__c,
  firstname,
  lastname,
}: { [K in "name__c" | "firstname" | "lastname"]: string | null }) =>
  name__c ?? ([firstname, lastname].filter(Boolean).join(" ") || null);

/** Up to a hundred officers and owners. */
export async function findPrincipals({ id }: Master, ctx: Context): Promise<Principal[]> {
  const rows = await readRows(PRINCIPALS, { where: equals("business_id", id), limit: 100 }, principal(), ctx);
  return rows.filter(({ business_id }) => business_id === id);
}

/** The registered agent. `business_key` is the master's id, while `business_id` is its account number. */
export async function findAgent(
  { id, accountnumber }: Pick<Master, "id" | "accountnumber">,
  ctx: Context,
): Promise<Agent | undefined> {
  const where = `${equals("business_key", id)} OR ${equals("business_id", id)}`;
  const rows = await readRows(AGENTS, { where, limit: 5 }, agent(), ctx);
  return rows.find(
    (row) =>
      [row.business_key, row.business_id].includes(id) || (accountnumber !== null && row.business_id === accountnumber),
  );
}

/** The newest filings first, and their number. */
export async function findFilings({ id }: Master, limit: number, ctx: Context) {
  const where = equals("account", id);
  const [rows, total] = await Promise.all([
    readRows(FILINGS, { where, order: "filing_date DESC", limit }, filing(), ctx),
    countRows(FILINGS, where, ctx).catch(() => null),
  ]);
  return { filings: rows.filter(({ account }) => account === id), total };
}
