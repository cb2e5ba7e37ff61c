/** A chat completion as a stream: chunks in the common format, counted as they come, and the whole at the end. */
import type { Context } from "../../../capability/types.js";
import type { ChatCompletion, ChatRequest, ChatUsage } from "../../../providers/ai-gateway/chat.js";
import { type ChatChunk, streamChat } from "../../../providers/ai-gateway/chat-stream.js";
import type { Model } from "../../../providers/ai-gateway/models.js";
import { createAccount } from "./account.js";
import type { StandardChunk } from "./chunk.js";
import { blameCaller } from "./refusals.js";

/** Yields the chunks, the first one with a text, and returns the whole completion. */
export async function* streamStandard(
  request: ChatRequest,
  model: Model | undefined,
  ctx: Context,
): AsyncGenerator<StandardChunk, ChatCompletion, void> {
  const whole = createWhole();
  const account = createAccount(request, model, ctx);
  const chunks = streamChat(request, ctx, { count: account.note });
  // Nothing is sold before the model has said something.
  const silent: StandardChunk[] = [];
  try {
    for (let step = await chunks.next().catch(blameCaller); !step.done; step = await chunks.next()) {
      const chunk = standardOf(step.value, ctx);
      whole.add(step.value, chunk);
      if (chunk.choices.length === 0 || (step.value.usage && isSilent(chunk))) continue;
      account.use(step.value.tokens);
      silent.push(chunk);
      if (isSilent(chunk)) continue;
      yield* silent.splice(0);
    }
  } finally {
    chunks.return().catch(() => {});
  }
  yield* silent;
  const { completion, last } = whole.end();
  yield { ...last, usage: countsOf(completion.usage ?? account.estimate()) };
  await account.close(completion);
  return completion;
}

const isSilent = ({ choices }: StandardChunk): boolean =>
  choices.every(({ delta, finish_reason: reason }) => !delta.content && !delta.refusal && reason === null);

/** The standard members; additions of a gateway are not passed on. */
function standardOf({ id, created, model, choices }: ChatChunk, ctx: Context): StandardChunk {
  return {
    id,
    object: "chat.completion.chunk",
    created: created || Math.floor(ctx.clock().getTime() / 1000),
    model,
    choices: choices.map(({ index, delta: { role, content, refusal }, finish_reason: reason }) => ({
      index,
      delta: {
        ...(role ? { role: "assistant" as const } : {}),
        ...(typeof content === "string" ? { content } : {}),
        ...(refusal ? { refusal } : {}),
      },
      finish_reason: reason ?? null,
    })),
  };
}

const countsOf = ({ prompt_tokens, completion_tokens, total_tokens }: ChatUsage) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens,
});

/** Puts the chunks together. */
function createWhole() {
  const messages = new Map<number, { content: string; refusal: string; reason: string | null }>();
  let first: StandardChunk | undefined;
  let usage: ChatUsage | null = null;
  return {
    add(given: ChatChunk, chunk: StandardChunk): void {
      first ??= chunk;
      usage = given.usage ?? usage;
      for (const { index, delta, finish_reason: reason } of chunk.choices) {
        const message = messages.get(index) ?? { content: "", refusal: "", reason: null };
        message.content += delta.content ?? "";
        message.refusal += delta.refusal ?? "";
        message.reason = reason ?? message.reason;
        messages.set(index, message);
      }
    },
    end(): { completion: ChatCompletion; last: StandardChunk } {
      const { id = "", created = 0, model = "" } = first ?? {};
      const choices = [...messages].map(([index, { content, refusal, reason }]) => ({
        index,
        finish_reason: reason,
        message: { role: "assistant" as const, content, ...(refusal ? { refusal } : {}) },
      }));
      // A choice without a word, since readers of the format look at the first one.
      const silence = { index: 0, delta: {}, finish_reason: null };
      const last = { id, object: "chat.completion.chunk" as const, created, model, choices: [silence] };
      return { completion: { id, created, model, choices, usage }, last };
    },
  };
}
