import { describe, expect, it } from "vitest";
import { businessEntityProfile } from "../../../src/capabilities/business/entity-profile.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const ID = "0018y00000ABCDEAAY";
const master = (more: object = {}) => ({
  ...{ id: ID, name: "Elmcrest Parking LLC", accountnumber: "1234567", status: "Active", citizenship: "Domestic" },
  ...{ naics_code: "Parking Lots (and Garages) (812930)", date_registration: "2023-02-26T00:00:00.000" },
  ...{
    dissolution_date: "0001-01-01T00:00:00.000",
    mailing_address: ", , ,",
    business_email_address: "me@private.example",
  },
  geo_location: { type: "Point", coordinates: [-73.4, 41.1] },
  ...more,
});
const others: Exchange[] = [
  {
    url: "ka36-64k6",
    body: [
      { business_id: ID, name__c: "Ada Elm", designation: "Manager", residence_street_address_1: "1 Home Street" },
      { business_id: "somebody-else", name__c: "Not Hers" },
    ],
  },
  { url: "qh2m-n44y", body: [{ business_key: ID, business_id: "1234567", name__c: "Agents Inc", type: "Business" }] },
  { url: "count%28", body: [{ total: "7" }] },
  {
    url: "ah3s-bes7",
    body: [{ account: ID, name: "0012", filing_type: "Annual Report", filing_date: "2026-03-01T00:00:00.000" }],
  },
];

function profile(input: Parameters<typeof businessEntityProfile>[0], exchanges: Exchange[]) {
  const { fetch, seen } = fakeUpstream(exchanges);
  return Object.assign(businessEntityProfile(input, { fetch, secrets: {} }), { seen });
}

describe("business.entity-profile", () => {
  it("joins four datasets by the id of one business, and passes on no residence and no e-mail", async () => {
    const result = await profile({ state: "CT", accountNumber: "1234567" }, [
      { url: "n7gp-d28j", body: [master()] },
      ...others,
    ]);
    expect(result.items[0]).toMatchObject({
      entityId: ID,
      active: true,
      domestic: true,
      dissolvedDate: null,
      mailingAddress: null,
      naics: { code: "812930", title: "Parking Lots (and Garages)" },
      latitude: 41.1,
      officers: [{ name: "Ada Elm", title: "Manager" }],
      registeredAgent: { name: "Agents Inc", type: "Business" },
      filings: [{ number: "0012", type: "Annual Report", date: "2026-03-01" }],
      filingsTotal: 7,
    });
    expect(result.meta).toMatchObject({ sections: { officers: "found", agent: "found", filings: "found" } });
    expect(JSON.stringify(result)).not.toMatch(/Home Street|private\.example|Not Hers/);
  });

  it("chooses the exact name, then an active entity, and names the others", async () => {
    const rows = [
      master({ id: "a", name: "ELM", status: "Dissolved", accountnumber: "0000000" }),
      master({ id: "b", name: "Elm Tree LLC" }),
    ];
    const found = await profile({ state: "CT", name: "elm" }, [{ url: "n7gp-d28j", body: rows }, ...others]);
    expect(found.items[0]).toMatchObject({ entityId: "a", accountNumber: null });
    expect(found.meta).toMatchObject({ otherMatches: [{ entityId: "b", name: "Elm Tree LLC" }] });
  });

  it("says of each section that could not be read that it was an error", async () => {
    const exchanges = [
      { url: "n7gp-d28j", body: [master()] },
      { url: "qh2m-n44y", status: 503 },
      ...others.filter(({ url }) => url !== "qh2m-n44y"),
    ];
    const { items, meta } = await profile({ state: "CT", entityId: ID }, exchanges);
    expect(items[0]).toMatchObject({ registeredAgent: null, officers: [{ name: "Ada Elm" }] });
    expect(meta).toMatchObject({ sections: { agent: "error", officers: "found" } });
  });

  it("knows no business of which there is no row, and takes no other's", async () => {
    const asked = { state: "CT", accountNumber: "1234567" } as const;
    await expect(profile(asked, [{ url: "n7gp-d28j", body: [] }])).rejects.toMatchObject({ status: 404 });
    const other = [{ url: "n7gp-d28j", body: [master({ accountnumber: "7654321" })] }];
    await expect(profile(asked, other)).rejects.toMatchObject({ status: 404 });
  });

  it("escapes what stands in the query", async () => {
    const call = profile({ state: "CT", name: "O'Hara%_" }, [{ url: "n7gp-d28j", body: [] }]);
    await expect(call).rejects.toMatchObject({ status: 404 });
    expect(call.seen[0]?.url.searchParams.get("$where")).toBe("upper(name) like upper('%O''Hara%')");
  });

  it.each([[{ state: "NY", name: "Acme" }], [{ state: "CT" }], [{ state: "CT", name: "%_" }]])(
    "refuses %j",
    async (input) => {
      const call = profile(input as never, []);
      await expect(call).rejects.toMatchObject({ status: 400 });
      expect(call.seen).toEqual([]);
    },
  );
});
