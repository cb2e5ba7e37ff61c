/** The worlds that a thread is asked for, one after the other; those that fell are told with all that happened in them. */
import { parentPort } from "node:worker_threads";
import type { Timeline } from "./timeline.js";

export interface Task {
  seeds: number[];
  /** Print all that happens. */
  trace: boolean;
}

export interface Fallen {
  seed: number;
  why: string;
  trace: string[];
}

interface Livable {
  readonly timeline: Timeline;
  live(): Promise<void>;
}

export function liveOnDemand(create: (seed: number) => Livable | Promise<Livable>): void {
  async function live(seed: number, trace: boolean): Promise<Fallen | undefined> {
    const world = await create(seed);
    if (trace) world.timeline.log = [];
    try {
      await world.live();
      if (trace) parentPort?.postMessage({ trace: world.timeline.log });
      return undefined;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { seed, why, trace: world.timeline.log ?? [] };
    }
  }

  parentPort?.on("message", async ({ seeds, trace }: Task) => {
    for (const seed of seeds) {
      let fallen = await live(seed, trace);
      // The same once more, now with everything written down.
      if (fallen && !trace) fallen = (await live(seed, true)) ?? { ...fallen, trace: ["(did not happen again)"] };
      if (fallen) parentPort?.postMessage({ fallen });
    }
    parentPort?.postMessage({ done: seeds.length });
  });
}
