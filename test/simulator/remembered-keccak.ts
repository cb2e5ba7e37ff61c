/** As remembered-viem.ts, for the hash that payments are checked with. */
export * from "@noble/hashes/sha3.js";
