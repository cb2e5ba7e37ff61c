import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/opendata-ytj-api/v3/companies",
    source: "avoindata.prh.fi, OpenAPI of YTJ v3",
    objects: {
      "": "totalResults companies",
      "companies[]":
        "businessId euId names mainBusinessLine website companyForms companySituations registeredEntries addresses tradeRegisterStatus status registrationDate endDate lastModified",
      "companies[].businessId": "value registrationDate source",
      "companies[].names[]": "name type registrationDate endDate version source",
      "companies[].mainBusinessLine": "type descriptions typeCodeSet registrationDate source",
      "companies[].website": "url registrationDate source",
      "companies[].companyForms[]": "type descriptions registrationDate endDate version source",
      "companies[].companySituations[]": "type registrationDate endDate source",
      "companies[].registeredEntries[]": "type descriptions registrationDate endDate register authority",
      "companies[].addresses[]":
        "type street postCode postOffices postOfficeBox buildingNumber entrance apartmentNumber apartmentIdSuffix co country freeAddressLine registrationDate source",
      "companies[].addresses[].postOffices[]": "city languageCode municipalityCode",
    },
    rare: [
      ...["street", "buildingNumber", "postCode", "entrance", "apartmentNumber", "postOfficeBox", "co", "country"].map(
        (name) => `companies[].addresses[].${name}`,
      ),
      ...["website", "euId", "mainBusinessLine", "endDate", "companySituations"].map((name) => `companies[].${name}`),
    ],
  },
];
