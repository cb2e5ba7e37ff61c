import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { recognise } from "../../engines/pii/recognisers.js";
import { formOf } from "../../providers/ai-gateway/answer.js";
import { aiGateway } from "../../providers/ai-gateway/provider.js";
import { askModel } from "./_ask.js";

const TYPES = [
  "name",
  "email",
  "phone",
  "address",
  "ssn",
  "credit_card",
  "iban",
  "bank_account",
  "passport",
  "driver_license",
  "date_of_birth",
  "ip_address",
  "tax_id",
  "medical_record",
  "username",
  "password",
  "other",
];

export const aiPii = /* @__PURE__ */ defineCapability({
  id: "ai.pii",
  method: "POST",
  summary: "Find personal data in a text: names, e-mail and postal addresses, phone, card and identity numbers.",
  keywords: [
    "social security number",
    "ssn",
    "personal information",
    "privacy",
    "gdpr",
    "redact",
    "anonymize",
    "mask",
    "sensitive data",
    "dlp",
  ],
  price: "0.03",
  billing: "upto",
  provider: aiGateway,
  input: () => z.strictObject({ text: text(1, 12_000).describe("The text to search") }),
  output: one(() =>
    z.object({
      hasPii: z.boolean(),
      count: z.number().int(),
      types: z.array(z.string()),
      entities: z.array(z.object({ type: z.string(), value: z.string().describe("Exactly as the text has it") })),
    }),
  ),
  example: { text: "Write to Ada at ada@example.com." },
  async run({ text }, ctx) {
    const { value, source } = await askModel(
      {
        task: "fast",
        instructions: `List all personal data in the text, each value copied exactly as it stands there, with its type: ${TYPES.join(", ")}.`,
        data: text,
        form: formOf("personal_data", found()),
        maxTokens: 3000,
      },
      ctx,
    );
    const entities = new Map(recognise(text).map((finding) => [finding.value, finding]));
    // Findings by checksum override the model's, and values that the text does not contain are dropped.
    for (const entity of value.entities)
      if (entity.value && text.includes(entity.value) && !entities.has(entity.value))
        entities.set(entity.value, entity);
    const all = [...entities.values()].sort((a, b) => text.indexOf(a.value) - text.indexOf(b.value));
    const types = [...new Set(all.map(({ type }) => type))];
    return { item: { hasPii: all.length > 0, count: all.length, types, entities: all }, source };
  },
});

const found = () => z.object({ entities: z.array(z.object({ type: z.enum(TYPES), value: z.string() })) });
