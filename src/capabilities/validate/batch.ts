import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { countryCode, text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { rows } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { assertInstalled } from "../../lib/packages/installed.js";
import { builtIn, IDENTIFIER_KINDS, numberRegistry } from "./_fields.js";

const itemSchema = () =>
  z.strictObject({
    kind: text(1, 32).describe(
      "A kind of validate.identifier, a kind of the country's tax numbers, iban, tax-id, email or phone",
    ),
    value: text(1, 1000)
      .refine((value) => value.trim() !== "", { error: "must not be blank" })
      .describe("As it was written: 64 characters at most, phones 250, e-mail addresses 1,000"),
    country: text(2, 2)
      .overwrite((code) => code.toUpperCase())
      .optional()
      .describe("Of a tax number, ISO 3166-1 alpha-2"),
    region: countryCode().optional().describe("Where a phone number without a calling code is dialled"),
  });

type Item = z.output<ReturnType<typeof itemSchema>>;
type Answer = { valid: boolean; normalized: string | null; reason: string | null };

export const validateBatch = /* @__PURE__ */ defineCapability({
  id: "validate.batch",
  method: "POST",
  summary:
    "Check up to a hundred numbers of any kinds in one call: e-mail addresses, phones, IBANs, tax numbers and identifiers of a form.",
  keywords: [
    "form",
    "sign-up form",
    "onboarding",
    "customer data",
    "many numbers at once",
    "check a list",
    "clean contacts",
    "vendor onboarding",
  ],
  price: "0.002",
  offline: true,
  source: builtIn,
  input: () =>
    z.strictObject({ items: z.array(itemSchema()).min(1).max(100).describe("The numbers and addresses to check") }),
  output: rows(() =>
    z.object({
      index: z.int().describe("Of the item, from 0"),
      kind: z.string(),
      valid: z.boolean(),
      normalized: z.string().nullable(),
      reason: z.string().nullable().describe("format, length, checksum or component; for e-mail addresses the finding"),
    }),
  ),
  example: {
    items: [
      { kind: "email", value: "jane.doe@example.com" },
      { kind: "phone", value: "020 7946 0018", region: "GB" },
      { kind: "vat", value: "DE136695976", country: "DE" },
      { kind: "iban", value: "GB29 NWBK 6016 1331 9268 19" },
    ],
  },
  async check({ items }) {
    for (const [index, item] of items.entries()) await assertItem(item, `items.${index}`);
  },
  async run({ items }, ctx) {
    const now = ctx.clock();
    const { RULES_DATE } = await numberRegistry();
    const found = [];
    for (const [index, item] of items.entries()) found.push({ index, kind: item.kind, ...(await answerTo(item, now)) });
    return { items: found, total: found.length, meta: method({ data: RULES_DATE }) };
  },
});

const taxes = /* @__PURE__ */ lazy(() => import("../../engines/numbers/tax-id.js"));
const phones = /* @__PURE__ */ lazy(() => import("../../engines/phone/read-phone.js"));
const emails = /* @__PURE__ */ lazy(() => import("../../engines/email/email.js"));

const isIdentifier = (kind: string) => (IDENTIFIER_KINDS as readonly string[]).includes(kind);

async function assertItem({ kind, value, country, region }: Item, path: string): Promise<void> {
  const longest = { email: 1000, phone: 250 }[kind] ?? 64;
  if (value.length > longest) throw invalid(`${path}.value`, `must be at most ${longest} characters long`);
  if (kind === "email") return;
  if (kind === "phone") return assertPhone(value, region, path);
  // A country says that a kind of its own is meant.
  if (isIdentifier(kind) && country === undefined) return;
  await assertTaxKind(kind, country, path);
}

async function assertPhone(value: string, region: string | undefined, path: string): Promise<void> {
  assertInstalled("google-libphonenumber");
  const { needsRegion } = await phones();
  if (!region && needsRegion(value))
    throw invalid(`${path}.region`, "is needed for a number without a calling code such as +44: give its country");
}

async function assertTaxKind(kind: string, country: string | undefined, path: string): Promise<void> {
  const { kindsOf } = await taxes();
  const kinds = country === undefined ? undefined : await kindsOf(country);
  if (kinds && (kind === "tax-id" || kind === "vat" || kinds.includes(kind))) return;
  if (isIdentifier(kind)) return;
  if (country !== undefined && !kinds) throw invalid(`${path}.country`, "has no rules here");
  if (kinds) throw invalid(`${path}.kind`, `is not a kind of ${country}; kinds are ${kinds.join(", ")}`);
  if (kind === "tax-id" || kind === "vat") throw invalid(`${path}.country`, "is required for tax numbers");
  throw invalid(
    `${path}.kind`,
    `is not known; known are email, phone, tax-id with a country, ${IDENTIFIER_KINDS.join(", ")}`,
  );
}

async function answerTo(item: Item, now: Date): Promise<Answer> {
  if (item.kind === "email") return answerEmail(item.value);
  if (item.kind === "phone") return answerPhone(item);
  return (await answerTax(item, now)) ?? answerIdentifier(item, now);
}

async function answerEmail(value: string): Promise<Answer> {
  const { readEmail } = await emails();
  const { valid, normalized, reason } = (await readEmail(value)).email;
  return { valid, normalized, reason: valid ? null : reason };
}

async function answerPhone({ value, region }: Item): Promise<Answer> {
  const { readPhone } = await phones();
  const { valid, e164, reason } = await readPhone(value, region);
  return { valid, normalized: valid ? e164 : null, reason };
}

/** Undefined for a kind that the country does not have. */
async function answerTax({ kind, value, country }: Item, now: Date): Promise<Answer | undefined> {
  if (country === undefined) return undefined;
  const { kindsOf, judgeTaxId } = await taxes();
  if (kind !== "tax-id" && kind !== "vat" && !(await kindsOf(country))?.includes(kind)) return undefined;
  const { valid, matches, reason } = await judgeTaxId(
    { country, kind: kind === "tax-id" ? undefined : kind, value },
    now,
  );
  return { valid, normalized: matches[0]?.normalized ?? null, reason };
}

async function answerIdentifier({ kind, value }: Item, now: Date): Promise<Answer> {
  const verdict = await (await numberRegistry()).judgeIdentifier(kind, value, now);
  return { valid: verdict?.valid ?? false, normalized: verdict?.normalized ?? null, reason: verdict?.reason ?? null };
}
