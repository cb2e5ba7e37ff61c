/**
 * Asks the host's own nodes once whether each network's token is what its offers say, since with a wrong domain or
 * decimals no payment verifies, or one is worth something else. No call waits for it.
 */
import type { Logger } from "../../lib/logger.js";
import { MINUTE_MS } from "../../lib/time.js";
import type { Rails } from "./rails.js";

/** A node that did not answer is asked again no sooner. */
const AGAIN_MS = MINUTE_MS;

export interface AssetProblem {
  network: string;
  problem: string;
}

export interface AssetCheck {
  /** Starts the check where it is due, and waits for nothing. */
  start(): void;
  /** Problems found so far. */
  problems(): AssetProblem[];
}

export function createAssetCheck(rails: Rails, logger: Logger): AssetCheck {
  // guard: asset check: no public node is asked | returns rail.checkAsset | asset-check
  const waiting = new Map([...rails].filter(([, rail]) => rail.ownNode && rail.checkAsset));
  const found = new Map<string, string>();
  let askedAt = Number.NEGATIVE_INFINITY;

  async function check(network: string, checkAsset: () => Promise<string | undefined>): Promise<void> {
    try {
      const problem = await checkAsset();
      waiting.delete(network);
      if (problem === undefined) return;
      found.set(network, problem);
      logger.error({ network, problem }, `payment: on ${network} nothing can be sold rightly: ${problem}`);
    } catch (error) {
      logger.debug({ network, error }, "payment: the node does not tell what its network's token is");
    }
  }

  return {
    start() {
      if (waiting.size === 0 || performance.now() - askedAt < AGAIN_MS) return;
      askedAt = performance.now();
      for (const [network, { checkAsset }] of waiting) if (checkAsset) void check(network, checkAsset);
    },
    problems: () => [...found].map(([network, problem]) => ({ network, problem })),
  };
}
