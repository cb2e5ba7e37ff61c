import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { checkZone, dnsFor, zoneField } from "../../upstream/dns/zone-input.js";

const survey = /* @__PURE__ */ lazy(() => import("../../engines/mail-domain/survey.js"));
const names = /* @__PURE__ */ lazy(() => import("../../engines/domains/domain-name.js"));
const guard = /* @__PURE__ */ lazy(() => import("../../upstream/outbound/allowed-url.js"));

const record = () => ({
  present: z.boolean(),
  valid: z.boolean(),
  record: z.string().nullable().describe("As it is published"),
  errors: z.array(z.string()),
});

export const domainEmailSecurity = /* @__PURE__ */ defineCapability({
  id: "domain.email-security",
  method: "POST",
  summary:
    "Grade the mail of a domain: SPF, DMARC, DKIM, MTA-STS, TLS-RPT, BIMI and MX, as published, or as a zone would have it.",
  keywords: [
    "dmarc checker",
    "dmarc policy",
    "dkim key",
    "mta-sts",
    "tls-rpt",
    "bimi",
    "mx records",
    "email deliverability",
    "spoofing",
    "phishing protection",
    "mail domain audit",
    "spf and dmarc",
  ],
  price: "0.002",
  offline: true,
  source: { provider: "built-in", url: "https://www.rfc-editor.org/rfc/rfc9989", license: "MIT (own code)" },
  timeoutMs: 25_000,
  input: () =>
    z.strictObject({
      domain: text(1, 253).describe("The domain of the mail addresses, such as example.com"),
      selectors: z
        .array(
          z
            .string()
            .max(63)
            .regex(/^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/, { error: "must be a DKIM selector, such as google" }),
        )
        .max(10)
        .default([])
        .describe("DKIM selectors, s= in a signature. Left out: nine usual ones are tried, and those found are told"),
      zone: zoneField(),
    }),
  output: one(() =>
    z.object({
      domain: z.string(),
      spf: z.object({ ...record(), lookups: z.int().describe("Terms that ask the DNS, of at most 10") }),
      dmarc: z.object({
        ...record(),
        policy: z.enum(["none", "quarantine", "reject"]).nullable().describe("What holds for this domain"),
        tags: z.record(z.string(), z.string()),
        domain: z.string().nullable().describe("Whose record holds: this domain's, or that of the domain above it"),
      }),
      dkim: z.array(
        z.object({
          selector: z.string(),
          ...record(),
          keyType: z.string().nullable(),
          keyBits: z.int().nullable().describe("Of an RSA key"),
          revoked: z.boolean(),
          testing: z.boolean(),
        }),
      ),
      mtaSts: z
        .object({ ...record(), id: z.string().nullable() })
        .describe("The record; the policy's file is not fetched"),
      tlsRpt: z.object({ ...record(), rua: z.array(z.string()) }),
      bimi: z.object({ ...record(), location: z.string().nullable(), authority: z.string().nullable() }),
      mx: z.array(z.object({ preference: z.int(), host: z.string().describe("Empty: it takes no mail") })),
      grade: z
        .enum(["A", "B", "C", "D", "F"])
        .describe(
          "F: anybody may send in its name; D: SPF or DMARC is missing or broken; C: DMARC only watches; B: something is weak or missing; A: nothing is",
        ),
      reasons: z.array(z.string()).describe("What keeps it from a better grade"),
      rulesVersion: z.string().describe("Date of the rules of the grade"),
    }),
  ),
  example: {
    domain: "example.com",
    selectors: ["s1"],
    zone: {
      "example.com": [
        { type: "TXT", value: "v=spf1 ip4:192.0.2.0/24 -all" },
        { type: "MX", value: [10, "mx.example.com"] },
      ],
      "_dmarc.example.com": [{ type: "TXT", value: "v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com" }],
    },
  },
  async check({ domain, zone }, ctx) {
    const name = (await names()).readDomain(domain);
    if (typeof name === "string") throw invalid("domain", name);
    checkZone(zone);
    if (zone === undefined && !ctx.outbound.allowPrivate && (await guard()).isPrivateName(name.ascii))
      throw invalid("domain", "must be a public domain");
  },
  async run({ domain, selectors, zone }, ctx) {
    const [{ surveyMail }, { readDomain }] = await Promise.all([survey(), names()]);
    const name = readDomain(domain);
    if (typeof name === "string") throw invalid("domain", name);
    const item = await surveyMail(name.ascii, selectors, await dnsFor(zone, ctx));
    return { item, meta: method({ data: item.rulesVersion }) };
  },
});
