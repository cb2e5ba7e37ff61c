/** coinslot doctor --live: what it asks, what it says, and what it never says. */
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bankLookup } from "../../src/capabilities/bank/lookup.js";
import { main } from "../../src/cli/main.js";
import { readRecordings, replay } from "../support/recordings.js";

const BANK = {
  ...{
    CERT: 3511,
    NAME: "First Example Bank",
    FED_RSSD: "451965",
    ACTIVE: 1,
    ADDRESS: "1 Main St",
    CITY: "Sioux Falls",
  },
  ...{ STALP: "SD", STNAME: "South Dakota", ZIP: "57104", COUNTY: "Minnehaha", BKCLASS: "N", CHRTAGNT: "OCC" },
  ...{ REGAGNT: "OCC", ASSET: 1907928, DEP: 1563534, EQ: "169518", NETINC: -12, OFFICES: 4, ESTYMD: "01/02/1870" },
  ...{ INSDATE: "01/01/1934", ENDEFYMD: "12/31/9999", REPDTE: "06/30/2026", NAMEHCR: "FIRST EXAMPLE&CO" },
  ...{ RSSDHCR: "1120754", WEBADDR: "www.example.com" },
};
type Reply = () => Response;
const banks = (row: object) => () => Response.json({ meta: { total: 1 }, data: [{ data: row, score: 1 }] });
const today = (days = 0) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const rates = (date: string) => () => Response.json({ amount: 1, base: "USD", date, rates: { CAD: 1.37 } });

let out = "";
let err = "";
let asked: URL[] = [];
let answers: Record<string, Reply> = {};
const folder = mkdtempSync(join(tmpdir(), "doctor-live-"));

