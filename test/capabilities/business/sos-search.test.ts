import { describe, expect, test } from "vitest";
import { businessSosSearch } from "../../../src/capabilities/business/sos-search.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

function open(exchanges: Exchange[], secrets: Record<string, string> = {}) {
  const fake = fakeUpstream(exchanges);
  const ask = (input: Parameters<typeof businessSosSearch>[0]) =>
    businessSosSearch(input, { fetch: fake.fetch, cache: false, secrets });
  const queryOf = (request: number) => Object.fromEntries(fake.seen[request]?.url.searchParams ?? []);
  return { ...fake, ask, queryOf };
}

const NY = {
  dos_id: "3322706",
  current_entity_name: "MILL BOOKS, INC.",
  initial_dos_filing_date: "2006-02-17T00:00:00.000",
  county: "New York",
  jurisdiction: "Delaware",
  entity_type: "FOREIGN BUSINESS CORPORATION",
  dos_process_name: "PAPERS, INC.",
  dos_process_address_1: "1 CENTRAL AVE",
  dos_process_city: "ALBANY",
  dos_process_state: "NY",
  dos_process_zip: "12205",
  chairman_name: "JANE ROE",
  chairman_address_1: "JANE ROE",
  chairman_city: "NEW YORK",
  chairman_state: "NY",
  registered_agent_name: "Registered Agent Revoked",
  registered_agent_state: "NEW YORK",
};
const CO = {
  entityid: "20208090445",
  entityname: "Mill Farm, LLC, Delinquent May 1, 2022",
  principaladdress1: "55 Mill Street",
  principalcity: "Denver",
  principalstate: "CO",
  principalzipcode: "80206",
  principalcountry: "US",
  entitystatus: "Delinquent",
  jurisdictonofformation: "CO",
  entitytype: "DLLC",
  agentfirstname: "JANE",
  agentmiddlename: "Q",
  agentlastname: "ROE",
  agentprincipaladdress1: "15 Farm Ave",
  agentprincipalstate: "Colorado",
  entityformdate: "2020-12-21T00:00:00.000",
};
const CT = {
  id: "0018y000008a1JIAAY",
  name: "Mill LLC",
  business_type: "LLC",
  status: "Active",
  accountnumber: "0000000",
  date_registration: "0001-01-01T00:00:00",
  citizenship: "Domestic",
  formation_place: "Connecticut",
  billingstreet: "8 Mill Ter",
  billingstate: "CT",
};
const NONE = { processAddress: null, mailingAddress: null, officers: [], county: null, accountNumber: null };
const addressOf = (pieces: object) => ({
  line1: null,
  line2: null,
  city: null,
  state: null,
  postalCode: null,
  country: null,
  ...pieces,
});

