/**
 * Allowed instructions of a payment and their order. The facilitator signs for the fee, so nothing else may be in the
 * transaction.
 */
import { PaymentRefused } from "../../x402/refusal.js";
import type { PaymentRequirements } from "../../x402/wire.js";
import { associatedAccount, TOKEN_PROGRAMS } from "./token.js";
import type { Instruction, SolanaTransaction } from "./transaction.js";

const COMPUTE_BUDGET_PROGRAM = "ComputeBudget111111111111111111111111111111";
export const MEMO_PROGRAM = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
/** Some wallets add assertions of this program to protect their users. */
const LIGHTHOUSE_PROGRAM = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95";

const SET_COMPUTE_UNIT_LIMIT = 2;
const SET_COMPUTE_UNIT_PRICE = 3;
export const TRANSFER_CHECKED = 12;
const MAX_MICRO_LAMPORTS = 5_000_000n;
const MAX_INSTRUCTIONS = 7;
/** Decimals of USDC, and of any other token priced in millionths of a dollar. */
export const DECIMALS = 6;

export const TRANSFER_POSITION = 2;
/**
 * Position of the instruction in a refund that sets the network's fee and also names the address by which the refund is
 * found.
 */
export const REFERENCE_POSITION = 0;

/** Checks every rule of the `exact` scheme and returns the payer. Throws PaymentRefused naming the rule. */
export async function payerOf(transaction: SolanaTransaction, requirements: PaymentRequirements): Promise<string> {
  const { instructions, signers } = transaction;
  const [limit, price, transfer, ...rest] = instructions;
  const [feePayer, ...authorities] = signers.map(({ address }) => address);
  if (!limit || !price || !transfer || instructions.length > MAX_INSTRUCTIONS)
    throw mismatch(`must have 3 to ${MAX_INSTRUCTIONS} instructions`);
  if (!isComputeBudget(limit, SET_COMPUTE_UNIT_LIMIT, 4)) throw mismatch("must set its compute unit limit first");
  if (!isComputeBudget(price, SET_COMPUTE_UNIT_PRICE, 8)) throw mismatch("must set its compute unit price second");
  if (readU64(price.data, 1) > MAX_MICRO_LAMPORTS)
    throw mismatch(`must not pay more than ${MAX_MICRO_LAMPORTS} micro-lamports per compute unit`);
  if (instructions.some(({ accounts }) => accounts.some((account) => account === feePayer)))
    throw mismatch("must not use the fee payer's account in an instruction");

  const payer = await payerOfTransfer(transfer, requirements);
  if (!authorities.includes(payer)) throw mismatch("must be signed by the owner of the money");
  assertOnlyMemos(rest, requirements.extra.memo);
  return payer;
}

/** The authority of a transfer of exactly the asked amount to our account. */
async function payerOfTransfer(
  { program, accounts, data }: Instruction,
  requirements: PaymentRequirements,
): Promise<string> {
  const [source, mint, destination, authority] = accounts;
  if (!TOKEN_PROGRAMS.has(program) || data.length !== 10 || data[0] !== TRANSFER_CHECKED || accounts.length !== 4)
    throw mismatch("must transfer tokens by TransferChecked in its third instruction");
  if (mint !== requirements.asset) throw mismatch("transfers another token than the one asked");
  const account = await associatedAccount({ owner: requirements.payTo, mint: requirements.asset }, program);
  if (destination !== account)
    throw mismatch(`does not pay into ${account}, the token account of ${requirements.payTo}`);
  if (source === destination) throw mismatch("pays from the account that it pays into");
  const amount = readU64(data, 1);
  if (amount !== BigInt(requirements.amount))
    throw mismatch(`is for ${amount} atomic units, not the ${requirements.amount} asked`);
  if (data[9] !== DECIMALS) throw mismatch(`must state ${DECIMALS} decimals`);
  return authority ?? "";
}

function assertOnlyMemos(rest: Instruction[], expected: unknown): void {
  const memos = rest.filter(({ program }) => program === MEMO_PROGRAM);
  if (rest.some((instruction) => !memos.includes(instruction) && instruction.program !== LIGHTHOUSE_PROGRAM))
    throw mismatch("may have nothing but Memo and Lighthouse instructions after the transfer");
  if (typeof expected !== "string") return;
  if (memos.length !== 1 || Buffer.from(memos[0]?.data ?? []).toString("utf8") !== expected)
    throw mismatch("must carry the offered memo, once");
}

const isComputeBudget = ({ program, data }: Instruction, discriminator: number, operandBytes: number) =>
  program === COMPUTE_BUDGET_PROGRAM && data.length === 1 + operandBytes && data[0] === discriminator;

const readU64 = (data: Uint8Array, offset: number) => Buffer.from(data).readBigUInt64LE(offset);

const mismatch = (why: string) => new PaymentRefused("PAYMENT_MISMATCH", `The Solana transaction ${why}.`);
