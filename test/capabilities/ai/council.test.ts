import { describe, expect, it } from "vitest";
import { aiCouncil } from "../../../src/capabilities/ai/index.js";
import { createContext } from "../../../src/capability/context.js";
import { type Asked, modelServer, type Reply } from "../../support/model-server.js";

const VERDICT = JSON.stringify({ consensus: "Four.", confidence: 0.9, agreement: "All say four.", dissent: [] });
const isChair = ({ body }: Asked) => body.response_format !== undefined;
const models = ["test/fast", "test/strong", "test/dear"];

const council = (member: (asked: Asked, count: number) => Reply | undefined) =>
  modelServer((asked, count) => (isChair(asked) ? VERDICT : member(asked, count)));

describe("ai.council", () => {
  it("asks all members, lets them read each other without names, and has the dearest merge", async () => {
    const { secrets, asked } = await council(({ body }) => `Four, says ${body.model}.`);
    const { items, meta } = await aiCouncil({ prompt: "2 + 2?", models }, { secrets });
    expect(items[0]).toMatchObject({ consensus: "Four.", confidence: 0.9, dissent: [] });
    expect(items[0]?.models.map(({ model, answered }) => [model, answered])).toEqual(
      models.map((model) => [model, true]),
    );
    expect(meta).toEqual({ mode: "custom", chairman: "test/dear", modelCount: 3, answered: 3 });
    expect(asked).toHaveLength(7);
    expect(asked.at(-1)?.body.model).toBe("test/dear");
    const review = asked[3]?.body.messages[1]?.content as string;
    expect(review.match(/Four, says/g)).toHaveLength(2);
  });

  it("LLM-5 refuses a confidence out of range instead of making one of it", async () => {
    const sure = VERDICT.replace("0.9", "90");
    const { secrets } = await modelServer((asked) => (isChair(asked) ? sure : "Four."));
    await expect(aiCouncil({ prompt: "2 + 2?", models }, { secrets })).rejects.toMatchObject({
      code: "LLM_BAD_OUTPUT",
    });
  });

  it("LLM-7 lets members that fail drop out, and does not charge for them", async () => {
    const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100, cost: 0.001 };
    const { secrets } = await modelServer((asked) => {
      if (isChair(asked)) return { content: VERDICT, usage };
      return asked.body.model === "test/strong" ? { status: 503 } : { content: "Four.", usage };
    });
    const ctx = createContext({ secrets }, { timeoutMs: 5000 });
    const result = await aiCouncil.execute(await aiCouncil.parse({ prompt: "2 + 2?", models }, ctx), ctx);
    expect(result.items[0]?.models[1]).toEqual({ model: "test/strong", answered: false, answer: null });
    expect(result.meta).toMatchObject({ answered: 2 });
    // Two members twice and the chairman once, at a tenth of a cent each, times 1.2.
    expect(ctx.meter.used).toBe(6000n);
  });

  it("LLM-7 needs two answers", async () => {
    const { secrets } = await council(({ body }) => (body.model === "test/fast" ? "Four." : { status: 500 }));
    await expect(aiCouncil({ prompt: "2 + 2?", models }, { secrets })).rejects.toMatchObject({
      code: "UPSTREAM_ERROR",
      status: 502,
    });
  });

  it("keeps the first answer of a member that fails in the second round", async () => {
    const { secrets } = await council(({ body }, count) => (count < 3 ? `First of ${body.model}` : { status: 500 }));
    const { items } = await aiCouncil({ prompt: "2 + 2?", models }, { secrets });
    expect(items[0]?.models[0]?.answer).toBe("First of test/fast");
  });

  it("has another preside where the chairman fails", async () => {
    const { secrets } = await modelServer((asked) =>
      isChair(asked) ? (asked.body.model === "test/dear" ? { status: 500 } : VERDICT) : "Four.",
    );
    const { meta } = await aiCouncil({ prompt: "2 + 2?", models }, { secrets });
    expect(meta).toMatchObject({ chairman: "test/fast" });
  });

  it("quotes more for more members, more tokens and a prompt that is longer", async () => {
    const { secrets } = await modelServer();
    const ctx = createContext({ secrets }, { timeoutMs: 5000 });
    const quote = async (input: object) =>
      aiCouncil.quote((await aiCouncil.parse({ prompt: "2 + 2?", ...input }, ctx)).input, ctx);
    const two = await quote({ models: models.slice(1) });
    expect(await quote({ models })).toBeGreaterThan(two);
    expect(await quote({ models: models.slice(1), maxTokens: 1280 })).toBeGreaterThan(two);
    expect(await quote({ models: models.slice(0, 2), maxTokens: 128 })).toBe(17_600n);
    expect(await quote({ models: ["test/fast", "test/strong"], maxTokens: 128, prompt: "?" })).toBeLessThan(17_600n);
    await expect(quote({ models: ["test/fast", "nobody/nothing"] })).rejects.toMatchObject({
      issues: [{ path: "models.1" }],
    });
  });

  it("fills a preset's empty seats from the host's own choice of models", async () => {
    const { secrets } = await council(() => "Four.");
    await expect(aiCouncil({ prompt: "2 + 2?", mode: "fast" }, { secrets })).rejects.toMatchObject({ status: 502 });
    const own = { ...secrets, AI_COUNCIL_FAST: "test/fast, test/strong, test/dear" };
    const { meta } = await aiCouncil({ prompt: "2 + 2?", mode: "fast" }, { secrets: own });
    expect(meta).toMatchObject({ mode: "fast", chairman: "test/dear", modelCount: 2 });
  });
});
