import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { codePoints, text } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { type AddressCheck, REASONS } from "../../engines/addresses/address.js";
import { invalid } from "../../errors.js";

const CHAINS = ["btc", "eth", "sol", "ltc", "trx", "xrp", "bch"] as const;
type Chain = (typeof CHAINS)[number];

/** Maximum length of all addresses except those of Litecoin's extension blocks. */
const MAX_LENGTH = 100;

export const cryptoAddressValidate = /* @__PURE__ */ defineCapability({
  id: "crypto.address-validate",
  summary:
    "Check whether a Bitcoin, Ethereum, Solana, Litecoin, TRON, XRP or Bitcoin Cash address is valid, checksum included.",
  keywords: [
    "mweb",
    "wallet",
    "verify",
    "typo",
    "base58",
    "bech32",
    "segwit",
    "taproot",
    "eip-55",
    "cashaddr",
    "btc",
    "eth",
  ],
  price: "0.001",
  source: { provider: "local", url: "https://github.com/paulmillr/scure-base", license: "MIT" },
  input: () =>
    z.strictObject({
      chain: z
        .enum(CHAINS)
        .describe("btc (Bitcoin), eth (Ethereum), sol (Solana), ltc (Litecoin), trx (TRON), xrp or bch (Bitcoin Cash)"),
      address: text(1, 128).describe(
        `The address, exactly as it would be used; only Litecoin's private ones (MWEB) are longer than ${MAX_LENGTH}`,
      ),
    }),
  output: one(() =>
    z.object({
      chain: z.enum(CHAINS),
      address: z.string().describe("As given"),
      valid: z.boolean().describe("Whether it is a well-formed address of the main network"),
      canonical: z.string().nullable().describe("The form to store and compare; null when not valid"),
      format: z
        .string()
        .nullable()
        .describe("The kind of address, such as p2pkh, p2tr, mweb, eip55, ed25519 or classic; null when not valid"),
      reason: z.enum(REASONS).nullable().describe("What is wrong; null when valid"),
      classicAddress: z.string().optional().describe("XRP X-addresses: the plain account"),
      tag: z.int().nullable().optional().describe("XRP X-addresses: the destination tag, null for none"),
    }),
  ),
  example: { chain: "btc", address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" },
  check({ chain, address }) {
    if (chain !== "ltc" && codePoints(address) > MAX_LENGTH)
      throw invalid("address", `must be 1 to ${MAX_LENGTH} characters long`);
  },
  async run({ chain, address }) {
    const check = await loadCheck[chain]();
    const outcome = check(address);
    return {
      item:
        typeof outcome === "string"
          ? { chain, address, valid: false, canonical: null, format: null, reason: outcome }
          : { chain, address, valid: true, ...outcome, reason: null },
    };
  },
});

/** Each chain's hashes and curves are loaded on first use. */
const loadCheck: Record<Chain, () => Promise<AddressCheck>> = {
  btc: async () => (await import("../../engines/addresses/bitcoin-like.js")).checkBitcoin,
  ltc: async () => (await import("../../engines/addresses/bitcoin-like.js")).checkLitecoin,
  bch: async () => (await import("../../engines/addresses/cashaddr.js")).checkBitcoinCash,
  eth: async () => (await import("../../engines/addresses/ethereum.js")).checkEthereum,
  sol: async () => (await import("../../engines/addresses/solana.js")).checkSolana,
  trx: async () => (await import("../../engines/addresses/tron.js")).checkTron,
  xrp: async () => (await import("../../engines/addresses/xrp.js")).checkXrp,
};