describe("business.sos-search", () => {
  test("New York: active by construction, a marker is no agent, a name is no address line", async () => {
    const { ask, queryOf } = open([{ url: "data.ny.gov/resource/n9v6-gdp6.json", body: [NY] }]);
    const { items, total, source } = await ask({ state: "NY", entityId: "3322706" });
    expect(queryOf(0).$where).toBe("dos_id='3322706'");
    expect(items).toEqual([
      {
        ...NONE,
        state: "NY",
        entityId: "3322706",
        name: "MILL BOOKS, INC.",
        status: "Active",
        statusNormalized: "active",
        statusDate: null,
        entityType: "FOREIGN BUSINESS CORPORATION",
        entityTypeLabel: "FOREIGN BUSINESS CORPORATION",
        jurisdiction: "Delaware",
        domestic: false,
        formedDate: "2006-02-17",
        county: "New York",
        principalAddress: null,
        registeredAgent: null,
        agentStatus: "revoked",
        processAddress: {
          name: "PAPERS, INC.",
          ...addressOf({ line1: "1 CENTRAL AVE", city: "ALBANY", state: "NY", postalCode: "12205" }),
        },
        officers: [
          { name: "JANE ROE", title: "Chief Executive Officer", address: addressOf({ city: "NEW YORK", state: "NY" }) },
        ],
        url: "https://data.ny.gov/resource/n9v6-gdp6.json?dos_id=3322706",
      },
    ]);
    expect(total).toBe(1);
    expect(source.provider).toMatch(/New York/);
  });

  test("Colorado: the status and its date leave the name, an agent is a person or an organization", async () => {
    const organization = {
      ...CO,
      entityid: "2",
      agentorganizationname: "Agents, LLC",
      entityname: "Mill, Merged Arts",
      entitystatus: "Good Standing",
    };
    const { ask, queryOf } = open([
      { url: "count%28", body: [{ total: "123" }] },
      { url: "data.colorado.gov/resource/4ykn-tg5h.json", body: [CO, organization] },
    ]);
    const { items, total, meta } = await ask({ state: "CO", name: "Mill", limit: 2, offset: 4 });
    // By name, so that the portal refuses a column that it calls otherwise now, which it would else leave out.
    expect(queryOf(0).$select?.split(",")).toEqual(
      expect.arrayContaining(["entityid", "principalstate", "agentsuffix"]),
    );
    expect(queryOf(0)).toEqual({
      $select: expect.any(String),
      $where: "upper(entityname) like upper('%Mill%')",
      $order: "entityname,entityid",
      $limit: "2",
      $offset: "4",
    });
    expect(items[0]).toEqual({
      ...NONE,
      state: "CO",
      entityId: "20208090445",
      name: "Mill Farm, LLC",
      status: "Delinquent",
      statusNormalized: "inactive",
      statusDate: "2022-05-01",
      entityType: "DLLC",
      entityTypeLabel: "Domestic Limited Liability Company",
      jurisdiction: "CO",
      domestic: true,
      formedDate: "2020-12-21",
      principalAddress: addressOf({
        line1: "55 Mill Street",
        city: "Denver",
        state: "CO",
        postalCode: "80206",
        country: "US",
      }),
      registeredAgent: {
        name: "JANE Q ROE",
        type: "person",
        // Of a person the state is told, and not the door.
        address: addressOf({ state: "CO" }),
      },
      agentStatus: null,
      url: expect.stringContaining("masterFileId=20208090445"),
    });
    // This company is called so.
    expect(items[1]).toMatchObject({
      name: "Mill, Merged Arts",
      registeredAgent: { type: "organization", address: { line1: "15 Farm Ave" } },
    });
    expect(total).toBe(123);
    expect(meta).toEqual({ state: "CO", dataset: "4ykn-tg5h" });
  });

  test("Connecticut: placeholders are no values, and agents are said to be left out", async () => {
    const { ask, queryOf } = open([{ url: "data.ct.gov/resource/n7gp-d28j.json", body: [CT] }]);
    const { items, meta } = await ask({ state: "CT", entityId: "2732224" });
    expect(queryOf(0).$where).toBe("accountnumber='2732224' OR id='2732224'");
    expect(items[0]).toMatchObject({
      state: "CT",
      entityId: "0018y000008a1JIAAY",
      accountNumber: null,
      formedDate: null,
      domestic: true,
      statusNormalized: "active",
      principalAddress: addressOf({ line1: "8 Mill Ter", state: "CT" }),
    });
    expect(meta).toMatchObject({ agentsOmitted: true });
  });

  test("text of the caller's stays text: quotes are doubled, wildcards are blanks", async () => {
    const { ask, queryOf } = open([
      { url: "count%28", body: [{ total: "0" }] },
      { url: "n9v6-gdp6", body: [] },
    ]);
    await ask({ state: "NY", name: "O'Neil') OR 1=1 -- 50%_off" });
    expect(queryOf(0).$where).toBe("upper(current_entity_name) like upper('%O''Neil'') OR 1=1 -- 50 off%')");
    await ask({ state: "NY", entityId: "1' OR '1'='1" });
    expect(queryOf(2).$where).toBe("dos_id='1'' OR ''1''=''1'");
  });

  test.each([{}, { name: "%%" }, { entityId: "   " }, { name: "a_" }])(
    "refuses %j before anything is asked",
    async (search) => {
      const { ask, seen } = open([]);
      await expect(ask({ state: "NY", ...search })).rejects.toMatchObject({ code: "INVALID_INPUT" });
      expect(seen).toEqual([]);
    },
  );

  test("nobody of that name is an empty list; a failed count leaves the total open", async () => {
    const { ask } = open([
      { url: "count%28", status: 500 },
      { url: "n9v6-gdp6", body: [] },
    ]);
    await expect(ask({ state: "NY", name: "nobody" })).resolves.toMatchObject({ items: [], total: null });
  });

  test("a token that the portal refuses is left out; a query that it cannot read is our fault", async () => {
    const exchanges = [
      { url: "n9v6", status: 403, body: { message: "Invalid app_token" } },
      { url: "n9v6", body: [NY] },
    ];
    const { ask, seen } = open(exchanges, { SOCRATA_APP_TOKEN: "wrong" });
    await expect(ask({ state: "NY", entityId: "3322706" })).resolves.toMatchObject({ total: 1 });
    expect(seen.map(({ headers }) => headers.get("x-app-token"))).toEqual(["wrong", null]);
    const drifted = open([{ url: "n9v6", status: 400, body: { errorCode: "query.soql.no-such-column" } }]);
    await expect(drifted.ask({ state: "NY", entityId: "3322706" })).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });
});
