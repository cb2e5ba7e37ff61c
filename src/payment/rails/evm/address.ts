/** Checks an address that a host names, because money sent to a mistyped one is lost. */
import { checkEthereum } from "../../../engines/addresses/ethereum.js";

const FLAWS: Readonly<Record<string, string>> = {
  "bad checksum":
    "has a wrong checksum, which is in the case of its letters (EIP-55): a letter may be mistyped. Copy it again, or write it in lower case if you are sure of it.",
};
const NOT_ONE = "must be an address: 0x and 40 hex digits.";

/** Undefined for a valid address. */
export function flawOfAddress(address: string): string | undefined {
  const checked = checkEthereum(address);
  // guard: a treasury's address has a right checksum |
  //   "string" -> "string" && checked !== "bad checksum" | wrong-options
  if (typeof checked === "string") return FLAWS[checked] ?? NOT_ONE;
  // guard: nobody pays the zero address | gone | wrong-options
  return /^0x0{40}$/.test(address) ? "is the zero address: nobody can ever use money sent there." : undefined;
}
