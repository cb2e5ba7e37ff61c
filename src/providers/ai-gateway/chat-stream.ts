/** One chat completion as a stream: its chunks, validated. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { bodyOf, type ChatRequest, needsNewLimit, type TokenLimit, usage } from "./chat.js";
import { askGateway, brokenOff } from "./client.js";

const choice = () =>
  z.object({
    index: z.number().int().default(0),
    finish_reason: z.string().nullish(),
    error: z.unknown().optional(),
    delta: z
      .object({
        role: z.string().nullish(),
        content: z.string().nullish(),
        refusal: z.string().nullish(),
        // Thoughts, under the names of different gateways.
        reasoning: z.string().nullish().catch(null),
        reasoning_content: z.string().nullish().catch(null),
      })
      .default({}),
  });
const chunk = lazySchema(() =>
  z.object({
    id: z.string(),
    created: z.number().int().nonnegative().default(0),
    model: z.string(),
    choices: z.array(choice()).default([]),
    usage: usage().nullish().catch(null),
  }),
);
export type ChatChunk = z.output<ReturnType<typeof chunk>>;

/** Rejects as `complete` does; a stream that ends without a word about its end broke off, and is UPSTREAM_ERROR. */
export async function* streamChat(request: ChatRequest, ctx: Context): AsyncGenerator<ChatChunk, void, void> {
  const opened = await open(request, ctx, "max_tokens").catch((error: unknown) => {
    if (!needsNewLimit(error)) throw error;
    return open(request, ctx, "max_completion_tokens");
  });
  let isFinished = false;
  try {
    for await (const given of opened.chunks) {
      const read = readChunk(given);
      isFinished ||= read.choices.some(({ finish_reason: reason }) => reason);
      yield read;
    }
    if (!isFinished) throw new CapabilityError("UPSTREAM_ERROR", "The model broke off before its end.");
  } catch (error) {
    const ours = brokenOff(error);
    opened.fail(ours);
    throw ours;
  } finally {
    opened.end();
  }
}

/** Holds a place in the gateway's queue until the stream is over, and tells its breaker how it ended. */
async function open(request: ChatRequest, ctx: Context, limit: TokenLimit) {
  const body = { ...bodyOf(request, limit), stream: true as const, stream_options: { include_usage: true } };
  let end = () => {};
  let fail = (_: unknown) => {};
  const over = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  const chunks = await new Promise<AsyncIterable<unknown>>((resolve, reject) => {
    const work = askGateway(
      ctx,
      async (client, options) => {
        resolve(await client.chat.completions.create(body, options));
        await over;
      },
      { ...request, streamed: true },
    );
    work.catch(reject);
  });
  return { chunks, end, fail };
}

function readChunk(given: unknown): ChatChunk {
  const { data, error } = chunk().safeParse(given);
  if (error)
    throw new CapabilityError("UPSTREAM_SCHEMA", "The AI gateway answered in a form that is not known.", {
      cause: error,
    });
  if (data.choices.some(({ error, finish_reason: reason }) => error || reason === "error"))
    throw new CapabilityError("UPSTREAM_ERROR", "The model broke off with an error.");
  return data;
}
