/** The free lists of models, at this host's current prices. */
import { z } from "zod";
import type { Context, OptionsDocument } from "../../capability/types.js";
import { costOfImage } from "../../engines/models/image-price.js";
import { type Attos, attosToMicros, type Tier, timesFactor } from "../../engines/models/price.js";
import { fromMicros } from "../../lib/money.js";
import { listModels, type Model } from "../../providers/ai-gateway/models.js";
import { markupOf } from "../../providers/ai-gateway/spending.js";
import { MODES, priceOfCouncil, seat } from "./_council.js";

const MILLION = 1_000_000n;
/** A prompt of a line or two. */
const EXAMPLE_PROMPT = "x".repeat(300);
const EXAMPLE_MAX_TOKENS = 640;

const usd = () => z.string().nullable().describe("Decimal US dollars; null where it does not apply");

/** A cost as this host's price, with its margin on models and its markup. */
const sold = (cost: Attos, ctx: Context): string =>
  fromMicros(ctx.withMarkup(attosToMicros(timesFactor(cost, markupOf(ctx)))));

export const modelMenu: OptionsDocument = {
  path: "/ai/models",
  operationId: "aiModels",
  summary: "The models that ai.chat, ai.image and ai.council take, with prices.",
  schema: () =>
    z.object({
      total: z.int(),
      models: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          type: z.enum(["language", "image"]),
          vendor: z.string(),
          contextWindow: z.number().nullable().describe("Tokens of prompt and answer"),
          maxTokens: z.number().nullable().describe("Tokens of an answer"),
          inputUsdPerMTok: usd(),
          outputUsdPerMTok: usd(),
          imageUsd: usd().describe("Of one picture of the model's own size"),
          vision: z.boolean().describe("Whether it looks at pictures"),
        }),
      ),
    }),
  async read(ctx) {
    const models = (await listModels(ctx)).flatMap((model) => toRow(model, ctx));
    return { total: models.length, models };
  },
};

/** Undefined for a model without a price, which cannot be sold. */
function toRow(model: Model, ctx: Context) {
  const { id, name, type, contextWindow, maxTokens, tokens, vision } = model;
  const draws = type === "image" || model.images.length > 0;
  const image = draws ? costOfImage(model, { prompt: "" }) : undefined;
  if (type === "other" || (type === "language" ? !tokens : image === undefined)) return [];
  const perMillion = (tiers: readonly Tier[] = []) => (tiers[0] ? sold(MILLION * tiers[0].perToken, ctx) : null);
  return [
    {
      id,
      name,
      type,
      vendor: id.split("/")[0] ?? id,
      contextWindow,
      maxTokens,
      inputUsdPerMTok: perMillion(tokens?.input),
      outputUsdPerMTok: perMillion(tokens?.output),
      imageUsd: image === undefined ? null : sold(image, ctx),
      vision,
    },
  ];
}

export const councilMenu: OptionsDocument = {
  path: "/ai/council/menu",
  operationId: "aiCouncilMenu",
  summary:
    "The councils of ai.council with their members and what an example costs, and all models that can sit in one.",
  schema: () =>
    z.object({
      modes: z.array(
        z.object({
          mode: z.enum(MODES),
          models: z.array(z.string()),
          chairman: z.string(),
          refine: z.boolean().describe("Whether members read each other and answer again"),
          quoteUsd: z
            .string()
            .describe(`At most, for a prompt of 300 characters and ${EXAMPLE_MAX_TOKENS} tokens an answer`),
        }),
      ),
      models: z.array(z.object({ id: z.string(), inputUsdPerMTok: usd(), outputUsdPerMTok: usd() })),
    }),
  async read(ctx) {
    const example = { prompt: EXAMPLE_PROMPT, maxTokens: EXAMPLE_MAX_TOKENS };
    const modes = await Promise.all(
      MODES.map(async (mode) => {
        const council = await seat({ mode }, ctx).catch(() => undefined);
        if (!council) return [];
        const { members, chairman, refine } = council;
        const quoteUsd = fromMicros(ctx.withMarkup(priceOfCouncil(council, example, ctx)));
        return [{ mode, models: members.map(({ id }) => id), chairman: chairman.id, refine, quoteUsd }];
      }),
    );
    const models = (await listModels(ctx))
      .flatMap((model) => toRow(model, ctx))
      .filter(({ type }) => type === "language");
    return {
      modes: modes.flat(),
      models: models.map(({ id, inputUsdPerMTok, outputUsdPerMTok }) => ({ id, inputUsdPerMTok, outputUsdPerMTok })),
    };
  },
};
