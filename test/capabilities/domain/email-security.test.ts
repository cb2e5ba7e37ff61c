import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { domainEmailSecurity } from "../../../src/capabilities/domain/index.js";

type Input = Parameters<typeof domainEmailSecurity>[0];
type Zone = NonNullable<Input["zone"]>;

const txt = (value: string | string[]) => [{ type: "TXT", value }];
const keyOf = (modulusLength: number) =>
  generateKeyPairSync("rsa", { modulusLength }).publicKey.export({ type: "spki", format: "der" }).toString("base64");
const KEY = keyOf(2048);

const GOOD: Zone = {
  "example.com": [
    { type: "TXT", value: "google-site-verification=1" },
    { type: "TXT", value: "v=spf1 include:_spf.example.net -all" },
    { type: "MX", value: [20, "mx2.example.com"] },
    { type: "MX", value: [10, "mx1.example.com."] },
  ],
  "_spf.example.net": txt("v=spf1 ip4:192.0.2.0/24 -all"),
  "_dmarc.example.com": txt("v=DMARC1; p=Reject; rua=mailto:dmarc@example.com!10m"),
  "s1._domainkey.example.com": txt([`v=DKIM1; k=rsa; p=${KEY.slice(0, 200)}`, KEY.slice(200)]),
  "_mta-sts.example.com": txt("v=STSv1; id=20260101T000000;"),
  "_smtp._tls.example.com": txt("v=TLSRPTv1; rua=mailto:tls@example.com"),
  "default._bimi.example.com": txt("v=BIMI1; l=https://example.com/logo.svg; a="),
};

async function look(zone: Zone, more: Partial<Input> = {}) {
  const { items } = await domainEmailSecurity({ domain: "example.com", selectors: ["s1"], zone, ...more });
  const [item] = items;
  if (!item) throw new Error("nothing came back");
  return item;
}
const with_ = (changes: Zone) => look({ ...GOOD, ...changes });
const spf = async (value: string, more: Zone = {}) => (await with_({ "example.com": txt(value), ...more })).spf;
const dmarc = async (value: string) => (await with_({ "_dmarc.example.com": txt(value) })).dmarc;

