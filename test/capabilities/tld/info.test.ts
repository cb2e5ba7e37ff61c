import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { tldInfo } from "../../../src/capabilities/tld/index.js";
import { pathFromRoot } from "../../support/render-indexes.js";

const info = async (domain: string) => (await tldInfo({ domain })).items[0];
const SUITE: [string, string | null][] = JSON.parse(
  readFileSync(pathFromRoot("test/suites/domains/public-suffix.json"), "utf8"),
);

describe("tld.info", () => {
  it("takes a domain apart", async () => {
    expect(await info("WWW.Shop.Example.co.uk.")).toEqual({
      ascii: "www.shop.example.co.uk",
      unicode: "www.shop.example.co.uk",
      suffix: "co.uk",
      suffixKind: "icann",
      registrable: "example.co.uk",
      subdomain: "www.shop",
      tld: "uk",
      idn: false,
    });
  });

  it("dates the list that it goes by", async () => {
    const { meta } = await tldInfo({ domain: "example.com" });
    expect(meta).toMatchObject({ method: { engine: "built-in", data: expect.stringMatching(/^20\d\d-\d\d-\d\d$/) } });
  });

  it("agrees with the 77 cases of the Public Suffix List", async () => {
    const wrong = [];
    for (const [domain, registrable] of SUITE) {
      const found = await info(domain);
      if (found?.registrable !== registrable) wrong.push([domain, registrable, found]);
    }
    expect(wrong).toEqual([]);
    expect(SUITE).toHaveLength(77);
  });

  it.each([
    [
      "alice.github.io",
      { suffix: "github.io", suffixKind: "private", registrable: "alice.github.io", subdomain: null },
    ],
    ["github.io", { suffix: "github.io", suffixKind: "private", registrable: null }],
    ["a.b.unlisted", { suffix: "unlisted", suffixKind: null, registrable: "b.unlisted", subdomain: "a" }],
    ["www.städte.de", { ascii: "www.xn--stdte-hra.de", unicode: "www.städte.de", registrable: "städte.de", idn: true }],
    ["xn--stdte-hra.de", { unicode: "städte.de", registrable: "xn--stdte-hra.de", idn: true }],
    ["食狮。公司。cn", { ascii: "xn--85x722f.xn--55qx5d.cn", suffix: "公司.cn", registrable: "食狮.公司.cn" }],
    ["_dmarc.example.com", { subdomain: "_dmarc", registrable: "example.com" }],
    ["www.ck", { suffix: "ck", registrable: "www.ck", suffixKind: "icann" }],
  ])("reads %s", async (domain, parts) => expect(await info(domain)).toMatchObject(parts));

  it.each([
    "https://example.com/",
    "a..b",
    "-a.com",
    "192.0.2.1",
    "::1",
    ".",
    " ",
    "a b.com",
    `${"a".repeat(64)}.com`,
    `${"ü".repeat(62)}.com`,
    "a\0.com",
  ])("refuses %j, which is no domain", async (domain) =>
    expect(info(domain)).rejects.toMatchObject({ status: 400, issues: [{ path: "domain" }] }),
  );
});
