/** The families of rails: whoever adds one adds its folder, and its name here. */
import { evm } from "./evm/index.js";
import type { RailFamily } from "./rail.js";
import { solana } from "./solana/index.js";

export const families: readonly RailFamily[] = [evm, solana];
