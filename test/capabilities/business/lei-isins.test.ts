import { describe, expect, test } from "vitest";
import { businessLeiIsins } from "../../../src/capabilities/business/lei-isins.js";
import { CHILD, leiData, leiList, OTHER } from "../../support/gleif.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (input: Parameters<typeof businessLeiIsins>[0]) =>
    businessLeiIsins(input, { fetch: fake.fetch, cache: false });
  return { ...fake, ask };
}
const isinData = (lei: string, isin: string) => ({ type: "isins", id: isin, attributes: { lei, isin } });

describe("business.lei-isins", () => {
  test("lists the ISINs of an LEI, with the number of all of them", async () => {
    const rows = [isinData(CHILD, "US0378331005"), isinData(CHILD, "DE0005773303")];
    const { ask, seen } = open({ url: "/isins", body: leiList(rows, 1823) });
    const { items, total, meta } = await ask({ lei: CHILD, limit: 2 });
    expect(seen[0]?.url.searchParams.get("page[size]")).toBe("2");
    expect(items).toEqual([
      { isin: "US0378331005", lei: CHILD },
      { isin: "DE0005773303", lei: CHILD },
    ]);
    expect(total).toBe(1823);
    expect(meta).toEqual({ mode: "lei", lei: CHILD, truncated: true });
  });

  test("an entity without securities has an empty list, an LEI that does not exist is a 404", async () => {
    await expect(open({ url: "/isins", body: leiList([]) }).ask({ lei: CHILD })).resolves.toMatchObject({ total: 0 });
    const missing = open({ url: "/isins", status: 404, body: {} });
    await expect(missing.ask({ lei: CHILD })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("does not list the securities of another entity", async () => {
    const { ask } = open({ url: "/isins", body: leiList([isinData(OTHER, "US0378331005")]) });
    await expect(ask({ lei: CHILD })).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });

  test("finds the issuer of an ISIN, and says when there is none", async () => {
    const { ask, seen } = open({ url: "/lei-records?", body: leiList([leiData(CHILD, "Mill Ltd")]) });
    const { items } = await ask({ isin: "us0378331005" });
    expect(seen[0]?.url.searchParams.get("filter[isin]")).toBe("US0378331005");
    expect(items).toMatchObject([{ isin: "US0378331005", lei: CHILD, legalName: "Mill Ltd", country: "GB" }]);
    const none = open({ url: "/lei-records?", body: leiList([]) });
    await expect(none.ask({ isin: "US0378331005" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test.each([
    ["neither", {}],
    ["both", { lei: CHILD, isin: "US0378331005" }],
    ["an ISIN with a wrong check digit", { isin: "US0378331006" }],
    ["more than a page", { lei: CHILD, limit: 201 }],
  ])("refuses %s", async (_, input) => {
    const { ask, seen } = open();
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(seen).toEqual([]);
  });
});
