/** Options of `resold`, and their checks. */
import { shape } from "../lib/options/check.js";
import { usd } from "../lib/options/kinds.js";

export interface ResellOptions {
  /**
   * The most, in decimal US dollars, that may be at risk at the origin: paid within an hour without an answer, plus
   * running calls. Beyond it calls are refused before anything is paid. Default "1". For each client, in its process.
   */
  maxUnansweredUsd?: string;
}

export const resellOptions = shape<ResellOptions>({ maxUnansweredUsd: usd() });
