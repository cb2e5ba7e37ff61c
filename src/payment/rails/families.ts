/** The families of rails. A new one is a folder beside these, and an entry here. */
import { evm } from "./evm/family.js";
import type { RailFamily } from "./rail.js";
import { solana } from "./solana/family.js";

export const families: readonly RailFamily[] = [evm, solana];
