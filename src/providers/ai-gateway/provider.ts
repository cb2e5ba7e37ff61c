import { defineProvider, type Provider } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

const VERCEL = "https://ai-gateway.vercel.sh/v1";

/** The host's model for each kind of work: the settings that name them, and their defaults. */
const MODELS = {
  /** Short answers from closed sets. */
  fast: { setting: "AI_MODEL_FAST", model: "google/gemini-3.1-flash-lite", what: "short answers" },
  /** Reading and writing longer texts. */
  strong: { setting: "AI_MODEL_STRONG", model: "anthropic/claude-haiku-4.5", what: "reading and writing" },
  /** Looking at pictures. */
  vision: { setting: "AI_MODEL_VISION", model: "google/gemini-3.7-flash", what: "pictures" },
} as const;
export type ModelTask = keyof typeof MODELS;

/** Any OpenAI-compatible gateway; settings may replace the default one. */
export const aiGateway = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "AI gateway",
  url: "https://vercel.com/ai-gateway",
  license: "Generated content; subject to the model vendor's terms",
  terms: {
    resale: "limited",
    attribution: null,
    note: "What a model writes may be sold under the terms of its vendor and of the gateway, and some forbid selling bare access to their models.",
    url: "https://vercel.com/legal/ai-product-terms",
    checkedAt: null,
  },
  baseUrl: VERCEL,
  secret: {
    name: "AI_GATEWAY_API_KEY",
    required: true,
    in: { header: "authorization", prefix: "Bearer " },
    keyUrl: "https://vercel.com/docs/ai-gateway",
    free: false,
  },
  settings: [
    { name: "AI_GATEWAY_BASE_URL", what: "another OpenAI-compatible base, such as `https://openrouter.ai/api/v1`" },
    { name: "AI_MARKUP", what: "what models cost is sold at this factor, at least 1; 1.2 without it" },
    ...Object.values(MODELS).map(({ setting, model, what }) => ({
      name: setting,
      what: `the model for ${what}; \`${model}\``,
    })),
  ],
  packages: ["openai"],
  timeoutMs: 60_000,
  concurrency: 24,
});

const byBase = new Map<string, Provider>();

/** The gateway that this host chose. One object per address, because queue and breaker belong to it. */
export function gatewayOf(ctx: Context): Provider {
  const base = (ctx.setting("AI_GATEWAY_BASE_URL") ?? VERCEL).replace(/\/+$/, "");
  if (base === VERCEL) return aiGateway;
  let provider = byBase.get(base);
  if (!provider) {
    provider = { ...aiGateway, baseUrl: base, url: new URL(base).origin };
    byBase.set(base, provider);
  }
  return provider;
}

/** The host's model for a kind of work. */
export const modelFor = (task: ModelTask, ctx: Context): string =>
  ctx.setting(MODELS[task].setting) ?? MODELS[task].model;
