import { describe, expect, test } from "vitest";
import { businessLei } from "../../../src/capabilities/business/lei.js";
import { CHILD, leiAnswer, leiData, leiList, OTHER } from "../../support/gleif.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  return {
    ...fake,
    ask: (input: Parameters<typeof businessLei>[0]) => businessLei(input, { fetch: fake.fetch, cache: false }),
  };
}

describe("business.lei", () => {
  test("gives the record of an LEI, days as days and missing lists as empty ones", async () => {
    const { ask, seen } = open({ url: `/lei-records/${CHILD}`, body: leiAnswer(leiData(CHILD, "Mill Ltd")) });
    const { items, total, meta } = await ask({ lei: ` ${CHILD.toLowerCase()}`.trim() });
    expect(items[0]).toMatchObject({
      lei: CHILD,
      legalName: "Mill Ltd",
      otherNames: [{ name: "Old Mill Ltd", type: "PREVIOUS_LEGAL_NAME" }],
      status: "ACTIVE",
      registrationStatus: "LAPSED",
      legalForm: { code: "H0PO", other: null },
      legalAddress: { lines: ["1 Mill Lane"], city: "Leeds", region: null, country: "GB", postalCode: "LS1 1AA" },
      headquartersAddress: null,
      registrationNumber: "06528297",
      creationDate: "2008-03-08",
      nextRenewalDate: "2024-05-20",
      bic: [],
      mic: [],
      url: `https://search.gleif.org/#/record/${CHILD}`,
    });
    expect(total).toBe(1);
    expect(meta).toEqual({ publishDate: "2026-05-15" });
    expect(seen[0]?.headers.get("accept")).toBe("application/vnd.api+json");
  });

  test("refuses an LEI with a wrong check digit, and a search for nothing, before anything is asked", async () => {
    const { ask, seen } = open();
    await expect(ask({ lei: "INR2EJN1ERAN0W5ZP975" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(ask({})).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(ask({ query: "   " })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(seen).toEqual([]);
  });

  test("says that there is no such LEI", async () => {
    const { ask } = open({ url: CHILD, status: 404, body: { errors: [{ status: "404", title: "Not found" }] } });
    await expect(ask({ lei: CHILD })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("does not take the record of another LEI for this one", async () => {
    const { ask } = open({ url: CHILD, body: leiAnswer(leiData(OTHER, "Somebody Else")) });
    await expect(ask({ lei: CHILD })).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });

  test("of a sole proprietor the town is told, and not the door", async () => {
    const data = leiData(CHILD, "Jane Roe");
    data.attributes.entity.category = "SOLE_PROPRIETOR";
    const { ask } = open({ url: CHILD, body: leiAnswer(data) });
    const { items } = await ask({ lei: CHILD });
    expect(items[0]?.legalAddress).toEqual({ lines: [], city: "Leeds", region: null, country: "GB", postalCode: null });
  });

  test("searches by name, country and status, and turns an offset into one page", async () => {
    const all = Array.from({ length: 11 }, (_, row) => leiData(OTHER, `Mill ${row}`));
    const { ask, seen } = open({ url: "/lei-records?", body: leiList(all, 137) });
    const { items, total, meta } = await ask({
      query: "mill & co",
      country: "gb",
      status: "active",
      limit: 10,
      offset: 12,
    });
    expect(Object.fromEntries(seen[0]?.url.searchParams ?? [])).toEqual({
      "filter[entity.names]": "mill & co",
      "filter[entity.legalAddress.country]": "GB",
      "filter[entity.status]": "ACTIVE",
      "page[number]": "2",
      "page[size]": "11",
    });
    // Rows 11 to 21 are the second page of eleven; the first of it is left out.
    expect(items.map(({ legalName }) => legalName)).toEqual(all.slice(1).map((_, row) => `Mill ${row + 1}`));
    expect(total).toBe(137);
    expect(meta).toMatchObject({ limit: 10, offset: 12 });
  });

  test("looks in all fields for what is nobody's name", async () => {
    const { ask, seen } = open(
      { url: "entity.names", body: leiList([]) },
      { url: "fulltext", body: leiList([leiData(OTHER, "Mill Ltd")]) },
    );
    const { items } = await ask({ query: "06528297" });
    expect(seen).toHaveLength(2);
    expect(items).toHaveLength(1);
  });
});
