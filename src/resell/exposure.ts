/**
 * What a reseller may lose to one origin: what was paid there within the last hour without any answer, and what calls under
 * way may cost, is bounded together, whoever the buyers are. It is counted for each client, in its process.
 */
import type { Context } from "../capability/types.js";
import type { Client } from "../client/types.js";
import { CapabilityError } from "../errors.js";
import { type Micros, toMicros } from "../lib/money.js";
import { HOUR_MS } from "../lib/time.js";
import { type Waiter, waitIn } from "../lib/wait.js";

/** Any client of it; one that does not tell what went unanswered is held to calls under way alone. */
export type Origin = Pick<Client, "$call"> & Partial<Pick<Client, "$unansweredUsd">>;

export interface ResaleExposure {
  /** Rejects where the origin is not asked at the moment. */
  assertOpen(limit: Micros, ctx: Context): void;
  /** Before a call that may cost `most`: waits for others to end. Resolves to what ends it; rejects as `assertOpen` does. */
  enter(most: Micros, limit: Micros, ctx: Context): Promise<() => void>;
  /** The origin takes no calls of ours for so many seconds. */
  pause(seconds: number, ctx: Context): void;
}

const exposures = new WeakMap<Origin, ResaleExposure>();

/** Shared by all that is sold over one client. */
export function exposureOf(client: Origin): ResaleExposure {
  const exposure = exposures.get(client) ?? createExposure(client);
  exposures.set(client, exposure);
  return exposure;
}

/** An answer to a lost payment may still come. */
const LOOK_AGAIN_SECONDS = 60;

function createExposure(client: Origin): ResaleExposure {
  const waiting: Waiter[] = [];
  let underWay = 0n;
  let pausedUntil = 0;
  const unanswered = () => toMicros(client.$unansweredUsd?.() ?? "0");

  function assertOpen(limit: Micros, { clock }: Context): void {
    const pausedMs = pausedUntil - clock().getTime();
    if (pausedMs > 0) throw away(Math.ceil(pausedMs / 1000));
    if (unanswered() >= limit) throw away(LOOK_AGAIN_SECONDS);
  }

  return {
    assertOpen,
    async enter(most, limit, ctx) {
      for (;;) {
        assertOpen(limit, ctx);
        const atRisk = unanswered() + underWay;
        // However dear, one call may be made where nothing else is at risk.
        if (atRisk === 0n || atRisk + most <= limit) break;
        if (underWay === 0n) throw away(LOOK_AGAIN_SECONDS);
        if (!(await waitIn(waiting, {}, ctx))) throw ctx.signal.reason;
      }
      underWay += most;
      return () => {
        underWay -= most;
        for (const { start } of [...waiting]) start();
      };
    },
    pause(seconds, { clock }) {
      pausedUntil = clock().getTime() + Math.min(seconds * 1000, HOUR_MS);
    },
  };
}

/** The buyer has no part in it, and is told nothing of what is between the reseller and its source. */
export const away = (retryAfter?: number, cause?: unknown): CapabilityError =>
  new CapabilityError(
    "UPSTREAM_ERROR",
    "The source of this endpoint cannot be reached at the moment. Nothing was charged.",
    { excused: true, ...(retryAfter === undefined ? {} : { retryAfter }), ...(cause === undefined ? {} : { cause }) },
  );
