/** The eleven kinds of payload, as callers send them. */
import { z } from "zod";
import { isoDateTime, text, uri } from "../../capability/fields.js";

/** Text that can be written as UTF-8, including line breaks. */
const prose = (min: number, max: number) =>
  text(min, max).refine((value) => !/\p{Cs}/u.test(value), { error: "must not contain half a surrogate pair" });

/** Text of one line, because a line break could add a field to the format. */
const line = (min: number, max: number) =>
  prose(min, max).refine((value) => !/[\p{Cc}\u2028\u2029]/u.test(value), {
    error: "must be one line without control characters",
  });

/** Text for vCard and iCalendar, which cannot escape control characters other than line breaks. */
const note = (max: number) =>
  prose(0, max).refine((value) => !/(?![\t\n\r])\p{Cc}/u.test(value), {
    error: "must not contain control characters other than tabs and line breaks",
  });

const absoluteUri = () =>
  uri(2000).refine((value) => !/[\p{Cc}\p{Cs}]/u.test(value), { error: "must be an absolute URI" });

const email = () => z.email({ error: "must be an email address" }).max(254);

const plain = () => z.strictObject({ type: z.literal("text"), text: prose(1, 2000).describe("What the code carries") });

const link = () => z.strictObject({ type: z.literal("url"), url: absoluteUri().describe("The address to open") });

const mail = () =>
  z.strictObject({
    type: z.literal("email"),
    to: email().describe("The address to write to"),
    subject: line(0, 200).optional().describe("Subject of the message"),
    body: prose(0, 1000).optional().describe("Text of the message"),
  });

const sms = () =>
  z.strictObject({
    type: z.literal("sms"),
    to: line(1, 50)
      .refine((value) => !value.includes(":"), { error: "must not contain a colon" })
      .describe("The number to send to"),
    body: prose(0, 1000).optional().describe("Text of the message"),
  });

const phone = () =>
  z.strictObject({
    type: z.literal("phone"),
    number: line(1, 50)
      .refine((value) => /^\+?[0-9*#-]*[0-9][0-9*#-]*$/.test(dialled(value)), {
        error: "must be a telephone number of digits, such as +1 (555) 010-9999",
      })
      .describe("The number to call, best with + and country code"),
  });

const wifi = () =>
  z
    .strictObject({
      type: z.literal("wifi"),
      ssid: line(1, 100).describe("Name of the network"),
      password: line(0, 200).optional().describe("Its password"),
      security: z
        .enum(["WPA", "WEP", "none"])
        .optional()
        .describe("Kind of protection; WPA (2 and 3 too) when there is a password, else none"),
      hidden: z.boolean().optional().describe("Whether the network hides its name"),
    })
    .refine(({ password, security }) => password || !security || security === "none", {
      path: ["password"],
      error: "is required with security WPA or WEP",
    });

const vcard = () =>
  z.strictObject({
    type: z.literal("vcard"),
    name: line(1, 200).describe("Full name, or family name when firstName is given"),
    firstName: line(0, 100).optional().describe("Given name"),
    lastName: line(0, 100).optional().describe("Family name, when name is the full one"),
    phone: line(0, 50).optional().describe("Telephone number"),
    email: email().optional().describe("Email address"),
    org: line(0, 200).optional().describe("Organization"),
    title: line(0, 200).optional().describe("Job title"),
    url: absoluteUri().optional().describe("Website"),
    note: note(500).optional().describe("Anything else"),
  });

const geo = () =>
  z.strictObject({
    type: z.literal("geo"),
    lat: z.number().min(-90).max(90).describe("Latitude in degrees (WGS 84)"),
    lon: z.number().min(-180).max(180).describe("Longitude in degrees (WGS 84)"),
    altitude: z.number().min(-1e9).max(1e9).optional().describe("Metres above the ellipsoid"),
  });

const bitcoin = () =>
  z.strictObject({
    type: z.literal("bitcoin"),
    address: z
      .string()
      .regex(/^[A-Za-z0-9]{1,100}$/, { error: "must be 1 to 100 letters and digits" })
      .describe("The address to pay to"),
    amount: z
      .number()
      .gt(0)
      .max(21_000_000)
      .refine((value) => Number(value.toFixed(8)) === value, { error: "must have at most 8 decimals" })
      .optional()
      .describe("The amount in BTC"),
    label: line(0, 200).optional().describe("Name of the receiver"),
    message: prose(0, 500).optional().describe("What the payment is for"),
  });

const calendar = () =>
  z
    .strictObject({
      type: z.literal("calendar"),
      title: line(1, 200).describe("Title of the event"),
      start: eventTime().describe("When it begins"),
      end: eventTime().describe("When it ends"),
      location: line(0, 200).optional().describe("Where it is"),
      description: note(1000).optional().describe("What it is about"),
    })
    .refine(({ start, end }) => !(Date.parse(end) < Date.parse(start)), {
      path: ["end"],
      error: "must not be before start",
    });

const json = () =>
  z.strictObject({
    type: z.literal("json"),
    value: z
      .unknown()
      .refine((value) => toJson(value) !== undefined, { error: "must be a JSON value" })
      .describe("Any JSON value"),
  });

/** The eleven kinds of payload, distinguished by `type`. */
export const payloadSchema = () =>
  z.discriminatedUnion(
    "type",
    [plain(), link(), mail(), sms(), phone(), wifi(), vcard(), geo(), bitcoin(), calendar(), json()],
    {
      error: ({ code }) =>
        code === "invalid_union"
          ? "must be one of text, url, email, sms, phone, wifi, vcard, geo, bitcoin, calendar and json"
          : undefined,
    },
  );

export type Payload = z.output<ReturnType<typeof payloadSchema>>;

function eventTime() {
  // With an offset, the first and last hours of the four-digit years can fall outside.
  return isoDateTime().refine((value) => !isOutOfYears(Date.parse(value)), {
    error: "must be in the years 0000 to 9999 in UTC",
  });
}

function isOutOfYears(time: number): boolean {
  return time < Date.parse("0000-01-01T00:00:00Z") || time >= Date.parse("+010000-01-01T00:00:00Z");
}

/** RFC 3966 without the separators that people write. */
export function dialled(number: string): string {
  return number.replace(/[\s().]/gu, "");
}

/** Undefined for values that JSON cannot represent: functions, cycles, bigints, depths beyond the stack. */
export function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
