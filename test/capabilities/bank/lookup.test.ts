import { describe, expect, it } from "vitest";
import { bankLookup } from "../../../src/capabilities/bank/lookup.js";
import { emptyBut } from "../../support/empty-but.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const NEW_HOST = "api.fdic.gov";
const OLD_HOST = "banks.data.fdic.gov";
/** What even a new bank has. */
const ALWAYS = "ADDRESS CITY STALP ZIP BKCLASS CHRTAGNT REGAGNT OFFICES ESTYMD";
const row = {
  CERT: 3511,
  NAME: "First Example Bank",
  FED_RSSD: "451965",
  ACTIVE: 1,
  ADDRESS: "1 Main St",
  CITY: "Sioux Falls",
  STALP: "SD",
  STNAME: "South Dakota",
  ZIP: "57104",
  COUNTY: "Minnehaha",
  BKCLASS: "N",
  CHRTAGNT: "OCC",
  REGAGNT: "OCC",
  ASSET: 1907928,
  DEP: 1563534,
  EQ: "169518",
  NETINC: -12,
  OFFICES: 4,
  ESTYMD: "01/02/1870",
  INSDATE: "01/01/1934",
  ENDEFYMD: "12/31/9999",
  REPDTE: "06/30/2026",
  NAMEHCR: "FIRST EXAMPLE&CO",
  RSSDHCR: "1120754",
  WEBADDR: "www.example.com",
};
const found = (...banks: object[]): Exchange => ({
  url: NEW_HOST,
  body: { meta: { total: 40 + banks.length }, data: banks.map((data) => ({ data, score: 1 })) },
});

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (input: Parameters<typeof bankLookup>[0]) =>
    bankLookup(input, { fetch: fake.fetch, cache: false, secrets: {} });
  return { ...fake, ask };
}
type Open = ReturnType<typeof open>;
const queryOf = ({ seen }: Open) => Object.fromEntries(seen[0]?.url.searchParams ?? []);

