/**
 * Limits a reseller's loss at one origin, over all buyers: the amount paid there within the last hour without an
 * answer, plus the possible cost of running calls. Counted for each client, in its process.
 */
import type { Context } from "../capability/types.js";
import type { Client } from "../client/client.js";
import { CapabilityError } from "../errors.js";
import { type Micros, toMicros } from "../lib/money.js";
import { HOUR_MS } from "../lib/time.js";
import { type Waiter, waitIn } from "../lib/wait.js";

/** Any client of the origin; one that does not report unanswered payments is limited by running calls alone. */
export type Origin = Pick<Client, "$call"> & Partial<Pick<Client, "$unansweredUsd">>;

export interface ResaleExposure {
  /** Rejects while the origin must not be called. */
  assertOpen(limit: Micros, ctx: Context): void;
  /**
   * Called before a call that may cost `most`: waits for other calls to end. Resolves to the function that ends it;
   * rejects as `assertOpen` does.
   */
  enter(most: Micros, limit: Micros, ctx: Context): Promise<() => void>;
  /** Pauses calls to the origin for this many seconds. */
  pause(seconds: number, ctx: Context): void;
}

const exposures = new WeakMap<Origin, ResaleExposure>();

/** Shared by everything that is sold over one client. */
export function exposureOf(client: Origin): ResaleExposure {
  const exposure = exposures.get(client) ?? createExposure(client);
  exposures.set(client, exposure);
  return exposure;
}

/** A lost payment may still be answered. */
const LOOK_AGAIN_SECONDS = 60;

function createExposure(client: Origin): ResaleExposure {
  const waiting: Waiter[] = [];
  let underWay = 0n;
  let pausedUntil = 0;
  const unanswered = () => toMicros(client.$unansweredUsd?.() ?? "0");

  function assertOpen(limit: Micros, { clock }: Context): void {
    const pausedMs = pausedUntil - clock().getTime();
    // guard: resale: an origin that refuses calls of ours is not asked until it takes them again | gone | resell
    if (pausedMs > 0) throw away(Math.ceil(pausedMs / 1000));
    if (unanswered() >= limit) throw away(LOOK_AGAIN_SECONDS);
  }

  return {
    assertOpen,
    async enter(most, limit, ctx) {
      for (;;) {
        assertOpen(limit, ctx);
        const atRisk = unanswered() + underWay;
        // A single call is always allowed when nothing else is at risk, however expensive.
        // guard: resale: an origin that answers nothing is paid so much and no more | always | resell
        if (atRisk === 0n || atRisk + most <= limit) break;
        if (underWay === 0n) throw away(LOOK_AGAIN_SECONDS);
        if (!(await waitIn(waiting, {}, ctx))) throw ctx.signal.reason;
      }
      // guard: resale: calls under way count as lost, too | gone | resell
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

/** The buyer did not cause it, and learns nothing about the reseller's source. */
export const away = (retryAfter?: number, cause?: unknown): CapabilityError =>
  new CapabilityError(
    "UPSTREAM_ERROR",
    "The source of this endpoint cannot be reached at the moment. Nothing was charged.",
    { excused: true, ...(retryAfter === undefined ? {} : { retryAfter }), ...(cause === undefined ? {} : { cause }) },
  );
