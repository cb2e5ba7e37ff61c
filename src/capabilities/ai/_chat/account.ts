/**
 * The cost of a stream of words while it comes: by the count that its price was quoted with, which no tokenizer exceeds,
 * until the gateway tells the usage.
 */
import type { Context } from "../../../capability/types.js";
import { type Attos, tokenCost } from "../../../engines/models/price.js";
import { createTokenCount, promptTokens } from "../../../engines/models/tokens.js";
import {
  type ChatCompletion,
  type ChatRequest,
  type ChatUsage,
  costOfCompletion,
  costOfUsage,
} from "../../../providers/ai-gateway/chat.js";
import type { ChatChunk } from "../../../providers/ai-gateway/chat-stream.js";
import type { Model } from "../../../providers/ai-gateway/models.js";
import { oweCost, reportCost } from "../../../providers/ai-gateway/spending.js";

export interface ChatAccount {
  /**
   * Counts a chunk when the gateway sends it, and returns the tokens of the answer so far. They are owed also by a reader that
   * leaves before it takes them.
   */
  note(chunk: ChatChunk): number;
  /** Counts so many tokens of the answer as used, before their last chunk is yielded. */
  use(tokens: number): void;
  /** Usage by the count, where the gateway tells none. */
  estimate(): ChatUsage;
  /** Counts what the gateway tells of the whole. */
  close(completion: ChatCompletion): Promise<void>;
}

export function createAccount(request: ChatRequest, model: Model | undefined, ctx: Context): ChatAccount {
  const { messages, maxTokens, format } = request;
  const prices = model?.tokens;
  const said = messages.map(({ content }) => (typeof content === "string" ? content : ""));
  const schema = format?.type === "json_schema" ? [JSON.stringify(format)] : [];
  const prompt = promptTokens([...said, ...schema], request.model);
  const answer = createTokenCount(request.model);
  const tokens = () => Math.min(answer.total(), maxTokens);
  /** A model that thinks and shows nothing of it may have thought as much as it may say. */
  // guard: a model that hides its thoughts counts with all that it may say | = false | ai-stream-leavers
  let hides = model?.thinks ?? false;
  let owed: Attos | undefined;
  return {
    note(chunk) {
      hides &&= chunk.choices.every(({ delta }) => !thoughtOf(delta));
      for (const said of wordsOf(chunk)) answer.add(said);
      const told = chunk.usage && costOfUsage(chunk.usage, prices);
      owed = told ?? (prices && tokenCost(prices, prompt, hides ? maxTokens : tokens()));
      if (owed !== undefined) oweCost(owed, ctx);
      return tokens();
    },
    use(count) {
      if (prices) reportCost(tokenCost(prices, prompt, count), ctx);
    },
    estimate: () => ({
      prompt_tokens: prompt,
      completion_tokens: tokens(),
      total_tokens: prompt + tokens(),
    }),
    async close(completion) {
      const cost = await costOfCompletion(request.model, completion, ctx);
      const due = cost ?? owed;
      if (due !== undefined) reportCost(due, ctx);
    },
  };
}

type Delta = ChatChunk["choices"][number]["delta"];
const thoughtOf = (delta: Delta) => delta.reasoning ?? delta.reasoning_content;

/** Thoughts are tokens of the answer, too, for which the gateway is paid though its buyer leaves. */
// guard: a broken chat costs its thoughts, too | - , thoughtOf(delta) | ai-stream
const wordsOf = ({ choices }: ChatChunk): string[] =>
  choices.flatMap(({ delta }) => [delta.content, delta.refusal, thoughtOf(delta)].filter((said) => said != null));
