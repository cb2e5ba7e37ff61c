/** The families of rails. A new one is a folder beside these, and an entry here. */
import { evm } from "../rails/evm/family.js";
import type { RailFamily } from "../rails/rail.js";
import { solana } from "../rails/solana/family.js";

export const families: readonly RailFamily[] = [evm, solana];
