import { CapabilityError } from "../errors.js";
import { fromMicros } from "../payment/money.js";
import type { Grant, Sale } from "./authorize.js";
import { type Call, contextFor } from "./call.js";
import { bodyBytes, type CallMeta, type Outcome, toOutcome } from "./respond.js";

/** With less time than this a settlement is not begun: a platform that cuts us off would leave a charge without answer. */
const MIN_SETTLE_MS = 10_000;

/** Does the work and makes it a deliverable outcome; rejects before any money moves if it cannot be delivered. */
export async function run(call: Call, { capability, input, amount }: Sale, grant: Grant): Promise<Outcome> {
  const { host, request } = call;
  const ctx = contextFor(host, capability, request.signal);
  const result = await capability.execute(input, ctx);
  const meta: CallMeta = {
    endpoint: capability.id,
    version: null,
    requestId: call.requestId,
    caller: grant.caller,
    costUsd: grant.caller === "paid" ? fromMicros(amount) : "0",
    quotedUsd: fromMicros(amount),
    durationMs: call.durationMs(),
    cached: false,
    ...(grant.trial ? { trial: grant.trial } : {}),
  };
  const outcome = toOutcome(capability, result, meta);
  assertDeliverable(call, outcome, grant);
  return outcome;
}

function assertDeliverable({ host, info }: Call, outcome: Outcome, grant: Grant): void {
  if (info.maxResponseBytes !== undefined && bodyBytes(outcome) > info.maxResponseBytes)
    throw new CapabilityError(
      "OVERLOADED",
      `The result is larger than the ${info.maxResponseBytes} bytes that this platform can carry; ask for less.`,
    );
  if (grant.caller === "paid" && info.deadline !== undefined && info.deadline - host.now() < MIN_SETTLE_MS)
    throw new CapabilityError(
      "UPSTREAM_TIMEOUT",
      "Too little time is left to settle the payment; nothing was charged.",
    );
}
