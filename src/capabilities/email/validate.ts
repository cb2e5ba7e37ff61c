import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";

const yesNo = (what: string) => z.boolean().nullable().describe(what);

export const emailValidate = /* @__PURE__ */ defineCapability({
  id: "email.validate",
  method: "POST",
  summary:
    "Judge an e-mail address by the standards, and tell role, free and disposable addresses and typos of well-known domains. No mail is sent.",
  keywords: [
    "email checker",
    "email syntax",
    "mailbox",
    "rfc 5322",
    "rfc 5321",
    "throwaway email",
    "temporary email",
    "disposable email",
    "typo in email",
    "internationalized email",
    "smtputf8",
    "sign-up",
    "gmial",
  ],
  price: "0.001",
  offline: true,
  source: {
    provider: "built-in",
    url: "https://github.com/disposable-email-domains/disposable-email-domains",
    license: "MIT (own code); CC0-1.0 (list of disposable domains)",
  },
  input: () => z.strictObject({ email: text(1, 1000).describe("The address, exactly as it was written") }),
  output: one(() =>
    z.object({
      syntax: z
        .enum(["valid", "rfc5321", "comment", "deprecated", "rfc5322", "error"])
        .describe(
          "valid: any server takes it; rfc5321: unusual, such as quoted or without a dot; comment and deprecated: only in headers; rfc5322: too long or such; error: none",
        ),
      valid: z.boolean().describe("Syntax is valid or rfc5321"),
      smtpUtf8: yesNo("Letters beyond ASCII before the @: servers need SMTPUTF8 (RFC 6531). A domain never needs it"),
      reason: z.string().nullable().describe("The gravest finding, in the words of is_email: err_consecutivedots …"),
      local: z.string().nullable().describe("Before the @, without comments"),
      domain: z.string().nullable(),
      asciiDomain: z.string().nullable().describe("As DNS has it; null for an IP address"),
      normalized: z
        .string()
        .nullable()
        .describe("With the domain in lower case and in ASCII, and letters composed (NFC)"),
      tags: z.array(z.string()).describe("What stands behind each + of the local part"),
      role: yesNo("A function such as info or sales, not a person"),
      free: yesNo("Of a provider where anybody gets an address"),
      disposable: yesNo("For some minutes only; null without the list"),
      suggestion: z.string().nullable().describe("The address that was probably meant"),
      mailboxChecked: z.literal(false),
    }),
  ),
  example: { email: "jane.doe+news@gmial.com" },
  async run({ email: text }) {
    const { readEmail } = await engine();
    const { email, date } = await readEmail(text);
    return { item: { ...email, mailboxChecked: false as const }, meta: method(date ? { data: date } : {}) };
  },
});

const engine = /* @__PURE__ */ lazy(() => import("../../engines/email/email.js"));
