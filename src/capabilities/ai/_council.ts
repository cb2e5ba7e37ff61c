/** Members of a council, and its maximum cost. */
import type { Context } from "../../capability/types.js";
import { type Attos, tokenCost } from "../../engines/models/price.js";
import { promptTokens, roughTokensIn } from "../../engines/models/tokens.js";
import { CapabilityError, invalid } from "../../errors.js";
import { type Micros, toMicros } from "../../lib/money.js";
import { assertFits, findModel, listModels, type Model, tokenPriceOf } from "../../providers/ai-gateway/models.js";
import { modelPrice } from "../../providers/ai-gateway/spending.js";

/** Lowest and highest price of a council, in decimal US dollars. */
export const LEAST_USD = "0.012";
export const MOST_USD = "50";

export const MODES = ["fast", "balanced", "deep"] as const;
export type Mode = (typeof MODES)[number];

interface Preset {
  /** The setting that names the members, separated by commas, the chairman last. */
  setting: string;
  members: readonly string[];
  chairman: string;
  /** Whether each member reads the others' answers and answers again. */
  refine: boolean;
}

const PRESETS: Record<Mode, Preset> = {
  fast: {
    setting: "AI_COUNCIL_FAST",
    members: ["google/gemini-3.1-flash-lite", "openai/gpt-5.4-nano", "anthropic/claude-haiku-4.5"],
    chairman: "anthropic/claude-haiku-4.5",
    refine: false,
  },
  balanced: {
    setting: "AI_COUNCIL_BALANCED",
    members: ["anthropic/claude-sonnet-5", "openai/gpt-5.6-sol", "google/gemini-3.7-flash"],
    chairman: "anthropic/claude-sonnet-5",
    refine: true,
  },
  deep: {
    setting: "AI_COUNCIL_DEEP",
    members: [
      "anthropic/claude-sonnet-5",
      "openai/gpt-5.6-sol",
      "google/gemini-3.7-flash",
      "spacexai/grok-4.3",
      "deepseek/deepseek-v4-pro",
    ],
    chairman: "anthropic/claude-opus-5",
    refine: true,
  },
};

/** Replacements for models that the gateway no longer lists, because models are retired within months. */
const SPARES = [
  "google/gemini-2.5-flash",
  "openai/gpt-5-mini",
  "mistral/mistral-large-3",
  "anthropic/claude-haiku-4.5",
  "openai/gpt-4.1-mini",
  "openai/gpt-4o",
];

export interface Council {
  mode: Mode | "custom";
  members: readonly Model[];
  chairman: Model;
  refine: boolean;
}

/** Tokens beyond the prompt: roles, the task, and the members' labels. */
const REFINE_TOKENS = 200;
/**
 * A model counts another's text in its own tokens: for English a third more at most, for other scripts twice as many.
 */
const OTHERS_TOKENS = 2;
const CHAIR_TOKENS = 400;
/** The chairman writes a consensus, with some JSON around it. */
export const chairTokens = (maxTokens: number): number => 2 * maxTokens + 600;

/** Rejects with INVALID_INPUT for an unsuitable model, and with UPSTREAM_ERROR if a preset cannot be filled. */
export async function seat(
  { mode, models }: { mode: Mode; models?: string[] | undefined },
  ctx: Context,
): Promise<Council> {
  if (models) {
    const members = await Promise.all(models.map((id, index) => findModel(id, ctx, `models.${index}`)));
    for (const [index, model] of members.entries()) assertMember(model, `models.${index}`);
    // The most expensive member is the chairman.
    const chairman = members.reduce((best, model) => (costPerToken(model) > costPerToken(best) ? model : best));
    return { mode: "custom", members, chairman, refine: true };
  }
  const preset = presetOf(mode, ctx);
  const listed = new Map((await listModels(ctx)).filter(isMember).map((model) => [model.id, model]));
  const wanted = [...preset.members, ...SPARES.filter((id) => !preset.members.includes(id))];
  const members = wanted.flatMap((id) => listed.get(id) ?? []).slice(0, preset.members.length);
  const chairman = listed.get(preset.chairman);
  const head = chairman ?? members[0];
  if (members.length < 2 || !head)
    throw new CapabilityError("UPSTREAM_ERROR", `Too few models of the "${mode}" council are served at the moment.`);
  return { mode, members, chairman: head, refine: preset.refine };
}

/** The host's preset, if it set one. */
function presetOf(mode: Mode, ctx: Context): Preset {
  const preset = PRESETS[mode];
  const own = ctx
    .setting(preset.setting)
    ?.split(",")
    .map((id) => id.trim())
    .filter(Boolean);
  const chairman = own?.pop();
  return own && chairman && own.length >= 2 ? { ...preset, members: own, chairman } : preset;
}

const isMember = (model: Model): boolean => model.type === "language" && model.tokens !== undefined;

function assertMember(model: Model, field: string): void {
  if (model.type !== "language") throw invalid(field, `"${model.id}" does not chat`);
  tokenPriceOf(model, field);
}

const costPerToken = (model: Model): Attos => tokenCost(tokenPriceOf(model), 1, 1);

/** Maximum cost of all rounds. Refuses an answer that is longer than a member writes. */
function costOfCouncil(
  { members, chairman, refine }: Council,
  { prompt, maxTokens }: { prompt: string; maxTokens: number },
): Attos {
  const heardOf = (count: number) => count * maxTokens * OTHERS_TOKENS;
  const others = heardOf(members.length - 1) + REFINE_TOKENS;
  const rough = roughTokensIn(prompt, MEMBER_TASK);
  let total: Attos = 0n;
  for (const member of members) {
    const answers = (members.length - 1) * maxTokens + REFINE_TOKENS;
    assertFits(member, { prompt: rough + answers, answer: maxTokens, field: "maxTokens" });
    const price = tokenPriceOf(member);
    const asked = promptTokens([prompt, MEMBER_TASK], member.id);
    total += tokenCost(price, asked, maxTokens);
    if (refine) total += tokenCost(price, asked + others, maxTokens);
  }
  const heard = promptTokens([prompt, MEMBER_TASK], chairman.id) + heardOf(members.length) + CHAIR_TOKENS;
  // The chairman's answer has a fixed format, which may take a second attempt.
  return total + 2n * tokenCost(tokenPriceOf(chairman), heard, chairTokens(maxTokens));
}

/** The price of a council for this prompt, before the host's markup. */
export function priceOfCouncil(council: Council, asked: { prompt: string; maxTokens: number }, ctx: Context): Micros {
  const bounds = { min: toMicros(LEAST_USD), max: toMicros(MOST_USD) };
  return modelPrice(costOfCouncil(council, asked), bounds, ctx);
}

export const MEMBER_TASK =
  "Answer the question on your own, precisely and briefly. If you are not sure, say so. No preamble.";
