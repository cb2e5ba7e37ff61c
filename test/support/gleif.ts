/** Answers of GLEIF's API about entities that do not exist, in the shape of those that do. */

const PAST = "2024-05-20T12:52:09Z";

export const PARENT = "5493001KJTIIGC8Y1R12";
export const CHILD = "INR2EJN1ERAN0W5ZP974";
export const OTHER = "254900LNRYNOQ9YPU758";

/** `relationships` by name, each with the names of its links. */
export function leiData(lei: string, name: string, relationships: Record<string, string[]> = {}) {
  const links = (names: string[]) => ({ links: Object.fromEntries(names.map((link) => [link, "https://x.example"])) });
  return {
    type: "lei-records",
    id: lei,
    attributes: {
      lei,
      entity: {
        legalName: { name, language: "en" },
        otherNames: [{ name: "Old Mill Ltd", language: "en", type: "PREVIOUS_LEGAL_NAME" }],
        transliteratedOtherNames: [],
        legalAddress: {
          addressLines: ["1 Mill Lane"],
          city: "Leeds",
          region: null,
          country: "GB",
          postalCode: "LS1 1AA",
        },
        headquartersAddress: null,
        registeredAt: { id: "RA000585", other: null },
        registeredAs: "06528297",
        jurisdiction: "GB",
        category: "GENERAL",
        subCategory: null,
        legalForm: { id: "H0PO", other: null },
        status: "ACTIVE",
        expiration: { date: null, reason: null },
        successorEntity: { lei: null, name: null },
        creationDate: "2008-03-08T00:00:00Z",
      },
      registration: {
        initialRegistrationDate: PAST,
        lastUpdateDate: PAST,
        status: "LAPSED",
        nextRenewalDate: PAST,
        managingLou: "5493001KJTIIGC8Y1R12",
        corroborationLevel: "FULLY_CORROBORATED",
      },
      bic: null,
      mic: null,
      ocid: "gb/06528297",
      conformityFlag: "NON_CONFORMING",
    },
    relationships: Object.fromEntries(Object.entries(relationships).map(([of, names]) => [of, links(names)])),
  };
}

const goldenCopy = { publishDate: "2026-05-15T00:00:00Z" };

export const leiAnswer = (data: object) => ({ meta: { goldenCopy }, data });

export const leiList = (data: object[], total = data.length) => ({
  meta: { goldenCopy, pagination: { currentPage: 1, perPage: 15, from: 1, to: total, total, lastPage: 1 } },
  data,
});

export const parentException = (lei: string, reason: string, category: string) =>
  leiAnswer({ type: "reporting-exceptions", attributes: { lei, reason, category, validFrom: null } });
