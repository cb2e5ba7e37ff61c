import type { KnownKeys } from "../../support/render-inventories.js";

/** Flags are added over the years; a part of the report has some of them. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/api/v1/address_security/*",
    source: "docs.gopluslabs.io, Malicious address API",
    objects: {
      "": "code message result",
      result:
        "cybercrime money_laundering number_of_malicious_contracts_created gas_abuse financial_crime darkweb_transactions reinit phishing_activities contract_address fake_kyc blacklist_doubt fake_standard_interface data_source stealing_attack blackmail_activities sanctioned malicious_mining_activities mixer fake_token honeypot_related_address fake_kyc_activities address_tag is_blacklisted contract_creator",
    },
    rare: ["fake_token", "reinit", "gas_abuse", "data_source", "contract_address", "fake_standard_interface"].map(
      (name) => `result.${name}`,
    ),
  },
];
