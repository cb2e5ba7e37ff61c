/** Answers that AWS's runtime for Node sends as they are made. */
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { AnyResponse } from "../../request/http/exchange.js";
import type { LambdaContext } from "./events.js";
import { openAnswer } from "./result.js";

type Buffered<Result> = (event: unknown, context?: LambdaContext) => Promise<Result>;

/** The global of AWS's runtime. */
interface AwsLambda {
  streamifyResponse(handler: (event: unknown, out: Writable, context?: LambdaContext) => Promise<void>): unknown;
  HttpResponseStream: {
    from(out: Writable, head: { statusCode: number; headers: Record<string, string>; cookies: string[] }): Writable;
  };
}

/** The runtime's own kind of handler; `buffered` where the runtime has none, as in a test. */
export function streamed<Result>(
  answer: (event: unknown, context: LambdaContext) => Promise<AnyResponse>,
  buffered: Buffered<Result>,
): Buffered<Result> {
  const { awslambda } = globalThis as { awslambda?: AwsLambda };
  if (!awslambda) return buffered;
  return awslambda.streamifyResponse(async (event, out, context = {}) => {
    const { status: statusCode, headers, cookies, body } = openAnswer(await answer(event, context));
    const sink = awslambda.HttpResponseStream.from(out, { statusCode, headers, cookies });
    // Without any byte the runtime would not send the head.
    if (Buffer.isBuffer(body)) sink.end(body.length > 0 ? body : "");
    else await pipeline(Readable.fromWeb(body as never), sink);
  }) as Buffered<Result>;
}
