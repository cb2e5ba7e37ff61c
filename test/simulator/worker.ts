/** Lives through worlds, in a thread of its own, and tells which of them fell. */
import { parentPort } from "node:worker_threads";
import { World } from "./world.js";

// Loading them takes real time, for which no world waits.
await Promise.all([import("@noble/curves/ed25519.js"), import("@scure/base"), import("@solana/web3.js")]);

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

async function live(seed: number, trace: boolean): Promise<Fallen | undefined> {
  const world = new World(seed);
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
