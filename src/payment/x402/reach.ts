/**
 * Whether the payments of each network can be verified and settled now, asked of the facilitators themselves. Whoever asks
 * us may do so as often as he likes: an answer is kept for ten seconds, and one question is under way at a time.
 */
import { z } from "zod";
import { atMost } from "../../lib/abort.js";
import { once } from "../../lib/lazy.js";
import type { Logger } from "../../lib/logger.js";
import type { NamedClient } from "./failover.js";
import { networkId } from "./networks.js";
import { answeredWithoutList } from "./transport.js";

const KEEP_MS = 10_000;
const DEADLINE_MS = 2000;
/** The first calls of a host do not wait beside this question, and a host that is closed soon asks nobody. */
const START_MS = 2000;

/** By network. */
export type RailStates = Record<string, "ok" | "unreachable">;

export interface Reach {
  /** Never rejects. */
  rails(): Promise<RailStates>;
  /** Asks for the log alone. */
  start(): void;
  stop(): void;
}

export interface ReachOptions {
  facilitators: readonly NamedClient[];
  networks: readonly string[];
  logger: Logger;
  now: () => number;
}

const listOf = once(() => z.object({ kinds: z.array(z.object({ network: z.string() }).nullable().catch(null)) }));

export function createReach({ facilitators, networks, logger, now }: ReachOptions): Reach {
  let asking: Promise<RailStates> | undefined;
  let kept: { states: RailStates; isFresh(): boolean } | undefined;
  let told = "";
  let stopped = false;
  let starting: NodeJS.Timeout | undefined;

  /** Ends with the first answers by which every network can be paid, else with the last. */
  function ask(): Promise<RailStates> {
    const reached = new Set<string>();
    return new Promise((resolve) => {
      let open = facilitators.length;
      for (const one of facilitators)
        void networksOf(one, networks).then((some) => {
          for (const network of some) reached.add(network);
          open--;
          if (open === 0 || reached.size === networks.length)
            resolve(Object.fromEntries(networks.map((id) => [id, reached.has(id) ? "ok" : "unreachable"])));
        });
    });
  }

  async function askAndTell(): Promise<RailStates> {
    const states = await ask();
    asking = undefined;
    kept = { states, isFresh: within(KEEP_MS, now) };
    if (!stopped) tell(states);
    return states;
  }

  function tell(states: RailStates): void {
    const missing = networks.filter((network) => states[network] !== "ok");
    const before = told;
    told = missing.join(", ");
    if (told === before) return;
    const facts = { networks: missing, facilitators: facilitators.map(({ name }) => name) };
    if (missing.length === 0) logger.info(facts, "payment: every network can be paid again");
    else if (missing.length < networks.length)
      logger.warn(facts, `payment: no facilitator that answers settles on ${told}: nothing can be paid there now`);
    else logger.error(facts, "payment: no facilitator can be reached, so nothing can be paid now");
  }

  function rails(): Promise<RailStates> {
    if (kept?.isFresh()) return Promise.resolve(kept.states);
    asking ??= askAndTell();
    return asking;
  }

  return {
    rails,
    start() {
      starting ??= setTimeout(() => void rails(), START_MS).unref();
    },
    stop() {
      stopped = true;
      clearTimeout(starting);
    },
  };
}

/** The host's clock may stand still or jump, so that both it and the machine's count. */
function within(ms: number, now: () => number): () => boolean {
  const [began, beganHere] = [now(), performance.now()];
  return () => Math.abs(now() - began) < ms && performance.now() - beganHere < ms;
}

/** The networks that a facilitator settles on: all, if it answers without a list of them; none without an answer. */
async function networksOf({ client }: NamedClient, networks: readonly string[]): Promise<readonly string[]> {
  try {
    const answer = await atMost(DEADLINE_MS, () => client.supported());
    const listed = listOf().safeParse(answer).data?.kinds ?? [];
    if (listed.length === 0) return networks;
    const known = new Set(listed.map((kind) => kind && networkId(kind.network)));
    return networks.filter((network) => known.has(network));
  } catch (error) {
    return answeredWithoutList(error) ? networks : [];
  }
}
