import type { KnownKeys } from "../../support/render-inventories.js";

const SOURCE = "www.gleif.org, LEI-CDF 3.1 and the GLEIF API in JSON:API";

const ADDRESS =
  "language addressLines addressNumber addressNumberWithinBuilding mailRouting city region country postalCode type firstAddressLine additionalAddressLines";
const RELATIONSHIPS =
  "managing-lou lei-issuer field-modifications direct-parent ultimate-parent direct-children ultimate-children isins vlei-credentials managed-funds fund-manager fund-managements umbrella-fund umbrella-funds sub-funds master-fund master-funds feeder-funds head-office headquarters international-branches international-branch branches branch successor-entity successor-entities predecessor-entities predecessors associated-entity associated-entities";

const record = (below: string) => ({
  [below.slice(0, -1)]: "type id attributes relationships links",
  [`${below}attributes`]: "lei entity registration bic mic ocid qcc gem spglobal conformityFlag",
  [`${below}attributes.entity`]:
    "legalName otherNames transliteratedOtherNames legalAddress headquartersAddress otherAddresses transliteratedOtherAddresses registeredAt registeredAs jurisdiction category subCategory legalForm associatedEntity status expiration successorEntity successorEntities creationDate legalEntityEvents eventGroups",
  [`${below}attributes.entity.legalName`]: "name language type",
  [`${below}attributes.entity.otherNames[]`]: "name language type",
  [`${below}attributes.entity.transliteratedOtherNames[]`]: "name language type",
  [`${below}attributes.entity.legalAddress`]: ADDRESS,
  [`${below}attributes.entity.headquartersAddress`]: ADDRESS,
  [`${below}attributes.entity.registeredAt`]: "id other",
  [`${below}attributes.entity.legalForm`]: "id other",
  [`${below}attributes.entity.associatedEntity`]: "lei name",
  [`${below}attributes.entity.expiration`]: "date reason",
  [`${below}attributes.entity.successorEntity`]: "lei name",
  [`${below}attributes.entity.eventGroups[]`]: "groupType events",
  [`${below}attributes.entity.eventGroups[].events[]`]:
    "type status effectiveDate recordedDate validationDocuments validationReference affectedFields",
  [`${below}attributes.registration`]:
    "initialRegistrationDate lastUpdateDate status nextRenewalDate managingLou corroborationLevel validatedAt validatedAs otherValidationAuthorities validationDocuments",
  [`${below}attributes.registration.validatedAt`]: "id other",
  [`${below}relationships`]: RELATIONSHIPS,
  [`${below}relationships.direct-parent.links`]:
    "related lei-record lei-records relationship-record relationship-records reporting-exception reporting-exceptions",
  [`${below}relationships.ultimate-parent.links`]:
    "related lei-record lei-records relationship-record relationship-records reporting-exception reporting-exceptions",
});

/** A fund has a manager instead of a parent, a branch a head office, and a lapsed record neither day nor form. */
const rare = (below: string) => [
  ...RELATIONSHIPS.split(" ").map((name) => `${below}relationships.${name}`),
  ...["bic", "mic", "ocid", "spglobal", "conformityFlag"].map((name) => `${below}attributes.${name}`),
  ...["otherNames", "transliteratedOtherNames", "registeredAt", "registeredAs", "jurisdiction", "category"].map(
    (name) => `${below}attributes.entity.${name}`,
  ),
  ...[
    "subCategory",
    "legalForm",
    "associatedEntity",
    "expiration",
    "successorEntity",
    "creationDate",
    "eventGroups",
  ].map((name) => `${below}attributes.entity.${name}`),
  ...["legalAddress", "headquartersAddress"].flatMap((place) =>
    ["region", "postalCode", "language", "city"].map((name) => `${below}attributes.entity.${place}.${name}`),
  ),
  ...["nextRenewalDate", "corroborationLevel", "validatedAt", "lastUpdateDate"].map(
    (name) => `${below}attributes.registration.${name}`,
  ),
  ...["direct-parent", "ultimate-parent"].flatMap((parent) =>
    ["reporting-exception", "lei-record"].map((name) => `${below}relationships.${parent}.links.${name}`),
  ),
];

export const knownKeys: readonly KnownKeys[] = [
  ...["", "/*/direct-children", "/*/ultimate-children"].map((path) => ({
    path: `/api/v1/lei-records${path}`,
    source: SOURCE,
    objects: {
      "": "meta links data included",
      meta: "goldenCopy pagination",
      "meta.pagination": "currentPage perPage from to total lastPage",
      links: "first prev next last",
      ...record("data[]."),
    },
    rare: rare("data[]."),
  })),
  ...["/*", "/*/direct-parent", "/*/ultimate-parent"].map((path) => ({
    path: `/api/v1/lei-records${path}`,
    source: SOURCE,
    objects: { "": "meta data links included", ...record("data.") },
    rare: rare("data."),
  })),
  ...["direct", "ultimate"].map((generation) => ({
    path: `/api/v1/lei-records/*/${generation}-parent-reporting-exception`,
    source: SOURCE,
    objects: {
      "": "meta data links",
      data: "type id attributes relationships links",
      "data.attributes": "validFrom validTo lei category reason reference exceptionReference",
    },
  })),
  {
    path: "/api/v1/lei-records/*/isins",
    source: SOURCE,
    objects: {
      "": "meta links data",
      "meta.pagination": "currentPage perPage from to total lastPage",
      "data[]": "type id attributes relationships links",
      "data[].attributes": "lei isin",
    },
  },
  {
    path: "/api/v1/fuzzycompletions",
    source: SOURCE,
    objects: {
      "": "data meta links",
      "data[]": "type id attributes relationships links",
      "data[].attributes": "value highlighting",
      "data[].relationships": "lei-records",
      "data[].relationships.lei-records": "data links",
    },
    rare: ["data[].relationships", "data[].relationships.lei-records"],
  },
];
