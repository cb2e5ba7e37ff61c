import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const engine = /* @__PURE__ */ lazy(() => import("../../engines/domains/suffix-info.js"));

export const tldInfo = /* @__PURE__ */ defineCapability({
  id: "tld.info",
  method: "GET",
  summary:
    "Split a domain by the Public Suffix List: suffix, registrable domain, subdomain, and both forms of an international name.",
  keywords: [
    "public suffix list",
    "registrable domain",
    "effective top level domain",
    "etld+1",
    "root domain",
    "subdomain",
    "punycode",
    "idn",
    "domain parser",
    "apex domain",
    "tldextract",
  ],
  price: "0.001",
  offline: true,
  source: {
    provider: "built-in (Public Suffix List)",
    url: "https://publicsuffix.org/list/",
    license: "MPL-2.0",
  },
  input: () =>
    z.strictObject({
      domain: text(1, 253).describe("The domain, such as www.example.co.uk; with or without final dot"),
    }),
  output: one(() =>
    z.object({
      ascii: z.string().describe("Lower case, as DNS has it"),
      unicode: z.string().describe("As people read it"),
      suffix: z.string().nullable().describe("Below which anybody registers; null for a name that begins with a dot"),
      suffixKind: z
        .enum(["icann", "private"])
        .nullable()
        .describe("icann: of a registry; private: of a company, such as github.io; null: in no list"),
      registrable: z
        .string()
        .nullable()
        .describe("The domain that somebody registered, in the form of the input; null for a suffix itself"),
      subdomain: z.string().nullable().describe("What stands before the registrable domain"),
      tld: z.string().describe("The last label"),
      idn: z.boolean().describe("Whether it has letters beyond ASCII"),
    }),
  ),
  example: { domain: "www.shop.example.co.uk" },
  async run({ domain }) {
    const { suffixInfo, PUBLIC_SUFFIX_DATE } = await engine();
    const item = suffixInfo(domain);
    if (typeof item === "string") throw invalid("domain", item);
    return { item, meta: method({ data: PUBLIC_SUFFIX_DATE }) };
  },
});
