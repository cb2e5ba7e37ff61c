import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { emailSpf } from "../../../src/capabilities/email/index.js";
import { pathFromRoot } from "../../support/render-indexes.js";

type Zone = NonNullable<Parameters<typeof emailSpf>[0]["zone"]>;
interface Suite {
  zones: Record<string, Zone>;
  cases: {
    scen: string;
    name: string;
    host: string;
    mailfrom: string;
    helo: string;
    result: string | string[];
    explanation?: string;
  }[];
}
const { zones, cases }: Suite = JSON.parse(readFileSync(pathFromRoot("test/suites/domains/spf.json"), "utf8"));

const txt = (value: string) => [{ type: "TXT", value }];
async function judge(record: string, more: Zone = {}, input: object = {}) {
  const zone = { "example.com": txt(record), ...more };
  const { items } = await emailSpf({
    ip: "192.0.2.10",
    mailFrom: "a@example.com",
    helo: "mx.example.com",
    zone,
    ...input,
  });
  return items[0];
}

describe("email.spf", () => {
  it("tells what would happen, and why", async () => {
    const zone = {
      "example.com": txt("v=spf1 a:none.example.com include:_spf.example.net -all exp=why.example.com"),
      "_spf.example.net": txt("v=spf1 ip4:192.0.2.0/24 -all"),
      "why.example.com": txt("%{i} is not ours"),
    };
    const ask = { mailFrom: "billing@example.com", helo: "mail.example.com", zone };
    const { items, meta } = await emailSpf({ ip: "192.0.2.10", ...ask });
    expect(items).toEqual([
      {
        result: "pass",
        explanation: null,
        mechanism: "include:_spf.example.net",
        lookups: 2,
        voidLookups: 1,
        trace: [
          { domain: "example.com", term: "a:none.example.com", outcome: "no match" },
          { domain: "_spf.example.net", term: "ip4:192.0.2.0/24", outcome: "match" },
          { domain: "example.com", term: "include:_spf.example.net", outcome: "pass" },
        ],
      },
    ]);
    expect(meta).toMatchObject({ method: { engine: "built-in" } });
    const { items: others } = await emailSpf({ ip: "198.51.100.1", ...ask });
    expect(others[0]).toMatchObject({ result: "fail", mechanism: "-all", explanation: "198.51.100.1 is not ours" });
  });

  it("agrees with the 203 cases of the test suite of RFC 7208", async () => {
    const wrong = [];
    for (const { scen, name, host, mailfrom, helo, result, explanation } of cases) {
      const { items } = await emailSpf({ ip: host, mailFrom: mailfrom, helo, zone: zones[scen] ?? {} });
      const [found] = items;
      const isRight = [result].flat().includes(found?.result ?? "");
      // DEFAULT is the checker's own text where the domain gives none.
      const said = explanation === "DEFAULT" ? null : explanation;
      if (!isRight || (said !== undefined && found?.explanation !== said)) wrong.push([name, result, said, found]);
    }
    expect(wrong).toEqual([]);
    expect(cases).toHaveLength(203);
  });

  it("counts ten terms that ask the DNS, and no more", async () => {
    const hosts = { "h.example.com": [{ type: "A", value: "192.0.2.99" }] };
    const record = (count: number) => `v=spf1 ${"a:h.example.com ".repeat(count)}+all`;
    expect(await judge(record(10), hosts)).toMatchObject({ result: "pass", lookups: 10 });
    expect(await judge(record(11), hosts)).toMatchObject({ result: "permerror", lookups: 10 });
  });

  it("counts two terms that find nothing, and no more", async () => {
    expect(await judge("v=spf1 a:a.example.com a:b.example.com +all")).toMatchObject({
      result: "pass",
      voidLookups: 2,
    });
    expect(await judge("v=spf1 a:a.example.com exists:b.example.com mx:c.example.com +all")).toMatchObject({
      result: "permerror",
      voidLookups: 2,
    });
  });

  it("ends where records include one another", async () => {
    const more = { "b.example.com": txt("v=spf1 redirect=example.com") };
    expect(await judge("v=spf1 include:b.example.com -all", more)).toMatchObject({ result: "permerror" });
  });

  it("joins the strings of a record without blanks", async () => {
    const zone = { "example.com": [{ type: "TXT", value: ["v=spf1 ip4:192.0", ".2.10 -all"] }] };
    expect(await judge("", zone)).toMatchObject({ result: "pass" });
  });

  it("bounds what macros make", async () => {
    const zone = { "why.example.com": txt("%{l}".repeat(2_000)) };
    const found = await judge("v=spf1 -all exp=why.example.com", zone, { mailFrom: `${"l".repeat(400)}@example.com` });
    expect(found?.explanation).toHaveLength(5_000);
  });

  it.each([
    [{ ip: "192.0.2" }, "ip"],
    [{ ip: "fe80::1%eth0" }, "ip"],
    [{ ip: "" }, "ip"],
    [{ mailFrom: "", helo: "" }, "mailFrom"],
    [{ mailFrom: "a".repeat(513) }, "mailFrom"],
    [{ zone: Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`n${i}.example`, []])) }, "zone"],
    [{ zone: { "a.example": txt("a".repeat(66_000)) } }, "zone"],
  ])("refuses %#", async (input, path) => {
    const call = emailSpf({ ip: "192.0.2.1", mailFrom: "a@example.com", helo: "h.example.com", zone: {}, ...input });
    await expect(call).rejects.toMatchObject({ status: 400, issues: [{ path }] });
  });

  it("asks the host's resolver without a zone, and never for inner names", async () => {
    const asked: string[] = [];
    const records: Record<string, (string | { preference: number; host: string })[]> = {
      "TXT example.com": ["v=spf1 a:db.internal a:router a:inner.example.com mx -all"],
      "A inner.example.com": ["10.0.0.5"],
      "MX example.com": [{ preference: 10, host: "mx.example.com" }],
      "A mx.example.com": ["93.184.216.34", "10.0.0.5"],
    };
    const resolve = async (name: string, type: string) => {
      asked.push(`${type} ${name}`);
      return records[`${type} ${name}`] ?? [];
    };
    const ask = (ip: string) => emailSpf({ ip, mailFrom: "a@Example.com" }, { outbound: { resolve } });
    expect((await ask("93.184.216.34")).items[0]).toMatchObject({ result: "permerror" });
    records["TXT example.com"] = ["v=spf1 a:db.internal a:inner.example.com mx -all"];
    expect((await ask("93.184.216.34")).items[0]).toMatchObject({ result: "pass", mechanism: "mx", voidLookups: 2 });
    expect((await ask("10.0.0.5")).items[0]).toMatchObject({ result: "fail" });
    expect(new Set(asked)).toEqual(new Set(Object.keys(records)));
  });

  it.each([
    ...["printer.local", "nas.home.arpa", "x.svc.cluster.local.", "metadata.google.internal", "router.lan", "y.onion"],
    ...["pc.test", "pc.workgroup", "pc.alt", "pc.invalid", "%{l}.test"],
  ])("asks no resolver for %s", async (name) => {
    const asked: string[] = [];
    const resolve = async (...question: string[]) => {
      asked.push(question.join(" "));
      return asked.length === 1 ? [`v=spf1 exists:${name} -all`] : ["127.0.0.2"];
    };
    const { items } = await emailSpf({ ip: "192.0.2.1", mailFrom: "a@example.com" }, { outbound: { resolve } });
    expect(items).toMatchObject([{ result: "fail" }]);
    expect(asked).toEqual(["example.com TXT"]);
  });

  it("says temperror where the resolver fails", async () => {
    const resolve = () => Promise.reject(new Error("SERVFAIL"));
    const { items } = await emailSpf({ ip: "192.0.2.1", mailFrom: "a@example.com" }, { outbound: { resolve } });
    expect(items[0]).toMatchObject({ result: "temperror" });
  });
});
