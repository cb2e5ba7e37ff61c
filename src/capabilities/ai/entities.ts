import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { plainProse } from "../../engines/models/prose.js";
import { formOf } from "../../providers/ai-gateway/answer.js";
import { aiGateway } from "../../providers/ai-gateway/provider.js";
import { askModel } from "./_ask.js";

const TYPES = "person, organization, location, date, product, event, money, law, work or other";

export const aiEntities = /* @__PURE__ */ defineCapability({
  id: "ai.entities",
  method: "POST",
  summary: "Find the people, organizations, places, dates, products and amounts that a text names.",
  keywords: ["named entity recognition", "ner", "extract names", "who is mentioned", "people and companies in text"],
  price: "0.036",
  billing: "upto",
  provider: aiGateway,
  input: () => z.strictObject({ text: text(1, 12_000).describe("The text to read") }),
  output: one(() =>
    z.object({
      entities: z.array(
        z.object({
          text: z.string(),
          type: z.string(),
          mentions: z
            .number()
            .int()
            .nullable()
            .describe("How often it occurs in the text; null if the text words it differently"),
        }),
      ),
      count: z.number().int(),
    }),
  ),
  example: { text: "Ada Lovelace met Charles Babbage in London in 1833." },
  async run({ text }, ctx) {
    const { value, source } = await askModel(
      {
        task: "fast",
        instructions: `List every named entity of the text once, as the text writes it, with its type: ${TYPES}.`,
        data: text,
        form: formOf("entities", found()),
        maxTokens: 3000,
      },
      ctx,
    );
    const named = new Map<string, { text: string; type: string; mentions: number | null }>();
    for (const entity of value.entities) {
      const name = plainProse(entity.text);
      const type = plainProse(entity.type).toLowerCase().slice(0, 40) || "other";
      // Counted here, because models count badly.
      if (name) named.set(`${type} ${name}`, { text: name, type, mentions: text.split(name).length - 1 || null });
    }
    const entities = [...named.values()];
    return { item: { entities, count: entities.length }, source };
  },
});

const found = () => z.object({ entities: z.array(z.object({ text: z.string(), type: z.string() })) });
