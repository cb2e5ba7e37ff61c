/** Lives through worlds, in a thread of its own, and tells which of them fell. */
import { liveOnDemand } from "./on-demand.js";
import { World } from "./world.js";

// Loading them takes real time, for which no world waits.
await Promise.all([import("@noble/curves/ed25519.js"), import("@scure/base"), import("@solana/web3.js")]);

liveOnDemand((seed) => new World(seed));
