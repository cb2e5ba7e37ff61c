/** What sources say to who sells their answers on: every one of them, in every place that tells it. */
import { expect, test } from "vitest";
import { capabilities } from "../src/capabilities/index.js";
import { type Origin, type Terms, termsOf } from "../src/capability/terms.js";
import type { AnyCapability } from "../src/capability/types.js";
import { createHandler } from "../src/handler/handler.js";
import { readProviderFiles } from "./support/providers.js";
import { sourcesOf } from "./support/render-keys.js";
import { readOrigins, rowsOf } from "./support/render-terms.js";

const byId = new Map<string, AnyCapability>(capabilities.map((capability) => [capability.id, capability]));
const origins = await readOrigins();
const files = await readProviderFiles();

/** The directory's row, over HTTP, of a host with these keys and choices. */
async function rowOf(id: string, secrets: Record<string, string> = {}) {
  const capability = byId.get(id);
  const handle = createHandler({ capabilities: capability ? [capability] : [], payment: false, secrets });
  const response = await handle(new Request("https://api.example/api/directory"));
  await handle.close();
  return ((await response.json()) as { endpoints: { terms?: Terms }[] }).endpoints[0]?.terms;
}

test.each(origins.map((origin): [string, Origin] => [origin.name, origin]))("%s has terms", (_name, { terms }) => {
  expect(Object.keys(terms).sort()).toEqual(["attribution", "checkedAt", "note", "resale", "url"]);
  expect(["allowed", "share-alike", "limited", "forbidden", "unknown"]).toContain(terms.resale);
  expect(terms.note).toMatch(/^\S.{20,}\.$/);
  expect(new URL(terms.url).protocol).toBe("https:");
  expect(terms.attribution === null || terms.attribution.trim().length > 8).toBe(true);
  if (terms.checkedAt !== null) expect(new Date(terms.checkedAt).toISOString().slice(0, 10)).toBe(terms.checkedAt);
});

test("country.financials has the terms of the source that the host chose", async () => {
  const chosen = { COUNTRY_RISK_SOURCE: "damodaran" };
  const note = expect.stringMatching(/Damodaran.*Moody's.*ODbL/);
  expect(await rowOf("country.financials", chosen)).toMatchObject({ resale: "limited", note });
});

test("the table gives every source the endpoints that pass its data on", () => {
  const idle = rowsOf(origins, capabilities).filter(({ ids }) => ids.length === 0);
  expect(idle.map(({ names }) => names)).toEqual([]);
});

/** What a capability's code can reach and its rows do not tell, each for a reason. */
const NOT_TOLD: Record<string, Record<string, string>> = {
  "ai.web-answer": { "AI gateway": "is asked for nothing: the host's factor on what models cost stands there" },
  "country.financials": {
    "Damodaran Online (NYU Stern)": "is told where COUNTRY_RISK_SOURCE chooses it",
    "mledoze/countries (world-countries)": "is told where COUNTRY_RISK_SOURCE chooses Damodaran",
  },
  ...Object.fromEntries(
    ["aircraft.lookup", "aircraft.profile"].map((id) => [
      id,
      {
        "OpenSky Network": "is told where AIRCRAFT_SOURCE chooses it",
        adsbdb: "is told where AIRCRAFT_SOURCE chooses it",
      },
    ]),
  ),
};

test.each(capabilities.map(({ id }) => id))("%s tells the terms of every source that its code can ask", (id) => {
  const capability = byId.get(id);
  const sources = sourcesOf(id);
  const reached = files.filter(({ path }) => sources.has(path)).flatMap(({ providers }) => providers);
  if (reached.length > 0) expect(capability?.terms, "has an upstream").toBeDefined();
  for (const { name, terms } of reached) {
    if (terms.resale === "allowed" || NOT_TOLD[id]?.[name]) continue;
    expect(capability?.terms?.note, name).toContain(terms.note);
    expect(
      termsOf([
        { name, terms },
        { name: id, terms: capability?.terms ?? terms },
      ])?.resale,
    ).toBe(capability?.terms?.resale);
  }
});

const GECKO = ["coin", "coin-history", "global", "dex-networks", "dex-ohlcv", "dex-pools", "dex-search"];

test.each<[string, Terms["resale"], RegExp]>([
  ["crypto.kimchi-premium", "forbidden", /Coinbase.*Upbit.*Bithumb.*Binance/],
  ["crypto.address-history", "limited", /Etherscan/],
  ["business.kyb-360", "limited", /SAM\.gov/],
  ["code.repo-lookup", "limited", /GitHub/],
  ["calendar.earnings", "forbidden", /Finnhub/],
  ["calendar.ipo", "forbidden", /Finnhub/],
  ["country.financials", "forbidden", /Finnhub/],
  ...[...GECKO, "dex-token-pools"].map((name): [string, Terms["resale"], RegExp] => [
    `crypto.${name}`,
    "forbidden",
    /Gecko/,
  ]),
  ["crypto.cex-ticker", "forbidden", /Coinbase/],
  ["crypto.cex-klines", "forbidden", /Coinbase/],
  ["country.lookup", "share-alike", /ODbL.*share-alike/],
  ["calendar.holidays", "share-alike", /CC BY-SA.*share-alike.*python-holidays/],
  ["calendar.business-days", "share-alike", /CC BY-SA.*share-alike.*python-holidays/],
])("the row of %s says that resale is %s", async (id, resale, note) => {
  expect(await rowOf(id)).toMatchObject({ resale, note: expect.stringMatching(note) });
});

test.each(["aircraft.lookup", "aircraft.profile"])(
  "the row of %s follows the source that the host chose",
  async (id) => {
    expect(await rowOf(id)).toMatchObject({ resale: "allowed" });
    const chosen = await rowOf(id, { AIRCRAFT_SOURCE: "opensky-csv" });
    expect(chosen).toMatchObject({ resale: "forbidden", note: expect.stringContaining("OpenSky Network") });
  },
);

test("what nobody is asked for has no terms", async () => {
  expect(await rowOf("convert.unit")).toBeUndefined();
});

test("terms of several are those of the strictest, with everybody's lines and the oldest day", () => {
  const terms = (resale: Terms["resale"], attribution: string | null, checkedAt: string | null): Origin => ({
    name: resale,
    terms: { resale, attribution, note: `${resale}.`, url: `https://${resale}.example`, checkedAt },
  });
  const [open, like, closed] = [
    terms("allowed", "A", "2026-02-01"),
    terms("share-alike", "B", "2026-01-01"),
    terms("forbidden", null, "2026-03-01"),
  ];
  expect(termsOf([])).toBeUndefined();
  expect(termsOf([like])).toBe(like.terms);
  expect(termsOf([open, like, open, closed])).toEqual({
    resale: "forbidden",
    attribution: "B; A",
    note: "forbidden. share-alike. allowed.",
    url: "https://forbidden.example",
    checkedAt: "2026-01-01",
  });
  expect(termsOf([open, terms("limited", null, null)])?.checkedAt).toBeNull();
});
