/** Lives through worlds of buyers that sell on, and of clients whose shops lie, in a thread of its own. */
import { liveOnDemand } from "../on-demand.js";
import { Market } from "./world.js";

// Loading them takes real time, for which no world waits.
await import("../../../src/state/wallet/in-transaction.js");

liveOnDemand((seed) => new Market(seed));
