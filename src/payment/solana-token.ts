/** Token accounts on Solana: where an owner's tokens of one kind are kept. */
import { base58 } from "@scure/base";
import { z } from "zod";
import type { Logger } from "../context.js";
import { lazy } from "../lazy.js";
import type { Rpc } from "./rpc.js";

const web3 = lazy(() => import("@solana/web3.js"));

export const TOKEN_PROGRAMS: ReadonlySet<string> = new Set([
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", // Token-2022
]);
const ASSOCIATED_TOKEN_PROGRAM = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";

export interface Holding {
  owner: string;
  mint: string;
}

/** Whether a text is an address: 32 bytes in base58. */
export function isSolanaAddress(text: string): boolean {
  try {
    return text.length <= 44 && base58.decode(text).length === 32;
  } catch {
    return false;
  }
}

/** The address of the owner's associated token account under one of the token programs. */
export async function associatedAccount({ owner, mint }: Holding, tokenProgram: string): Promise<string> {
  const { PublicKey } = await web3();
  const seeds = [owner, tokenProgram, mint].map((address) => base58.decode(address));
  const [address] = PublicKey.findProgramAddressSync(seeds, new PublicKey(ASSOCIATED_TOKEN_PROGRAM));
  return address.toBase58();
}

const accounts = z.object({ value: z.array(z.object({ owner: z.string() }).nullable()) });

/**
 * A payment cannot create the account that it goes to, so nobody can pay an owner who has none yet. Warns if that is
 * known to be so. Never rejects: a chain that cannot be read is no reason not to start.
 */
export async function warnOfMissingAccount(holding: Holding, rpc: Rpc, logger: Logger): Promise<void> {
  const { owner, mint } = holding;
  try {
    const [first, second] = await Promise.all(
      [...TOKEN_PROGRAMS].map((program) => associatedAccount(holding, program)),
    );
    const options = { encoding: "base64", dataSlice: { offset: 0, length: 0 }, commitment: "confirmed" };
    const answer = accounts.parse(await rpc("getMultipleAccounts", [[mint, first, second], options]));
    const [token, ...found] = answer.value;
    if (found.some((account) => account !== null)) return;
    const account = token && TOKEN_PROGRAMS.has(token.owner) ? await associatedAccount(holding, token.owner) : first;
    logger.warn(
      { owner, mint, account },
      `payment.treasury: ${owner} has no token account for ${mint}, so payments to it will fail. Create ${account}: ` +
        `spl-token create-account ${mint} --owner ${owner} --fee-payer <keypair>, or send it any amount once.`,
    );
  } catch (error) {
    logger.debug({ owner, error }, "payment.treasury: whether it has a token account could not be looked up");
  }
}
