import { describe, expect, test } from "vitest";
import { businessUkCompanies } from "../../../src/capabilities/business/uk-companies.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const secrets = { COMPANIES_HOUSE_API_KEY: "canary" };
  const ask = (input: Parameters<typeof businessUkCompanies>[0]) =>
    businessUkCompanies(input, { fetch: fake.fetch, cache: false, secrets });
  return { ...fake, ask };
}
const PROFILE = {
  company_name: "MILL PLC",
  company_number: "00445790",
  company_status: "active",
  type: "plc",
  jurisdiction: "england-wales",
  can_file: true,
  date_of_creation: "1947-11-27",
  registered_office_address: { premises: "12", address_line_1: "Mill Lane", locality: "Leeds", postal_code: "LS1 1AA" },
  sic_codes: ["47110"],
  previous_company_names: [{ name: "MILL LIMITED", effective_from: "1947-11-27", ceased_on: "1981-12-14" }],
  accounts: {
    accounting_reference_date: { day: "26", month: "02" },
    last_accounts: { type: "null" },
    next_due: null,
    overdue: false,
  },
  has_charges: true,
  has_insolvency_history: false,
};

describe("business.uk-companies", () => {
  test("IN-16 refuses a name with a control character without asking", async () => {
    const { ask, seen } = open();
    await expect(ask({ query: "mill\0" })).rejects.toMatchObject({ status: 400, issues: [{ path: "query" }] });
    expect(seen).toEqual([]);
  });

  test("gives the profile of a number that lost its zeros, and sends the key as a user name", async () => {
    const { ask, seen } = open({ url: "/company/00445790", body: PROFILE });
    const { items, total, meta } = await ask({ companyNumber: "445790" });
    expect(seen[0]?.headers.get("authorization")).toBe(`Basic ${btoa("canary:")}`);
    expect(items[0]).toMatchObject({
      companyNumber: "00445790",
      name: "MILL PLC",
      dissolvedDate: null,
      address: { line1: "12 Mill Lane", line2: null, locality: "Leeds", postalCode: "LS1 1AA", country: null },
      addressText: "12 Mill Lane, Leeds, LS1 1AA",
      previousNames: [{ name: "MILL LIMITED", from: "1947-11-27", to: "1981-12-14" }],
      accounts: { referenceDate: { day: 26, month: 2 }, lastMadeUpTo: null, lastType: null, overdue: false },
      confirmationStatement: null,
      foreignCompany: null,
      hasCharges: true,
      hasBeenLiquidated: null,
    });
    expect({ total, meta }).toEqual({ total: 1, meta: { mode: "profile" } });
  });

  test("searches by words", async () => {
    const item = {
      title: "MILL UK",
      company_number: "FC040879",
      company_status: "active",
      company_type: "oversea-company",
      address: { premises: "Mill House", address_line_1: "15 Mill Street", country: "South Africa" },
    };
    const { ask, seen } = open({ url: "/search/companies", body: { items: [item], total_results: 87 } });
    const { items, total } = await ask({ query: " mill ", limit: 5 });
    expect(Object.fromEntries(seen[0]?.url.searchParams ?? [])).toEqual({ q: "mill", items_per_page: "5" });
    expect(items[0]).toMatchObject({
      companyNumber: "FC040879",
      address: { line1: "Mill House, 15 Mill Street" },
      addressText: "Mill House, 15 Mill Street, South Africa",
      url: "https://find-and-update.company-information.service.gov.uk/company/FC040879",
    });
    expect(total).toBe(87);
  });

  test("a number that nobody has is a 404, a refused key is a matter of the host's", async () => {
    const missing = open({ url: "/company/", status: 404, body: { errors: [{ error: "company-profile-not-found" }] } });
    await expect(missing.ask({ companyNumber: "99999999" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    const refused = open({ url: "/company/", status: 401, body: { error: "Invalid Authorization" } });
    await expect(refused.ask({ companyNumber: "99999999" })).rejects.toMatchObject({ code: "PROVIDER_NOT_CONFIGURED" });
  });

  test("does not take another company's profile for this one's", async () => {
    const { ask } = open({ url: "/company/", body: PROFILE });
    await expect(ask({ companyNumber: "00445791" })).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });

  test.each([{}, { query: " " }, { companyNumber: "../../x" }, { query: "mill", companyNumber: "00445790" }])(
    "refuses %j",
    async (input) => {
      const { ask, seen } = open();
      await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT" });
      expect(seen).toEqual([]);
    },
  );
});
