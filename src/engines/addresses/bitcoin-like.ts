/** Bitcoin and Litecoin: segwit addresses, and base58check ones of 21 bytes whose first byte is the kind. */
import type { AddressCheck, Reason, ValidAddress } from "./address.js";
import { decodeBase58Check, encodeBase58Check } from "./base58.js";
import { checkMweb } from "./mweb.js";
import { decodeSegwit, isBech32, type SegwitAddress } from "./segwit.js";

interface Network {
  prefix: string;
  testPrefixes: readonly string[];
  p2pkh: number;
  p2sh: number;
  /** An older p2sh version byte that is still accepted, and rewritten to `p2sh`. */
  legacyP2sh?: number;
  testVersions: readonly number[];
}

const BITCOIN: Network = { prefix: "bc", testPrefixes: ["tb", "bcrt"], p2pkh: 0, p2sh: 5, testVersions: [111, 196] };

const LITECOIN: Network = {
  prefix: "ltc",
  testPrefixes: ["tltc", "rltc"],
  p2pkh: 48,
  p2sh: 50,
  legacyP2sh: 5,
  testVersions: [111, 196, 58],
};

export const checkBitcoin: AddressCheck = (address) => check(address, BITCOIN);
export const checkLitecoin: AddressCheck = (address) => checkMweb(address) ?? check(address, LITECOIN);

const SEGWIT_PREFIX = /^(bc|tb|bcrt|ltc|tltc|rltc)1/i;

function check(address: string, network: Network): ValidAddress | Reason {
  const prefix = SEGWIT_PREFIX.exec(address)?.[1]?.toLowerCase();
  if (prefix !== undefined) return checkSegwit(address, prefix, network);
  return isBech32(address) ? "wrong network" : checkBase58(address, network);
}

function checkSegwit(address: string, prefix: string, network: Network): ValidAddress | Reason {
  const decoded = decodeSegwit(address, prefix);
  if (typeof decoded === "string") return decoded;
  if (network.testPrefixes.includes(prefix)) return "testnet address";
  if (prefix !== network.prefix) return "wrong network";
  return { canonical: address.toLowerCase(), format: segwitFormat(decoded) };
}

function segwitFormat({ version, program }: SegwitAddress): string {
  if (version === 0) return program.length === 20 ? "p2wpkh" : "p2wsh";
  return version === 1 && program.length === 32 ? "p2tr" : `witness_v${version}`;
}

function checkBase58(address: string, network: Network): ValidAddress | Reason {
  const payload = decodeBase58Check(address, [21]);
  if (typeof payload === "string") return payload;
  const version = payload[0] ?? 0;
  if (version === network.p2pkh) return { canonical: address, format: "p2pkh" };
  if (version === network.p2sh) return { canonical: address, format: "p2sh" };
  if (version === network.legacyP2sh) {
    const canonical = encodeBase58Check(Uint8Array.of(network.p2sh, ...payload.subarray(1)));
    return { canonical, format: "p2sh_legacy" };
  }
  return network.testVersions.includes(version) ? "testnet address" : "wrong network";
}
