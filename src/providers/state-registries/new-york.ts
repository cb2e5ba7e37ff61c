/** New York's list "Active Corporations: Beginning 1800". Dissolved companies are not in it. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { redactStreetAddress } from "../../engines/addresses/redact-street-address.js";
import { takeApart } from "../../engines/names/words.js";
import { day, label, whole } from "../../upstream/fields.js";
import { newYork } from "../socrata/provider.js";
import { type Registration, realDay, toAddress } from "./registration.js";

const always = () => ({
  dos_id: z.string(),
  current_entity_name: z.string(),
  initial_dos_filing_date: day(),
  jurisdiction: label(),
  entity_type: label(),
});
const sometimes = () => ({
  county: label(),
  dos_process_name: label(),
  dos_process_address_1: label(),
  dos_process_address_2: label(),
  dos_process_city: label(),
  dos_process_state: label(),
  dos_process_zip: label(),
  chairman_name: label(),
  chairman_address_1: label(),
  chairman_address_2: label(),
  chairman_city: label(),
  chairman_state: label(),
  chairman_zip: label(),
  registered_agent_name: label(),
  registered_agent_address_1: label(),
  registered_agent_address_2: label(),
  registered_agent_city: label(),
  registered_agent_state: label(),
  registered_agent_zip: label(),
  location_address_1: label(),
  location_address_2: label(),
  location_city: label(),
  location_state: label(),
  location_zip: label(),
});
const row = lazySchema(() => whole(always(), sometimes()));
type Row = z.output<ReturnType<typeof row>>;

export const newYorkRegistry = {
  dataset: { portal: newYork, id: "n9v6-gdp6" },
  nameColumn: "current_entity_name",
  idColumns: ["dos_id"],
  columns: () => Object.keys({ ...always(), ...sometimes() }),
  row,
  toRegistration,
};

function toRegistration(row: Row): Registration {
  const agentStatus = agentStatusOf(row.registered_agent_name);
  return {
    state: "NY",
    entityId: row.dos_id,
    accountNumber: null,
    name: row.current_entity_name,
    status: "Active",
    statusNormalized: "active",
    statusDate: null,
    entityType: row.entity_type,
    entityTypeLabel: row.entity_type,
    jurisdiction: row.jurisdiction,
    domestic: domesticOf(row),
    formedDate: realDay(row.initial_dos_filing_date),
    county: row.county,
    principalAddress: addressOf(row, "location"),
    mailingAddress: null,
    registeredAgent: agentStatus ? null : agentOf(row),
    agentStatus,
    processAddress: processAddressOf(row),
    officers:
      row.chairman_name === null
        ? []
        : [{ name: row.chairman_name, title: "Chief Executive Officer", address: chairmanAddress(row) }],
    url: `${newYork.baseUrl}/n9v6-gdp6.json?dos_id=${encodeURIComponent(row.dos_id)}`,
  };
}

function addressOf(row: Row, who: "dos_process" | "chairman" | "registered_agent" | "location") {
  return toAddress({
    line1: row[`${who}_address_1`],
    line2: row[`${who}_address_2`],
    city: row[`${who}_city`],
    state: row[`${who}_state`],
    postalCode: row[`${who}_zip`],
  });
}

/** The first line often repeats the name. */
function chairmanAddress(row: Row) {
  const address = addressOf(row, "chairman");
  return address?.line1 === row.chairman_name ? toAddress({ ...address, line1: null }) : address;
}

function processAddressOf(row: Row) {
  const address = addressOf(row, "dos_process");
  return address && { name: row.dos_process_name, ...address };
}

/**
 * The register does not state the kind of an agent: a name without a legal form may be a person with a home address.
 */
function agentOf(row: Row): Registration["registeredAgent"] {
  const { registered_agent_name: name } = row;
  if (name === null) return null;
  const address = addressOf(row, "registered_agent");
  if (takeApart(name).forms.length > 0) return { name, type: "organization", address };
  return { name, type: null, address: address && redactStreetAddress(address) };
}

/** Some entries have a marker instead of a name. */
function agentStatusOf(name: string | null): Registration["agentStatus"] {
  const [, status] = /^registered agent (revoked|resigned)$/i.exec(name ?? "") ?? [];
  return status ? (/revoked/i.test(status) ? "revoked" : "resigned") : null;
}

function domesticOf({ entity_type, jurisdiction }: Row): boolean | null {
  if (/^domestic\b/i.test(entity_type ?? "")) return true;
  if (/^foreign\b/i.test(entity_type ?? "")) return false;
  return jurisdiction === null ? null : /^new york$/i.test(jurisdiction);
}
