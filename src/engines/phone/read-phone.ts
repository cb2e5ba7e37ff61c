/** Telephone numbers, by Google's table of numbering plans. */
import { without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { named } from "../../lib/packages/named.js";

/** Google's code in JavaScript. A test compares the version with the package that is installed. */
export const PHONE_ENGINE = { engine: "google-libphonenumber", version: "3.2.47", data: "2026-09-29" };

const library = /* @__PURE__ */ lazy(() =>
  import("google-libphonenumber").catch(without("google-libphonenumber")).then(named),
);

export const PHONE_TYPES = [
  ...(["fixed_line", "mobile", "fixed_line_or_mobile", "toll_free", "premium_rate", "shared_cost"] as const),
  ...(["voip", "personal_number", "pager", "uan", "voicemail", "unknown"] as const),
] as const;

export interface Phone {
  valid: boolean;
  /** The length fits its country, even if nobody has such a number. */
  possible: boolean;
  /** null if it is valid. */
  reason: "format" | "length" | "component" | null;
  e164: string | null;
  national: string | null;
  international: string | null;
  rfc3966: string | null;
  country: string | null;
  callingCode: number | null;
  type: (typeof PHONE_TYPES)[number] | null;
  extension: string | null;
}

const UNREADABLE: Omit<Phone, "reason"> = {
  ...{ valid: false, possible: false, e164: null, national: null, international: null, rfc3966: null },
  ...{ country: null, callingCode: null, type: null, extension: null },
};

/** A number with a calling code names its country: +49, tel:+49, or a context of RFC 3966. */
const namesCountry = (text: string) => /^[^0-9A-Za-z\p{Nd}]*[+＋]|:\s*[+＋]|;phone-context=\+/u.test(text);

/** Whether a number cannot be read without a region. */
export const needsRegion = (text: string): boolean => /\p{Nd}/u.test(text) && !namesCountry(text);

/** Reads a number as people write it; `region` is where one without a calling code is dialled. */
export async function readPhone(text: string, region: string | undefined): Promise<Phone> {
  const { PhoneNumberUtil, PhoneNumberFormat, PhoneNumberType } = await library();
  const plans = PhoneNumberUtil.getInstance();
  let number: ReturnType<typeof plans.parse>;
  try {
    number = plans.parse(text, region);
  } catch (error) {
    return { ...UNREADABLE, reason: reasonOf(error) };
  }
  const valid = plans.isValidNumber(number);
  const possible = plans.isPossibleNumber(number);
  const type = PHONE_TYPES.find((name) => PhoneNumberType[name.toUpperCase()] === plans.getNumberType(number));
  const callingCode = number.getCountryCode();
  return {
    valid,
    possible,
    reason: valid ? null : possible ? "component" : "length",
    e164: plans.format(number, PhoneNumberFormat.E164),
    national: plans.format(number, PhoneNumberFormat.NATIONAL),
    international: plans.format(number, PhoneNumberFormat.INTERNATIONAL),
    rfc3966: plans.format(number, PhoneNumberFormat.RFC3966),
    country: isoCountry(plans.getRegionCodeForNumber(number)),
    callingCode: callingCode ?? null,
    type: type ?? "unknown",
    extension: number.getExtension() || null,
  };
}

/** Numbers that belong to no country, such as +800, have the region 001. */
const isoCountry = (region: string | null | undefined) => (region && /^[A-Z]{2}$/.test(region) ? region : null);

function reasonOf(error: unknown): "format" | "length" | "component" {
  const message = error instanceof Error ? error.message : "";
  if (/too (?:short|long)/i.test(message)) return "length";
  return /calling code/i.test(message) ? "component" : "format";
}
