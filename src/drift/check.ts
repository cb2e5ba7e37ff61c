/** Asks the upstreams of one capability once, through its own code, and says what became of each. */
import type { AnyCapability, CallOptions, LiveExample } from "../capability/types.js";
import { CapabilityError } from "../errors.js";
import { lazy } from "../lib/lazy.js";
import { classify, type DriftVerdict } from "./classify.js";
import type { Exchange, Observer } from "./observe.js";
import { type CallShape, readShape } from "./shape.js";

/** The generated file, loaded by the first check alone: nothing that sells needs it. */
export const storedShapes = /* @__PURE__ */ lazy(async () => (await import("./shapes.js")).SHAPES);

export const loadShapes = /* @__PURE__ */ lazy(
  async (): Promise<readonly CallShape[]> => (await storedShapes()).map(readShape),
);

export interface Checked {
  id: string;
  input: unknown;
  verdicts: DriftVerdict[];
  exchanges: Exchange[];
  /** Of the run, if it failed. */
  code?: string;
  status?: number;
}

export interface CheckOptions {
  observer: Observer;
  options: Omit<CallOptions, "fetch" | "cache" | "clock">;
  clock: () => Date;
  /** Whether the host's keys are used. */
  keyed: boolean;
}

const liveOf = ({ live }: AnyCapability): LiveExample => live || {};

/** Whether a capability has upstreams that a check can ask. */
export function isAskable(capability: AnyCapability, settings: Parameters<AnyCapability["originsAt"]>[0]): boolean {
  if (capability.live === false || capability.resold || capability.wallet) return false;
  return capability.originsAt(settings).some(({ packaged }) => !packaged);
}

/** Whether an answer costs the host money or a scarce allowance. */
export const isMetered = (capability: AnyCapability, settings: Parameters<AnyCapability["requiresAt"]>[0]): boolean =>
  liveOf(capability).metered ?? capability.requiresAt(settings).length > 0;

export function liveInput(capability: AnyCapability, now: Date): unknown {
  const { input } = liveOf(capability);
  if (typeof input === "function") return (input as (now: Date) => unknown)(now);
  return input ?? capability.example;
}

/** Runs the live example without caches. Never rejects. */
export async function checkCapability(capability: AnyCapability, given: CheckOptions): Promise<Checked> {
  const { observer, options, clock, keyed } = given;
  const input = liveInput(capability, clock());
  const call = { ...options, fetch: observer.fetch, cache: false as const, clock };
  const ran = await capability(input as never, call).then(
    (result: unknown) => ({ result, error: undefined }),
    (error: unknown) => ({ result: undefined, error: error ?? new Error("nothing") }),
  );
  const exchanges = observer.take();
  const { freshDays, mayBeEmpty = false } = liveOf(capability);
  const run = {
    exchanges,
    error: ran.error,
    isEmpty: hasNoRows(ran.result),
    expectsRows: !mayBeEmpty,
    freshDays,
    keyed,
    now: clock().getTime(),
  };
  const verdicts = await classify(run, await loadShapes());
  const { id } = capability;
  const failed = CapabilityError.is(ran.error) ? { code: ran.error.code, status: ran.error.status } : {};
  return { id, input, verdicts, exchanges, ...failed };
}

function hasNoRows(result: unknown): boolean {
  const { items } = (result ?? {}) as { items?: unknown };
  return Array.isArray(items) && items.length === 0;
}
