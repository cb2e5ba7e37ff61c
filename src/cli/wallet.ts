/** Wallets from private keys in the environment, for the official payment client. */
import type { Payer } from "../client/options.js";
import { without } from "../errors.js";
import { UsageError } from "./usage.js";

/** Undefined if no key is set. Throws a UsageError that names the setting with an invalid key. */
export async function walletOf(env: Record<string, string | undefined>): Promise<Payer | undefined> {
  const { WALLET_KEY, SOLANA_KEY } = env;
  if (!WALLET_KEY && !SOLANA_KEY) return undefined;
  const { x402Client } = await import("@x402/core/client").catch(without("@x402/core"));
  const client = new x402Client();
  // The command enforces its own spending limit.
  client.setSpendControls({ maxAmountPerPayment: false });
  if (WALLET_KEY) {
    const { registerExactEvmScheme } = await import("@x402/evm/exact/client").catch(without("@x402/evm"));
    registerExactEvmScheme(client, { signer: await evmAccount(WALLET_KEY) });
  }
  if (SOLANA_KEY) {
    const { registerExactSvmScheme } = await import("@x402/svm/exact/client").catch(without("@x402/svm"));
    registerExactSvmScheme(client, { signer: await solanaSigner(SOLANA_KEY) });
  }
  return client as Payer;
}

async function evmAccount(key: string) {
  const { privateKeyToAccount } = await import("viem/accounts").catch(without("viem"));
  const hex = key.startsWith("0x") ? key : `0x${key}`;
  if (!/^0x[0-9a-fA-F]{64}$/.test(hex))
    throw new UsageError("WALLET_KEY must be a private key: 64 hexadecimal digits.");
  return privateKeyToAccount(hex as `0x${string}`);
}

/** Base58 of 64 bytes, as wallets export it, or a JSON list of them, as Solana's tools store it. */
async function solanaSigner(key: string) {
  const { createKeyPairSignerFromBytes } = await import("@solana/kit").catch(without("@solana/kit"));
  const { base58 } = await import("@scure/base");
  try {
    const bytes = key.trim().startsWith("[") ? Uint8Array.from(JSON.parse(key) as number[]) : base58.decode(key.trim());
    return await createKeyPairSignerFromBytes(bytes);
  } catch (cause) {
    throw new UsageError("SOLANA_KEY must be a private key: 64 bytes in base58, or as a JSON list.", { cause });
  }
}