describe("domain.email-security", () => {
  it("tells all records of a domain, and grades it", async () => {
    expect(await look(GOOD)).toMatchObject({
      domain: "example.com",
      spf: { present: true, valid: true, record: "v=spf1 include:_spf.example.net -all", lookups: 1, errors: [] },
      dmarc: {
        present: true,
        valid: true,
        policy: "reject",
        tags: { v: "DMARC1", p: "reject", rua: "mailto:dmarc@example.com!10m" },
        domain: "example.com",
        errors: [],
      },
      dkim: [{ selector: "s1", present: true, valid: true, keyType: "rsa", keyBits: 2048, revoked: false, errors: [] }],
      mtaSts: { present: true, valid: true, id: "20260101T000000" },
      tlsRpt: { present: true, valid: true, rua: ["mailto:tls@example.com"] },
      bimi: { present: true, valid: true, location: "https://example.com/logo.svg", authority: null },
      mx: [
        { preference: 10, host: "mx1.example.com" },
        { preference: 20, host: "mx2.example.com" },
      ],
      grade: "A",
      reasons: [],
      rulesVersion: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
  });

  it("grades a domain that neither sends nor takes mail by what it says of that", async () => {
    const parked = { "example.com": [...txt("v=spf1 -all"), { type: "MX", value: [0, ""] }] };
    const zone = { ...parked, "_dmarc.example.com": txt("v=DMARC1; p=reject; rua=mailto:a@example.com") };
    expect(await look(zone, { selectors: [] })).toMatchObject({
      grade: "A",
      mx: [{ preference: 0, host: "" }],
      dkim: [],
    });
  });

  it.each<[string, Zone, string]>([
    ["nothing", { "example.com": [], "_dmarc.example.com": [] }, "F"],
    ["everybody may send", { "example.com": txt("v=spf1 +all") }, "F"],
    ["no DMARC", { "_dmarc.example.com": [] }, "D"],
    ["no SPF", { "example.com": [] }, "D"],
    ["DMARC only watches", { "_dmarc.example.com": txt("v=DMARC1; p=none; rua=mailto:a@example.com") }, "C"],
    ["quarantine", { "_dmarc.example.com": txt("v=DMARC1; p=quarantine; rua=mailto:a@example.com") }, "B"],
    ["no key", { "s1._domainkey.example.com": [] }, "B"],
    ["no MTA-STS", { "_mta-sts.example.com": [] }, "B"],
    ["SPF that says nothing of others", { "example.com": txt("v=spf1 ?all") }, "B"],
    ["a name server that fails", { "_dmarc.example.com": [{ type: "TIMEOUT" }] }, "D"],
  ])("grades %s", async (_what, changes, grade) => {
    const found = await with_(changes);
    expect(found).toMatchObject({ grade });
    expect(found.reasons).not.toEqual([]);
  });

  it.each([
    ["v=spf1 a:a.test include:missing.test -all", false],
    ["v=spf1 ip4:1.2.3.400 -all", false],
    ["v=spf1 include:%{d}._spf.test exists:%{i}.test -all", true],
    ["v=spf1 include:loop.test -all", false],
    [`v=spf1 ${"exists:%{i}.test ".repeat(11)}-all`, false],
    ["v=spf1 mx:a.test mx:b.test a:c.test -all", false],
    ["v=spf1 -all", true],
  ])("judges %s by itself", async (record, valid) => {
    const found = await spf(record, { "loop.test": txt("v=spf1 include:example.com -all") });
    expect(found).toMatchObject({ present: true, valid });
    expect(found.errors.length > 0).toBe(!valid);
  });

  it.each([
    ["v=DMARC1;p=ReJect", true],
    ["v = DMARC1;p=reject;", true],
    ["v = DMARC1\t;\tp\t\t\t=\t\t\treject\t;", true],
    ["V=DMARC1;p=reject;", true],
    ["v=DMARC1; p=reject; pct=100; rf=afrf; ri=abc; xyz=foo", true],
    ["v=DMARC1; p=reject; np=quarantine; psd=n; t=y", true],
    ["v=DMARC1; rua=mailto:dmarc@example.com", true],
    ["v=DMARC1; p=none; rua=reports@dmarc.example,mailto:a@b.example", false],
    ["v=DMARC1; p=none; rua=__mailto:reports@dmarc.example", false],
    ["v=DMARC1; p=foo; rua=mailto:dmarc@example.com", false],
    ["v=DMARC1; p=reject; np=invalid", false],
    ["v=DMARC1; p=reject; psd=x", false],
    ["v=DMARC1; p=reject; fo=invalid_value", false],
    ["v=DMARC1; p=reject; p=none", false],
    ["v=DMARC1; p", false],
    ["v=DMARC1;", false],
  ])("reads %j as checkdmarc does", async (record, valid) => {
    const found = await dmarc(record);
    expect(found).toMatchObject({ present: true, valid });
    expect(found.policy === null).toBe(!valid);
  });

  it("goes by the domain above, and its word on subdomains", async () => {
    const zone = { ...GOOD, "_dmarc.example.com": txt("v=DMARC1; p=reject; sp=quarantine") };
    const { dmarc: found } = await look(zone, { domain: "News.Example.com" });
    expect(found).toMatchObject({ policy: "quarantine", domain: "example.com" });
  });

  it("takes no record that begins with a blank, and no two", async () => {
    expect(await dmarc(" v=DMARC1; p=reject")).toMatchObject({
      present: false,
      errors: [expect.stringContaining("blank")],
    });
    const two = [...txt("v=DMARC1; p=reject"), ...txt("v=DMARC1; p=none")];
    expect((await with_({ "_dmarc.example.com": two })).dmarc).toMatchObject({ present: true, valid: false });
  });

  it.each<[string, object]>([
    [`p=${keyOf(1024)}`, { valid: true, keyBits: 1024 }],
    [`v=DKIM1; p=${keyOf(512)}`, { valid: false, keyBits: 512 }],
    ["v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=", { valid: true, keyType: "ed25519" }],
    ["v=DKIM1; p=", { valid: false, revoked: true }],
    ["v=DKIM1; t=y; p=AAAA", { valid: false, testing: true }],
    ["v=DKIM1; k=rsa", { valid: false }],
  ])("reads key %#", async (record, parts) => {
    const { dkim } = await with_({ "s1._domainkey.example.com": txt(record) });
    expect(dkim[0]).toMatchObject({ selector: "s1", present: true, ...parts });
  });

  it("finds keys of the usual selectors where none is named", async () => {
    const { dkim } = await look({ "google._domainkey.example.com": txt(`p=${KEY}`) }, { selectors: [] });
    expect(dkim.map(({ selector }) => selector)).toEqual(["google"]);
  });

  it("asks the host's resolver without a zone", async () => {
    const asked = new Set<string>();
    const resolve = async (name: string, type: string) => {
      asked.add(`${type} ${name}`);
      return name === "example.com" && type === "TXT" ? ["v=spf1 include:db.internal -all"] : [];
    };
    const { items } = await domainEmailSecurity({ domain: "example.com" }, { outbound: { resolve } });
    expect(items[0]).toMatchObject({ spf: { valid: false }, grade: "F" });
    expect(asked).toContain("MX example.com");
    expect([...asked].filter((question) => question.includes("internal"))).toEqual([]);
  });

  it.each<[Partial<Input>, string]>([
    [{ domain: "https://example.com" }, "domain"],
    [{ domain: "a@example.com" }, "domain"],
    [{ domain: "192.0.2.1" }, "domain"],
    [{ domain: "" }, "domain"],
    [{ domain: "router.lan", zone: undefined }, "domain"],
    [{ domain: "localhost", zone: undefined }, "domain"],
    [{ selectors: new Array(11).fill("a") }, "selectors"],
    [{ selectors: ["a b"] }, "selectors.0"],
    [{ zone: { "example.com": txt("a".repeat(66_000)) } }, "zone"],
  ])("refuses %#", async (input, path) => {
    const call = domainEmailSecurity({ domain: "example.com", zone: {}, ...input });
    await expect(call).rejects.toMatchObject({ status: 400, issues: [{ path }] });
  });

  it("asks little of a record that includes itself many times over", async () => {
    const names = Array.from({ length: 10 }, (_, i) => `i${i}.test`);
    const wide = `v=spf1 ${names.map((name) => `include:${name}`).join(" ")} -all`;
    const zone = Object.fromEntries(names.map((name) => [name, txt(wide)]));
    const { spf: found } = await look({ ...zone, "example.com": txt(wide) });
    expect(found.valid).toBe(false);
    expect(found.lookups).toBeLessThan(1_000);
    expect(found.errors.length).toBeLessThan(200);
  });
});
