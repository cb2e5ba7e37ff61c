import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { countryCode, text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

export const phoneNormalize = /* @__PURE__ */ defineCapability({
  id: "phone.normalize",
  method: "POST",
  summary:
    "Read a phone number as people write it: is it valid, its E.164, national and international form, country, and kind of line.",
  keywords: [
    "telephone",
    "mobile",
    "cell",
    "e164",
    "sms",
    "validate phone number",
    "country calling code",
    "dialling code",
    "landline",
    "toll free",
    "extension",
    "libphonenumber",
  ],
  price: "0.001",
  offline: true,
  packages: ["google-libphonenumber"],
  source: {
    provider: "built-in (google-libphonenumber)",
    url: "https://github.com/google/libphonenumber",
    license: "Apache-2.0",
  },
  input: () =>
    z.strictObject({
      phone: text(1, 250)
        .refine((value) => value.trim() !== "", { error: "must not be blank" })
        .describe("The number as it was written, with or without +, blanks and extension"),
      region: countryCode()
        .optional()
        .describe("Country where a number without +… is dialled; required if the number names none"),
    }),
  output: one(() =>
    z.object({
      valid: z.boolean().describe("Such numbers are given out; nobody was called"),
      possible: z.boolean().describe("Its length fits its country"),
      reason: z.enum(["format", "length", "component"]).nullable().describe("Why it is not valid"),
      e164: z.string().nullable(),
      national: z.string().nullable(),
      international: z.string().nullable(),
      rfc3966: z.string().nullable(),
      country: z.string().nullable().describe("null for numbers of no country, such as +800"),
      callingCode: z.int().nullable(),
      type: z
        .enum([
          ...(["fixed_line", "mobile", "fixed_line_or_mobile", "toll_free", "premium_rate", "shared_cost"] as const),
          ...(["voip", "personal_number", "pager", "uan", "voicemail", "unknown"] as const),
        ])
        .nullable(),
      extension: z.string().nullable(),
    }),
  ),
  example: { phone: "020 7946 0018", region: "GB" },
  async check({ phone, region }) {
    const { needsRegion } = await engine();
    if (!region && needsRegion(phone))
      throw invalid("region", "is needed for a number without a calling code such as +44: give its country");
  },
  async run({ phone, region }) {
    const { readPhone, PHONE_ENGINE } = await engine();
    return { item: await readPhone(phone, region), meta: method(PHONE_ENGINE) };
  },
});

const engine = /* @__PURE__ */ lazy(() => import("../../engines/phone/read-phone.js"));
