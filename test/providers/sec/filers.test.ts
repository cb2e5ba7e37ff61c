import { describe, expect, test } from "vitest";
import { createContext } from "../../../src/capability/context.js";
import { findFiler, readTickers } from "../../../src/providers/sec/filers.js";
import { listedFilers, secTicker } from "../../../src/providers/sec/listed.js";
import { fakeClock } from "../../support/clock.js";
import { emptyBut } from "../../support/empty-but.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const TICKERS = {
  "0": { cik_str: 1652044, ticker: "GOOGL", title: "Alphabet Inc." },
  "1": { cik_str: 1067983, ticker: "BRK-B", title: "BERKSHIRE HATHAWAY INC" },
  "2": { cik_str: 1652044, ticker: "GOOG", title: "Alphabet Inc." },
};

function open(exchanges: Exchange[], secrets = {}) {
  const { fetch, seen } = fakeUpstream(exchanges);
  return { seen, ctx: createContext({ fetch, clock: fakeClock(), secrets }, { timeoutMs: 5000 }) };
}

describe("the tickers", () => {
  test("are found by ticker, by filer and by name; a filer has all of its own", async () => {
    const { ctx } = open([{ url: "https://www.sec.gov/files/company_tickers.json", body: TICKERS }]);
    const { byTicker, byCik, names } = await listedFilers(ctx);
    const alphabet = { cik: "1652044", name: "Alphabet Inc.", tickers: ["GOOGL", "GOOG"] };
    expect(byTicker.get("GOOG")).toEqual(alphabet);
    expect(byCik.get("1652044")).toBe(byTicker.get("GOOGL"));
    expect(byTicker.get(secTicker(" brk.b "))).toMatchObject({ cik: "1067983" });
    const { matches } = await names.search("alphabet incorporated", { threshold: 0.9, limit: 3 });
    expect(matches.map(({ listed }) => listed.bearer.cik)).toEqual(["1652044"]);
  });

  test("are read once a day, and indexed once", async () => {
    const { ctx, seen } = open([{ url: "company_tickers.json", body: TICKERS }]);
    expect(await listedFilers(ctx)).toBe(await listedFilers(ctx));
    expect(seen).toHaveLength(1);
  });

  test.each([
    ["an empty list", {}],
    ["a list without names", { "0": { cik_str: 1, ticker: "A" } }],
  ])("%s is no list", async (_, body) => {
    const { ctx } = open([{ url: "company_tickers.json", body }]);
    await expect(readTickers(ctx)).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });
});

const FILER =
  "entityType sicDescription ein category fiscalYearEnd stateOfIncorporation stateOfIncorporationDescription formerNames";

describe("a filer", () => {
  const url = "https://data.sec.gov/submissions/CIK0000789019.json";

  test("is asked for by its padded number; what is empty is null", async () => {
    const body = emptyBut(FILER, {
      cik: "0000789019",
      name: "MICROSOFT CORP",
      sic: "",
      tickers: ["MSFT"],
      exchanges: ["Nasdaq"],
      addresses: { business: { street1: "ONE MICROSOFT WAY", city: "REDMOND", stateOrCountry: "WA" } },
    });
    const { ctx, seen } = open([{ url, body }], { SEC_USER_AGENT: "Mill admin@mill.example" });
    await expect(findFiler("789019", ctx)).resolves.toMatchObject({
      cik: "789019",
      sic: null,
      lei: null,
      formerNames: [],
      addresses: { business: { city: "REDMOND", stateOrCountry: "WA" } },
    });
    expect(seen[0]?.headers.get("user-agent")).toBe("Mill admin@mill.example");
  });

  test("that is not there is undefined; another one is not taken for it", async () => {
    const none = open([{ url, status: 404, body: "<Error><Code>NoSuchKey</Code></Error>" }]);
    await expect(findFiler("789019", none.ctx)).resolves.toBeUndefined();
    const other = open([{ url, body: { cik: "0000000001", name: "SOMEBODY ELSE" } }]);
    await expect(findFiler("789019", other.ctx)).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });

  test("to whom the SEC does not answer without a contact is a failure, never nobody", async () => {
    const { ctx } = open([{ url, status: 403, body: "<html>Request Rate Threshold Exceeded</html>" }]);
    await expect(findFiler("789019", ctx)).rejects.toMatchObject({ status: 502 });
  });
});
