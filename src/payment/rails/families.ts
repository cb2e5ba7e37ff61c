/** The families of rails: whoever adds one adds its folder, and its name here. */
import { evm } from "./evm/family.js";
import type { RailFamily } from "./rail.js";
import { solana } from "./solana/family.js";

export const families: readonly RailFamily[] = [evm, solana];
