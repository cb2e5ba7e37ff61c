import { DAY_MS } from "../../../lib/time.js";

/** The longest that a store keeps a record. */
export const FOREVER_MS = 100 * 365 * DAY_MS;
