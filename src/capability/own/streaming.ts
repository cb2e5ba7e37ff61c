/** Capabilities that stream: chunks as they come, within the time limit of a call. */
import { createContext } from "../context.js";
import { assertAvailable, inTime, missing } from "../define.js";
import type { StreamingMaker, StreamWork } from "../definition.js";
import type { CallOptions, Context, Facts, Parsed } from "../types.js";

type Chunks<Result> = AsyncGenerator<unknown, Result, void>;

/** The members that a capability with a stream has beside the others. */
export const streaming: StreamingMaker = ({ id, stream }, facts, finished) => {
  if (!stream) return {};
  if (facts.wallet?.effects) throw new TypeError(`${id}: a change of a wallet's state cannot be streamed.`);

  async function* executeStream({ query }: Parsed, ctx: Context, prepared?: unknown) {
    return finished(
      yield* inTurn(id, (stream as StreamWork<never, unknown, unknown, unknown, Context>)(query, ctx, prepared), ctx),
      ctx,
    );
  }
  async function* invokeStream(input: unknown, ctx: Context) {
    assertAvailable(facts, missing(facts, ctx));
    const parsed = await facts.parse(input, ctx);
    parsed.judgeRest?.();
    return yield* executeStream(parsed, ctx, await facts.prepare?.(parsed, ctx));
  }
  return {
    executeStream,
    invokeStream,
    stream: (input: unknown, options?: CallOptions) =>
      directly({ invokeStream, timeoutMs: facts.timeoutMs }, input, options),
  };
};

/** The work of a call at once, where only a stream is defined: what the stream returns. */
export function drained<Raw, Query, Prepared>(
  id: string,
  stream: StreamWork<Raw, Query, Prepared, unknown, Context> | undefined,
) {
  if (!stream) throw new TypeError(`${id}.run is missing: the function that does the work; or give a \`stream\`.`);
  return async (query: Query, ctx: Context, prepared: Prepared): Promise<Raw> => {
    const chunks = inTurn(id, stream(query, ctx, prepared), ctx);
    let step = await chunks.next();
    while (!step.done) step = await chunks.next();
    return step.value;
  };
}

/** Each chunk is awaited within the call's time. Ending the loop early ends the work as well. */
async function* inTurn<Raw>(id: string, work: Chunks<Raw>, ctx: Context): Chunks<Raw> {
  try {
    for (;;) {
      const step = await inTime(id, () => work.next(), ctx);
      if (step.done) return step.value;
      yield step.value;
    }
  } finally {
    // Not awaited: work that ignores its signal may never come to its end.
    work.return(undefined as never).catch(() => {});
  }
}

/** A direct call as a stream, with a deadline of its own. */
async function* directly(
  { invokeStream, timeoutMs }: Required<Pick<Facts, "invokeStream" | "timeoutMs">>,
  input: unknown,
  given: CallOptions = {},
): Chunks<unknown> {
  const { readCallOptions } = await import("../option-checks.js");
  const options = readCallOptions(given);
  // The caller is trusted code, so a direct call may use the state of wallets.
  const ctx = createContext({ ...options, wallets: options.wallets ?? {} }, { timeoutMs });
  try {
    return yield* invokeStream(input, ctx);
  } finally {
    ctx.end();
  }
}
