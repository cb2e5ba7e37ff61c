/** Token accounts on Solana, which hold an owner's tokens of one kind. */
import { base58 } from "@scure/base";
import { z } from "zod";
import { without } from "../../../errors.js";
import { lazy, once } from "../../../lib/lazy.js";
import type { Logger } from "../../../lib/logger.js";
import { named } from "../../../lib/packages/named.js";
import type { Rpc } from "../rpc.js";

const web3 = lazy(() => import("@solana/web3.js").catch(without("@solana/web3.js")).then(named));

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

const accounts = once(() => z.object({ value: z.array(z.object({ owner: z.string() }).nullable()) }));

/** An owner's associated token account, whether it exists or not. */
export interface TokenAccount {
  address: string;
  exists: boolean;
  /** The token program that the mint belongs to. */
  program: string;
}

/** Looks up an owner's token account. Rejects if the chain cannot be read, or the mint's address has no token. */
export async function findAccount(holding: Holding, rpc: Rpc): Promise<TokenAccount> {
  const programs = [...TOKEN_PROGRAMS];
  const addresses = await Promise.all(programs.map((program) => associatedAccount(holding, program)));
  // Reads only the owners, not the data.
  const options = { encoding: "base64", dataSlice: { offset: 0, length: 0 }, commitment: "confirmed" };
  const answer = accounts().parse(await rpc("getMultipleAccounts", [[holding.mint, ...addresses], options]));
  const [token, ...found] = answer.value;
  const at = programs.indexOf(token?.owner ?? "");
  const [program, address] = [programs[at], addresses[at]];
  if (!program || !address) throw new Error(`${holding.mint} is not a token mint`);
  return { address, exists: Boolean(found[at]), program };
}

const supply = once(() => z.object({ value: z.object({ decimals: z.number() }) }));
const DECIMALS = 6;

/** The problem of a network's node or token; undefined if there is none. Rejects if the node does not answer. */
export async function checkMint(rpc: Rpc, network: string, mint: string): Promise<string | undefined> {
  const genesis = z.string().parse(await rpc("getGenesisHash", []));
  if (!genesis.startsWith(network.slice("solana:".length)))
    return `payment.rpc names a node of solana:${genesis.slice(0, 32)}`;
  const { value } = supply().parse(await rpc("getTokenSupply", [mint]));
  if (value.decimals !== DECIMALS) return `the token ${mint} has ${value.decimals} decimals, not ${DECIMALS}`;
  return undefined;
}

/**
 * Warns if an owner has no token account: a payment cannot create it, so nobody could pay. The warning names the
 * option. Never rejects, because a host may start without a chain that can be read.
 */
export async function warnOfMissingAccount(
  { option, ...holding }: Holding & { option: string },
  rpc: Rpc,
  logger: Logger,
): Promise<void> {
  const { owner, mint } = holding;
  try {
    const { address: account, exists } = await findAccount(holding, rpc);
    if (exists) return;
    logger.warn(
      { owner, mint, account },
      `${option}: ${owner} has no token account for ${mint}, so payments to it will fail. Create ${account}: ` +
        `spl-token create-account ${mint} --owner ${owner} --fee-payer <keypair>, or send it any amount once.`,
    );
  } catch (error) {
    logger.debug({ owner, error }, `${option}: the lookup of its token account failed`);
  }
}
