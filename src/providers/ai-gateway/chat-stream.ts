/** One chat completion as a stream: its chunks, validated. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { isTimeUp } from "../../lib/abort.js";
import { createAhead, createUnreadRoom } from "../../lib/read-ahead.js";
import { bodyOf, type ChatRequest, needsNewLimit, newId, type TokenLimit, usage } from "./chat.js";
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
    id: z.string().nullish(),
    created: z.number().int().nonnegative().default(0),
    model: z.string().nullish(),
    choices: z.array(choice()).default([]),
    usage: usage().nullish().catch(null),
  }),
);
type Chunk = z.output<ReturnType<typeof chunk>>;
export type ChatChunk = Omit<Chunk, "id" | "model"> & { id: string; model: string };

/** Characters of an answer that may wait for its reader: more than any model says in one. */
const MOST_AHEAD = 2 ** 20;
const CHUNK_OVERHEAD = 200;
/** Characters of all answers that may wait in this process: 64 MB, of two bytes each. */
const room = /* @__PURE__ */ createUnreadRoom(32 * 2 ** 20);

export interface ChatStreamOptions {
  /** Counts a chunk when it comes, which may be long before its reader takes it. Returns the tokens of the answer so far. */
  count(chunk: ChatChunk): number;
}

/** A chunk, and the tokens of the answer up to its end. */
export type CountedChunk = ChatChunk & { tokens: number };

/**
 * Rejects as `complete` does; a stream that ends without a word about its end broke off, and is UPSTREAM_ERROR. The
 * gateway is read as it comes, and its place is given back when it ends, however slow the reader of the chunks is.
 */
export async function* streamChat(
  request: ChatRequest,
  ctx: Context,
  { count }: ChatStreamOptions,
): AsyncGenerator<CountedChunk, void, void> {
  const unnamed = { id: newId(), model: request.model };
  const opened = await open(request, ctx, "max_tokens").catch((error: unknown) => {
    if (!needsNewLimit(error)) throw error;
    return open(request, ctx, "max_completion_tokens");
  });
  const ahead = createAhead<CountedChunk>({ sizeOf, join, most: MOST_AHEAD, room });
  let hasLeft = false;
  const isLeft = () => hasLeft || (ctx.aborted && !isTimeUp(ctx.signal));
  const pump = async () => {
    let isFinished = false;
    try {
      for await (const given of opened.chunks) {
        const chunk = readChunk(given, unnamed);
        isFinished ||= chunk.choices.some(({ finish_reason: reason }) => reason);
        await ahead.put({ ...withoutThoughts(chunk), tokens: count(chunk) });
      }
      if (!isFinished) throw new CapabilityError("UPSTREAM_ERROR", "The model broke off before its end.");
      opened.end();
      ahead.end();
    } catch (error) {
      const ours = brokenOff(error);
      // A reader that leaves says nothing about the gateway's health.
      if (isLeft()) opened.end();
      else opened.fail(ours);
      ahead.end(ours);
    }
  };
  void pump();
  try {
    yield* ahead.items();
  } finally {
    hasLeft = true;
    opened.chunks.controller.abort();
  }
}

/** A chunk as its reader needs it: what a model thought is counted when it comes. */
const withoutThoughts = (chunk: ChatChunk): ChatChunk => ({
  ...chunk,
  choices: chunk.choices.map((one) => ({
    ...one,
    delta: { ...one.delta, reasoning: null, reasoning_content: null },
  })),
});

const sizeOf = ({ choices }: ChatChunk): number =>
  choices.reduce((sum, { delta }) => sum + (delta.content?.length ?? 0) + (delta.refusal?.length ?? 0), CHUNK_OVERHEAD);

/** Two chunks of one answer's text as one. */
function join(first: CountedChunk, second: CountedChunk): CountedChunk | undefined {
  const [one, ...more] = first.choices;
  const [next, ...others] = second.choices;
  if (!one || !next || more.length + others.length > 0 || one.index !== next.index) return undefined;
  if (first.usage || one.finish_reason || one.delta.refusal || next.delta.refusal) return undefined;
  const content = (one.delta.content ?? "") + (next.delta.content ?? "");
  return { ...second, choices: [{ ...next, delta: { ...next.delta, role: one.delta.role, content } }] };
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
  const chunks = await new Promise<Stream>((resolve, reject) => {
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

type Stream = AsyncIterable<unknown> & { controller: AbortController };

/** A chunk. Its id and model are those given if it has none, the same for all chunks of a stream. */
function readChunk(given: unknown, unnamed: { id: string; model: string }): ChatChunk {
  const { data, error } = chunk().safeParse(given);
  if (error)
    throw new CapabilityError("UPSTREAM_SCHEMA", "The AI gateway answered in an unknown format.", {
      cause: error,
    });
  if (data.choices.some(({ error, finish_reason: reason }) => error || reason === "error"))
    throw new CapabilityError("UPSTREAM_ERROR", "The model broke off with an error.");
  return { ...data, id: data.id || unnamed.id, model: data.model || unnamed.model };
}