describe("bank.lookup", () => {
  it("gives banks with money in dollars, ids as texts and ISO dates", async () => {
    const { items, total, meta, source } = await open(found(row)).ask({ name: "first example" });
    expect(items).toEqual([
      {
        cert: "3511",
        name: "First Example Bank",
        rssdId: "451965",
        active: true,
        address: "1 Main St",
        city: "Sioux Falls",
        state: "SD",
        stateName: "South Dakota",
        zip: "57104",
        county: "Minnehaha",
        bankClass: "N",
        charterAgency: "OCC",
        regulator: "OCC",
        assetsUsd: 1_907_928_000,
        depositsUsd: 1_563_534_000,
        equityUsd: 169_518_000,
        netIncomeUsd: -12_000,
        offices: 4,
        established: "1870-01-02",
        insuredSince: "1934-01-01",
        closed: null,
        reportDate: "2026-06-30",
        holdingCompany: "FIRST EXAMPLE&CO",
        holdingCompanyRssdId: "1120754",
        website: "https://www.example.com",
        url: "https://banks.data.fdic.gov/bankfind-suite/bankfind/details/institution/3511",
      },
    ]);
    expect({ total, meta }).toEqual({ total: 41, meta: { limit: 10, offset: 0, status: "active" } });
    expect(source.provider).toBe("FDIC BankFind Suite");
  });

  it("reads old rows, where everything is text and missing is empty, and new ones, where it is left out", async () => {
    const old = {
      ...row,
      CERT: "10057",
      ASSET: "",
      NAMEHCR: "",
      ACTIVE: "0",
      ENDEFYMD: "03/01/2021",
      WEBADDR: "http://a.example",
    };
    const { items } = await open(found(old, emptyBut(ALWAYS, { CERT: 59381, NAME: "New Bank", ACTIVE: 1 }))).ask({
      status: "any",
    });
    expect(items[0]).toMatchObject({
      cert: "10057",
      active: false,
      assetsUsd: null,
      holdingCompany: null,
      closed: "2021-03-01",
      website: "http://a.example",
    });
    expect(items[1]).toMatchObject({ cert: "59381", rssdId: null, assetsUsd: null, reportDate: null, website: null });
  });

  it("names the state by its code, and tells of numbers that no bank came with", async () => {
    const { STNAME: _, FED_RSSD: __, ...bank } = row;
    const { items, meta } = await open(found(bank)).ask({ cert: "3511" });
    expect(items[0]).toMatchObject({ state: "SD", stateName: "South Dakota", rssdId: null });
    expect(meta).toMatchObject({ unavailable: ["rssdId"] });
    await expect(open(found(bank, bank, bank)).ask({ state: "SD" })).resolves.toMatchObject({ ok: true });
    const renamed = { ...bank, RSSDID: "1" };
    await expect(open(found(renamed, renamed, renamed)).ask({ state: "SD" })).rejects.toMatchObject({
      code: "UPSTREAM_SCHEMA",
    });
    const closed = { ...bank, ACTIVE: 0 };
    await expect(open(found(closed, closed, closed)).ask({ state: "SD" })).resolves.toMatchObject({ ok: true });
  });

  it("searches by name in the order of relevance, without the search language's operators", async () => {
    const service = open(found());
    await service.ask({ name: 'A&B: "Bank" (NOT) OR*', state: "tx", status: "inactive", limit: 50, offset: 20 });
    const { search, filters, sort_by, limit, offset } = queryOf(service);
    expect(search).toBe("NAME: A B Bank not or");
    expect({ filters, sort_by, limit, offset }).toEqual({
      filters: "STALP:TX AND ACTIVE:0",
      sort_by: undefined,
      limit: "50",
      offset: "20",
    });
  });

  it("finds by numbers, sorted by name, among the active unless told otherwise", async () => {
    const service = open(found());
    await service.ask({ cert: "0003511", rssdId: "451965" });
    expect(queryOf(service)).toMatchObject({ filters: "CERT:3511 AND FED_RSSD:451965 AND ACTIVE:1", sort_by: "NAME" });
    const any = open(found());
    await any.ask({ status: "any" });
    expect(queryOf(any)).not.toHaveProperty("filters");
  });

  it("has no banks where none match", async () => {
    const none = open({ url: NEW_HOST, body: { meta: { total: 0 }, data: [] } });
    expect(await none.ask({ cert: "9999999" })).toMatchObject({ items: [], total: 0, meta: { status: "active" } });
  });

  it.each([
    [{ totals: { count: 7 } }, 7],
    [{ meta: {} }, null],
  ])("counts the matches by %j", async (counts, total) => {
    expect((await open({ url: NEW_HOST, body: { ...counts, data: [{ data: row }] } }).ask({ state: "SD" })).total).toBe(
      total,
    );
  });

  it.each<[string, Parameters<typeof bankLookup>[0]]>([
    ["name", { name: "A" }],
    ["name", { name: "&&" }],
    ["cert", { cert: "12345678" }],
    ["cert", { cert: "1 OR" }],
    ["rssdId", { rssdId: "12345678901" }],
    ["state", { state: "T1" }],
    ["limit", { limit: 51 }],
    ["offset", { offset: 10_001 }],
  ])("refuses a bad %s without asking", async (path, input) => {
    const { ask, seen } = open();
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
    expect(seen).toEqual([]);
  });

  it("asks at the older address when the newer one is down", async () => {
    const { ask, seen } = open({ url: NEW_HOST, status: 500 }, { ...found(row), url: OLD_HOST });
    expect((await ask({ cert: "3511" })).items).toHaveLength(1);
    expect(seen.at(-1)?.url.href).toMatch(/^https:\/\/banks\.data\.fdic\.gov\/api\/institutions\?/);
  });

  it.each<[string, Exchange, string]>([
    ["both addresses down", { url: "", drop: true }, "UPSTREAM_ERROR"],
    ["an answer without rows", { url: "", body: { meta: { total: 0 } } }, "UPSTREAM_SCHEMA"],
    ["renamed key fields", { url: "", body: { meta: { total: 1 }, data: [{ data: { ID: "1" } }] } }, "UPSTREAM_SCHEMA"],
    ["a used-up allowance", { url: "", status: 429, headers: { "retry-after": "30" } }, "UPSTREAM_RATE_LIMIT"],
  ])("UP-2 %s is no empty list", async (_, exchange, code) => {
    await expect(open(exchange).ask({ name: "first" })).rejects.toMatchObject({ code });
  });
});
