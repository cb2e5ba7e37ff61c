/** Lives through worlds of channels, in a thread of its own, and tells which of them fell. */
import { workerData } from "node:worker_threads";
import { liveOnDemand } from "../on-demand.js";
import { openStores } from "./stores.js";
import { ChannelWorld } from "./world.js";

// Loading them takes real time, for which no world waits.
await Promise.all([import("lru-cache"), import("@noble/hashes/sha3.js"), import("viem")]);

const stores = await openStores(workerData?.store);
liveOnDemand(async (seed) => new ChannelWorld(seed, await stores.empty()));
