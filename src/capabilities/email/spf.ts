import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { checkZone, dnsFor, zoneField } from "../../upstream/dns/zone-input.js";

const engine = /* @__PURE__ */ lazy(() => import("../../engines/spf/check.js"));

export const emailSpf = /* @__PURE__ */ defineCapability({
  id: "email.spf",
  method: "POST",
  summary:
    "Judge by SPF (RFC 7208) whether an address may send mail for a domain, as published, or as it would be with a zone that you give.",
  keywords: [
    "spf",
    "sender policy framework",
    "rfc 7208",
    "spf record",
    "spf checker",
    "mail sender allowed",
    "include mechanism",
    "too many dns lookups",
    "permerror",
    "softfail",
  ],
  price: "0.001",
  offline: true,
  source: { provider: "built-in", url: "https://www.rfc-editor.org/rfc/rfc7208", license: "MIT (own code)" },
  timeoutMs: 20_000,
  input: () =>
    z.strictObject({
      ip: text(2, 45).describe("Address that sends the mail, IPv4 or IPv6"),
      mailFrom: text(0, 512)
        .default("")
        .describe("Sender of the envelope, such as jane@example.com; empty for bounces"),
      helo: text(0, 255).default("").describe("Name that the sender greets with; it is judged where mailFrom is empty"),
      zone: zoneField(),
    }),
  output: one(() =>
    z.object({
      result: z
        .enum(["none", "neutral", "pass", "fail", "softfail", "temperror", "permerror"])
        .describe("none: no record was found; temperror: the DNS does not answer; permerror: the record is broken"),
      explanation: z.string().nullable().describe("Why the domain says that it fails, by its exp="),
      mechanism: z.string().nullable().describe("The term that decided, as it stands in the record"),
      lookups: z.int().describe("Terms that asked the DNS, of at most 10"),
      voidLookups: z.int().describe("Those that found nothing there, of at most 2"),
      trace: z
        .array(z.object({ domain: z.string(), term: z.string(), outcome: z.string() }))
        .describe("The terms in the order in which they were tried"),
    }),
  ),
  example: {
    ip: "192.0.2.10",
    mailFrom: "billing@example.com",
    helo: "mail.example.com",
    zone: {
      "example.com": [{ type: "TXT", value: "v=spf1 include:_spf.example.net -all" }],
      "_spf.example.net": [{ type: "TXT", value: "v=spf1 ip4:192.0.2.0/24 -all" }],
    },
  },
  async check({ ip, mailFrom, helo, zone }) {
    const { isAddress } = await engine();
    if (!isAddress(ip)) throw invalid("ip", "must be an IPv4 or IPv6 address");
    if (mailFrom === "" && helo === "") throw invalid("mailFrom", "must not be empty where helo is");
    checkZone(zone);
  },
  async run({ zone, ...question }, ctx) {
    const { checkSpf } = await engine();
    const item = await checkSpf({ ...question, dns: await dnsFor(zone, ctx), now: ctx.clock() });
    return { item, meta: method() };
  },
});
