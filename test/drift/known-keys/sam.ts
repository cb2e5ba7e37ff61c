import type { KnownKeys } from "../../support/render-inventories.js";

const ADDRESS = "addressLine1 addressLine2 city stateOrProvinceCode zipCode zipCodePlus4 countryCode";
const FIRM = "excludedEntity[]";

/** A person has no entity's id, a firm no first name, and only a ship has details of one. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/entity-information/v4/exclusions",
    source: "open.gsa.gov/api/exclusions-api",
    objects: {
      "": "totalRecords excludedEntity links",
      [FIRM]:
        "exclusionDetails exclusionIdentification exclusionActions exclusionPrimaryAddress exclusionSecondaryAddress exclusionOtherInformation vesselDetails",
      [`${FIRM}.exclusionDetails`]:
        "classificationType exclusionType exclusionProgram excludingAgencyCode excludingAgencyName",
      [`${FIRM}.exclusionIdentification`]:
        "ueiSAM ueiDUNS cageCode npi prefix firstName middleName lastName suffix entityName dnbOpenData ssnOrTinOrEin",
      [`${FIRM}.exclusionActions`]: "listOfActions",
      [`${FIRM}.exclusionActions.listOfActions[]`]:
        "createDate updateDate activateDate terminationDate terminationType recordStatus",
      [`${FIRM}.exclusionPrimaryAddress`]: ADDRESS,
      [`${FIRM}.exclusionOtherInformation`]:
        "additionalComments ctCode evsInvestigationStatus references moreLocations isFASCSAOrder",
      [`${FIRM}.exclusionOtherInformation.references`]: "referencesList",
      [`${FIRM}.exclusionOtherInformation.references.referencesList[]`]: "exclusionName type",
      [`${FIRM}.exclusionOtherInformation.moreLocations[]`]:
        "exclusionName ueiSAM cageCode npi primaryAddress secondaryAddress",
      [`${FIRM}.exclusionOtherInformation.moreLocations[].primaryAddress`]: ADDRESS,
      [`${FIRM}.exclusionOtherInformation.moreLocations[].secondaryAddress[]`]: ADDRESS,
      [`${FIRM}.vesselDetails`]: "callSign type tonnage grt flag owner",
    },
    rare: [
      ...["exclusionPrimaryAddress", "exclusionOtherInformation", "vesselDetails", "vesselDetails.type"],
      ...["ueiSAM", "firstName", "middleName", "lastName", "suffix", "entityName"].map(
        (name) => `exclusionIdentification.${name}`,
      ),
      ...["exclusionActions.listOfActions[].terminationDate", "exclusionPrimaryAddress.countryCode"],
      ...["exclusionOtherInformation.references", "exclusionOtherInformation.moreLocations"],
    ].map((name) => `${FIRM}.${name}`),
  },
];
