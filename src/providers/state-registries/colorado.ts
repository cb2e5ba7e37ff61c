/** Colorado's "Business Entities". The register appends an ended status and its date to the name. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { redactStreetAddress } from "../../engines/addresses/redact-street-address.js";
import { day, label, whole } from "../../upstream/fields.js";
import { colorado } from "../socrata/provider.js";
import { type Registration, realDay, toAddress } from "./registration.js";

const always = () => ({
  entityid: z.string(),
  entityname: z.string(),
  entitystatus: label(),
  // The register's spelling.
  jurisdictonofformation: label(),
  entitytype: label(),
  entityformdate: day(),
});
const sometimes = () => ({
  principaladdress1: label(),
  principaladdress2: label(),
  principalcity: label(),
  principalstate: label(),
  principalzipcode: label(),
  principalcountry: label(),
  mailingaddress1: label(),
  mailingaddress2: label(),
  mailingcity: label(),
  mailingstate: label(),
  mailingzipcode: label(),
  mailingcountry: label(),
  agentfirstname: label(),
  agentmiddlename: label(),
  agentlastname: label(),
  agentsuffix: label(),
  agentorganizationname: label(),
  agentprincipaladdress1: label(),
  agentprincipaladdress2: label(),
  agentprincipalcity: label(),
  agentprincipalstate: label(),
  agentprincipalzipcode: label(),
  agentprincipalcountry: label(),
});
const row = lazySchema(() =>
  whole(always(), sometimes()).refine(
    (row) =>
      row.agentprincipaladdress1 === null || (row.agentorganizationname ?? row.agentlastname ?? row.agentfirstname),
    "has an agent without a name",
  ),
);
type Row = z.output<ReturnType<typeof row>>;

export const coloradoRegistry = {
  dataset: { portal: colorado, id: "4ykn-tg5h" },
  nameColumn: "entityname",
  idColumns: ["entityid"],
  columns: () => Object.keys({ ...always(), ...sometimes() }),
  row,
  toRegistration,
};

/** Meaning of the letters after the first, which is D for domestic or F for foreign. */
const TYPES: Readonly<Record<string, string>> = {
  C: "Corporation",
  PC: "Profit Corporation",
  NC: "Nonprofit Corporation",
  LLC: "Limited Liability Company",
  LP: "Limited Partnership",
  LLP: "Limited Liability Partnership",
  LLLP: "Limited Liability Limited Partnership",
  LPA: "Limited Partnership Association",
  PBC: "Public Benefit Corporation",
  COOP: "Cooperative",
};

function toRegistration(row: Row): Registration {
  const statusNormalized = normalize(row.entitystatus);
  // Nothing is appended to the name of an entity in good standing, which may itself be "Mill, Merged Arts".
  const { name, statusDate } =
    statusNormalized === "active" ? { name: row.entityname, statusDate: null } : splitName(row.entityname);
  const [, origin, kind = ""] = /^([DF])([A-Z]+)$/.exec(row.entitytype ?? "") ?? [];
  const type = TYPES[kind];
  return {
    state: "CO",
    entityId: row.entityid,
    accountNumber: null,
    name,
    status: row.entitystatus,
    statusNormalized,
    statusDate,
    entityType: row.entitytype,
    entityTypeLabel: type ? `${origin === "D" ? "Domestic" : "Foreign"} ${type}` : null,
    jurisdiction: row.jurisdictonofformation,
    domestic: origin ? origin === "D" : null,
    formedDate: realDay(row.entityformdate),
    county: null,
    principalAddress: addressOf(row, "principal"),
    mailingAddress: addressOf(row, "mailing"),
    registeredAgent: agentOf(row),
    agentStatus: /agent resigned/i.test(row.entitystatus ?? "") ? "resigned" : null,
    processAddress: null,
    officers: [],
    url: `https://www.coloradosos.gov/biz/BusinessEntityDetail.do?quitButtonDestination=BusinessEntityResults&nameTyp=ENT&masterFileId=${encodeURIComponent(row.entityid)}`,
  };
}

function addressOf(row: Row, who: "principal" | "mailing" | "agentprincipal") {
  return toAddress({
    line1: row[`${who}address1`],
    line2: row[`${who}address2`],
    city: row[`${who}city`],
    state: row[`${who}state`],
    postalCode: row[`${who}zipcode`],
    country: row[`${who}country`],
  });
}

function agentOf(row: Row): Registration["registeredAgent"] {
  const address = addressOf(row, "agentprincipal");
  if (row.agentorganizationname) return { name: row.agentorganizationname, type: "organization", address };
  const parts = [row.agentfirstname, row.agentmiddlename, row.agentlastname, row.agentsuffix];
  const name = parts.filter((part) => part !== null).join(" ");
  return name ? { name, type: "person", address: address && redactStreetAddress(address) } : null;
}

const ENDED =
  /, (?:Delinquent|Dissolved|Noncompliant|Withdrawn|Revoked|Merged|Converted|Expired|Registered Agent Resigned)\b[^,]*?(?:([A-Z][a-z]{2,8}) (\d{1,2}), (\d{4}))?$/;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** "6301 State Farm LLC, Delinquent May 1, 2022" is a name, a status and its date. */
function splitName(text: string): { name: string; statusDate: string | null } {
  const found = ENDED.exec(text);
  if (!found) return { name: text, statusDate: null };
  const [, monthName = "", date = "", year] = found;
  const month = MONTHS.indexOf(monthName.slice(0, 3).toLowerCase()) + 1;
  const statusDate = year && month ? `${year}-${String(month).padStart(2, "0")}-${date.padStart(2, "0")}` : null;
  return { name: text.slice(0, found.index), statusDate };
}

function normalize(status: string | null): Registration["statusNormalized"] {
  if (status === null) return "unknown";
  if (/^(good standing|exists|effective)$/i.test(status)) return "active";
  if (/dissolved|withdrawn|merged|converted|consolidated|revoked/i.test(status)) return "dissolved";
  return /delinquent|noncompliant|agent resigned|expired/i.test(status) ? "inactive" : "unknown";
}
