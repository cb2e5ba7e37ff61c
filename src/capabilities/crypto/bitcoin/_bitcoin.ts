import { text } from "../../../capability/fields.js";
import { invalid } from "../../../errors.js";

const SATOSHIS = 100_000_000;

/** Satoshis as bitcoin: exact, since both fit into a number's 53 bits. */
export const toBtc = (sats: number): number => sats / SATOSHIS;

/** An address of Bitcoin's main network, checked by `readBitcoinAddress`. */
export const bitcoinAddress = () =>
  text(20, 100).describe("A Bitcoin address of the main network, legacy (1…, 3…) or segwit (bc1…)");

/** The canonical form of an address. Rejects with INVALID_INPUT if its checksum or its network is wrong. */
export async function readBitcoinAddress(address: string): Promise<string> {
  const { checkBitcoin } = await import("../../../engines/addresses/bitcoin-like.js");
  const checked = checkBitcoin(address);
  if (typeof checked === "string")
    throw invalid("address", `must be a Bitcoin address of the main network: ${checked}`);
  return checked.canonical;
}