beforeEach(() => {
  out = "";
  err = "";
  asked = [];
  answers = { "api.fdic.gov": banks(BANK), "api.frankfurter.dev": rates(today()) };
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += text;
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    err += text;
    return true;
  });
  vi.stubGlobal("fetch", async (input: string | URL) => {
    const url = new URL(String(input));
    asked.push(url);
    return answers[url.host]?.() ?? new Response("gone", { status: 503 });
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const ONLY = "bank.lookup,convert.currency,calendar.earnings";
const live = (...more: string[]) =>
  main(["doctor", "--live", "--only", ONLY, ...more], { FINNHUB_API_KEY: "k-123456" });

describe("doctor --live", () => {
  it("asks each upstream once, prints a line for each and a sum, and ends in 0 where all is as it was", async () => {
    expect(await live()).toBe(0);
    expect(out.trim().split("\n").at(-1)).toBe("2 ok, 0 drift, 1 without a key, 0 away");
    expect(err).toMatch(/^FDIC BankFind Suite: ok$/m);
    expect(err).toMatch(/^Frankfurter.*: ok$/m);
    expect(asked.map(({ host }) => host)).toEqual(["api.fdic.gov", "api.frankfurter.dev"]);
  });

  it("names the path, the types and the capability where a type changed, and ends in 1", async () => {
    answers["api.fdic.gov"] = banks({ ...BANK, CERT: { id: 3511 } });
    expect(await live()).toBe(1);
    expect(out).toMatch(
      /^fdic +institutions +shape +data\[\]\.data\.CERT number -> object \(1 of 1\) +breaks bank\.lookup$/m,
    );
    // The older address, which stands in, does not answer.
    expect(out).toContain("1 ok, 1 drift, 1 without a key, 1 away");
  });

  it("tells old data from new by what the live example allows", async () => {
    answers["api.frankfurter.dev"] = rates(today(-40));
    expect(await live()).toBe(1);
    expect(out).toMatch(new RegExp(`latest +stale +newest ${today(-40)}, allowed 6 days +breaks convert.currency`));
  });

  it("ends in 3 after two tries where an upstream could not be asked, and in 1 where there is something to mend as well", async () => {
    answers["api.fdic.gov"] = () => new Response("Too many requests", { status: 429 });
    expect(await live()).toBe(3);
    expect(asked.filter(({ host }) => host === "api.fdic.gov")).toHaveLength(2);
    expect(out).toMatch(/fdic.* quota +status 429/);
    expect(out).toContain("1 ok, 0 drift, 1 without a key, 1 away");
    answers["api.frankfurter.dev"] = rates(today(-40));
    expect(await live()).toBe(1);
  });

  it("uses keys and asks what is metered only with --keys, within --max-usd", async () => {
    answers["finnhub.io"] = () => new Response("no", { status: 401 });
    expect(await live("--keys")).toBe(3);
    expect(asked.some(({ host }) => host === "finnhub.io")).toBe(true);
    expect(out).toMatch(/finnhub +earnings +auth/);
    asked = [];
    expect(await live("--keys", "--max-usd", "0")).toBe(0);
    expect(asked.some(({ host }) => host === "finnhub.io")).toBe(false);
    expect(err).toContain("calendar.earnings");
  });

  it("leaves out what it cannot price, says so, and asks none of it", async () => {
    const env = { AI_GATEWAY_API_KEY: "k-123456" };
    const round = (...more: string[]) =>
      main(["doctor", "--live", "--only", "ai.chat,ai.image,ai.sentiment", "--keys", ...more], env);
    expect(await round("--max-usd", "0.001")).toBe(3);
    expect(asked.map(({ pathname }) => pathname).filter((path) => !path.endsWith("/models"))).toEqual([]);
    expect(err).toMatch(/price could not be told.*ai\.chat.*ai\.image/);
    expect(err).toMatch(/for their cost.*ai\.sentiment/);
    expect(out).toContain("0 ok, 0 drift, 0 without a key, 0 away");
  });

  it("is used wrongly with an unknown group, a wrong amount or an option without --live: 2", async () => {
    expect(await main(["doctor", "--live", "--only", "banc"], {})).toBe(2);
    expect(err).toContain("Did you mean bank?");
    expect(await live("--max-usd", "much")).toBe(2);
    expect(await main(["doctor", "--keys"], {})).toBe(2);
    expect(asked).toEqual([]);
  });
});

describe("the report", () => {
  it("holds paths, types and counts, and no value, key, caller or address", async () => {
    const marked = Object.fromEntries(
      Object.entries(BANK).map(([name, value]) => [name, typeof value === "string" ? `MARKER ${value}` : value]),
    );
    answers["api.fdic.gov"] = banks({
      ...marked,
      CITY: undefined,
      MARKER_TOWN: "MARKER",
      CERT: "MARKER",
      "MARKER name": "MARKER",
      ACTIVE_MARKER: 1,
    });
    answers["finnhub.io"] = () =>
      new Response("<html>MARKER</html>", {
        status: 200,
        headers: { "x-MARKER": "MARKER", "content-type": "text/html" },
      });
    const report = join(folder, "drift.json");
    const env = { FINNHUB_API_KEY: "MARKER-key", FDIC_API_KEY: "MARKER-fdic", TREASURY_EVM: "MARKER" };
    expect(await main(["doctor", "--live", "--only", ONLY, "--keys", "--report", report, "--json"], env)).toBe(1);
    const text = readFileSync(report, "utf8");
    expect(JSON.parse(out)).toEqual(JSON.parse(text));
    const { findings, sums, versions } = JSON.parse(text);
    expect(findings.map((one: { class: string }) => one.class).sort()).toEqual(["blocked", "outage", "shape"]);
    expect(sums).toEqual({ ok: 1, drift: 1, withoutKey: 0, away: 2 });
    expect(versions).toMatchObject({ coinslot: expect.any(String), shapes: expect.stringMatching(/^[0-9a-f]{12}$/) });
    for (const secret of ["MARKER", "Sioux Falls", "Wells Fargo", "api_key", "https://"])
      expect(text).not.toContain(secret);
  });
});

describe("the new name of a field", () => {
  it("is told by its hash, since it may be a value, and in plain words only if it is made of the old one", async () => {
    // Fields that were recorded, and no others: among several that are new none is taken for another's new name.
    const { ASSET, DEP, EQ, NETINC, REPDTE, NAMEHCR, RSSDHCR, WEBADDR, STNAME, COUNTY, ENDEFYMD, ...known } = BANK;
    const { CITY: town, CERT, ...rest } = known;
    const nowOf = async (row: object) => {
      out = "";
      answers["api.fdic.gov"] = banks({ ...rest, ...row });
      await main(["doctor", "--live", "--only", "bank.lookup", "--json"], {});
      const { findings } = JSON.parse(out) as { findings: { differences: { now: string }[] }[] };
      return findings.flatMap(({ differences }) => differences.map(({ now }) => now));
    };
    expect(await nowOf({ CERT, JANE_DOE: town })).toEqual([expect.stringMatching(/^renamed \(hash [0-9a-f]{12}\)$/)]);
    expect(await nowOf({ CITY: town, CERT_NO: CERT })).toEqual(["renamed CERT_NO"]);
  });
});

describe("a recording of it", () => {
  it("replays as it is, without keys and addresses of people", async () => {
    answers["api.fdic.gov"] = banks({ ...BANK, WEBADDR: "k-98765432 of jane.doe@bank.example" });
    await main(["doctor", "--live", "--only", "bank.lookup", "--keys", "--record", folder], {
      FDIC_API_KEY: "k-98765432",
    });
    expect(asked[0]?.href).toContain("k-98765432");
    const [name = ""] = readdirSync(join(folder, "bank.lookup"));
    const text = readFileSync(join(folder, "bank.lookup", name), "utf8");
    expect(text).not.toMatch(/k-98765432|jane\.doe/);
    const [recorded] = readRecordings(folder).cases;
    if (!recorded) throw new Error("nothing was recorded");
    const { fetch } = replay(recorded.exchanges);
    const clock = () => new Date(recorded.now ?? "");
    const { items } = await bankLookup(recorded.input as never, { fetch, clock, cache: false, secrets: {} });
    expect(items.map(({ cert }) => cert)).toEqual(["3511"]);
  });
});
