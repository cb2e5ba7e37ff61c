/** Times that several instances store and judge, each by its own clock. */
import { MINUTE_MS } from "./time.js";

/** The clocks of two instances may be apart by as much; docs/selling.md says so. */
export const CLOCKS_APART_MS = 3 * MINUTE_MS;

/**
 * The time for a record that several instances write: that of the clock that is ahead, by which its newest time was
 * stored, so that no instance takes what another has just written for old. A time that is further ahead is that of a
 * wrong clock.
 */
export const sharedNow = (now: number, newest: number): number =>
  newest > now && newest - now <= CLOCKS_APART_MS ? newest : now;

/** Whether a time has passed by every clock. */
export const isPast = (time: number, now: number): boolean => time + CLOCKS_APART_MS <= now;
