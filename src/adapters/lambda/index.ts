import { isBelow } from "../../host/routes.js";
import { wrong } from "../../lib/options/check.js";
import { has } from "../../lib/options/kinds.js";
import type { AnyResponse } from "../../request/http/exchange.js";
import { createForwardedReader } from "../shared/forwarded.js";
import type { FetchHandler } from "../shared/mount.js";
import { assertHandler } from "../shared/option-checks.js";
import { type LambdaCall, type LambdaContext, type LambdaResult, readEvent } from "./events.js";
import { answerTo } from "./exchange.js";
import { type LambdaOptions, lambdaOptions } from "./options.js";
import { encodeAnswer, largestBody } from "./result.js";
import { streamed } from "./streamed.js";

export type { LambdaContext, LambdaResult } from "./events.js";
export type { LambdaOptions } from "./options.js";

/**
 * An AWS Lambda handler for the events of API Gateway (REST and HTTP, both payload formats), function URLs and
 * Application Load Balancers. Throws a TypeError for an event of another kind.
 *
 * Images are sent as base64: a REST API sends them as bytes once its binary media types include all types. Quotes name
 * the stage that buyers call, and `basePath` may contain it, as `/prod/api`, or not. A domain's path mapping in front
 * of the path must be part of the base path. With `stream`, a function URL of the mode `RESPONSE_STREAM` sends streams as
 * they come. AWS allows headers and query 10 KB on API Gateway, 16 KB a line on a
 * balancer.
 *
 * @example
 * ```ts
 * export const handler = lambda(handle);
 * ```
 */
export function lambda(handle: FetchHandler & { readonly basePath?: string }, options: LambdaOptions = {}) {
  assertHandler("lambda", handle);
  lambdaOptions("lambda options", options);
  const readForwarded = createForwardedReader(options, handle.logger);

  async function answer(event: unknown, context: LambdaContext): Promise<{ call: LambdaCall; answer: AnyResponse }> {
    const call = readEvent(event);
    const forwarded = readForwarded(call.sourceAddress, (name) =>
      name === "x-forwarded-for" ? call.forwardedFor : call.headers.get(name),
    );
    const place = locate(call, handle.basePath);
    const prefix = forwarded.prefix ?? place.prefix;
    const info = {
      clientAddress: forwarded.clientAddress,
      ...(prefix ? { prefix } : {}),
      maxResponseBytes: largestBody(call.limits.payloadBytes),
      ...deadlineOf(call, context, options),
    };
    return { call, answer: await answerTo(handle, { ...call, ...forwarded, path: place.path }, info) };
  }

  async function buffered(event: unknown, context: LambdaContext = {}): Promise<LambdaResult> {
    const { call, answer: made } = await answer(event, context);
    return call.toResult(await encodeAnswer(made, call.limits.payloadBytes));
  }
  return options.stream
    ? streamed(async (event, context) => (await answer(event, context)).answer, buffered)
    : buffered;
}

/**
 * Background work for a function that a scheduler calls, such as a rule of EventBridge Scheduler every minute. It
 * starts nothing in the last 20 seconds of the function's time, since an attempt at a callback may take that long: give
 * it 60. Resolves to the number of items handled.
 *
 * @example
 * ```ts
 * export const tick = scheduled(handle);
 * ```
 */
export function scheduled(handle: Ticking) {
  if (!has(handle, ["tick"]))
    throw wrong("scheduled: the first argument", "a handler, as createHandler makes it", handle);
  return async (_event: unknown, context: LambdaContext = {}): Promise<{ done: number }> => {
    const remainingMs = context.getRemainingTimeInMillis?.() ?? 2 * LAST_MS;
    return { done: await handle.tick({ budgetMs: Math.max(remainingMs - LAST_MS, remainingMs / 3) }) };
  };
}

const LAST_MS = 20_000;

interface Ticking {
  tick(options: { budgetMs: number }): Promise<number>;
}

/** The path relative to the API, and its prefix in the public path, usually the stage. */
function locate(call: LambdaCall, basePath: string | undefined): { path: string; prefix?: string } {
  const { publicPath } = call;
  const path = withoutStage(call, basePath);
  if (publicPath === undefined || publicPath === path) return { path };
  if (basePath !== undefined && !isBelow(basePath, path) && isBelow(basePath, publicPath)) return { path: publicPath };
  return publicPath.endsWith(path) ? { path, prefix: publicPath.slice(0, -path.length) } : { path };
}

/** The path without the stage in front, unless the handler's base path contains it. */
function withoutStage({ path, stage }: LambdaCall, basePath: string | undefined): string {
  if (!stage || !path.startsWith(`/${stage}/`)) return path;
  const rest = path.slice(stage.length + 1);
  const countsStage = basePath !== undefined && isBelow(basePath, path) && !isBelow(basePath, rest);
  return countsStage ? path : rest;
}

/** Time until which the answer is awaited: the end of the function's time or the gateway's, whichever comes first. */
function deadlineOf({ limits }: LambdaCall, context: LambdaContext, options: LambdaOptions): { deadline?: number } {
  // The platform's clock, because the event and the remaining time use it and no option can change it.
  const now = Date.now();
  const { gatewayTimeoutMs = limits.gatewayTimeoutMs } = options;
  const { receivedAt = now } = limits;
  // A cold start has used up part of the gateway's time. An older event is not a live call but a recorded one, from a
  // console or a test.
  const waiting = now - receivedAt;
  const startedAt = waiting >= 0 && waiting < gatewayTimeoutMs ? receivedAt : now;
  const remainingMs = context.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY;
  const deadline = Math.min(now + remainingMs, startedAt + gatewayTimeoutMs);
  return Number.isFinite(deadline) ? { deadline } : {};
}
