import { describe, expect, it } from "vitest";
import { promptTokens, tokensIn } from "../../../src/engines/models/tokens.js";
import { TEXTS } from "./texts.js";
import counts from "./token-counts.json" with { type: "json" };

/** Models whose texts the counted tokenizers read. */
const MODELS: Record<keyof typeof counts, string> = {
  o200k: "openai/gpt-5-mini",
  cl100k: "openai/gpt-4-turbo",
  llama2: "meta/llama-2-70b",
  llama3: "meta/llama-3.3-70b",
  mistral: "mistral/mistral-large-3",
  qwen3: "alibaba/qwen3-max",
  deepseek_v3: "deepseek/deepseek-v3.2",
  gemma3: "google/gemma-3-27b",
};

const pairs = Object.entries(counts).flatMap(([name, { tokens }]) =>
  Object.entries(tokens).map(([kind, real]) => {
    const bound = tokensIn(TEXTS[kind] ?? "", MODELS[name as keyof typeof counts]);
    return { name, kind, ratio: bound / real };
  }),
);

describe("how many tokens a text has at most", () => {
  it("is never below what eight tokenizers count, in texts of forty kinds", () => {
    expect(pairs.length).toBeGreaterThan(300);
    expect(pairs.filter(({ ratio }) => !(ratio >= 1))).toEqual([]);
  });

  it.each(Object.keys(counts))("is with %s at most 1.6 times the count, at the median", (tokenizer) => {
    const ratios = pairs.filter(({ name }) => name === tokenizer).map(({ ratio }) => ratio);
    expect(ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)]).toBeLessThanOrEqual(1.6);
  });

  it.each(["nobody/knows-1", "anthropic/claude-haiku-4.5", "google/gemini-3.1-pro", "xai/grok-4"])(
    "is for %s, of whose tokenizer nothing is known, the number of bytes",
    (model) => {
      for (const text of Object.values(TEXTS)) expect(tokensIn(text, model)).toBe(Buffer.byteLength(text));
    },
  );

  it("is that of the dearer family where a model comes from two", () => {
    const { digits = "" } = TEXTS;
    expect(tokensIn(digits, "deepseek/deepseek-r1-distill-qwen-32b")).toBe(tokensIn(digits, "alibaba/qwen-2.5-32b"));
    expect(tokensIn(digits, "deepseek/deepseek-r1")).toBeLessThan(tokensIn(digits, "alibaba/qwen-2.5-32b"));
  });

  it("counts an overhead for each message, and what a template says by itself", () => {
    expect(promptTokens(["", "", ""], "nobody/knows-1") - promptTokens([], "nobody/knows-1")).toBe(24);
    expect(promptTokens([], "meta/llama-3.3-70b")).toBeGreaterThan(promptTokens([], "openai/gpt-5-mini") + 50);
  });
});
