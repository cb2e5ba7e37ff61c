/**
 * The extensions by which a wallet that has not allowed Permit2 yet allows it without gas: a signed permit of the token
 * (EIP-2612), or a signed transaction that the facilitator pays for. Only checked fields reach the facilitator.
 */
import { z } from "zod";
import { without } from "../../../../errors.js";
import { lazy, once } from "../../../../lib/lazy.js";
import { isInstalled } from "../../../../lib/packages/installed.js";
import { APPROVAL_SPONSORING, PERMIT_SPONSORING } from "../../../x402/gas-sponsoring.js";
import { PaymentRefused } from "../../../x402/refusal.js";
import type { PaymentPayload } from "../../../x402/wire.js";
import { PERMIT2 } from "./permit2-contracts.js";
import { address, sameAddress, signature, uint256 } from "./signature.js";

const version = () => z.string().max(16);
const signedPermit = once(() =>
  z.object({
    from: address(),
    asset: address(),
    spender: address(),
    amount: uint256(),
    nonce: uint256(),
    deadline: uint256(),
    signature: signature(),
    version: version(),
  }),
);
/** A type-2 transaction of a token's approval takes about 180 bytes. */
const signedApproval = once(() =>
  z.object({
    from: address(),
    asset: address(),
    spender: address(),
    amount: uint256(),
    signedTransaction: z.string().regex(/^0x02(?:[0-9a-fA-F]{2}){1,1024}$/),
    version: version(),
  }),
);

/** The permit that an allowance comes with. */
interface Permitted {
  from: string;
  token: string;
  amount: string;
  chainId: number;
}

/** The signed allowances of a payment, as facilitators read them. Rejects with PaymentRefused for one that does not fit. */
export async function readAllowances(
  sent: PaymentPayload["allowances"],
  permitted: Permitted,
): Promise<Record<string, unknown> | undefined> {
  const permit = readPermit(sent?.[PERMIT_SPONSORING], permitted);
  const approval = await readApproval(sent?.[APPROVAL_SPONSORING], permitted);
  if (!permit && !approval) return undefined;
  return {
    ...(permit ? { [PERMIT_SPONSORING]: { info: permit } } : {}),
    ...(approval ? { [APPROVAL_SPONSORING]: { info: approval } } : {}),
  };
}

function readPermit(sent: Record<string, unknown> | undefined, permitted: Permitted) {
  // A caller that needs no allowance returns the extension unsigned.
  if (sent?.signature === undefined) return undefined;
  const { data } = signedPermit().safeParse(sent);
  if (!data) throw malformed(PERMIT_SPONSORING, "permit");
  // The proxy takes a permit for exactly the permitted amount.
  if (!fits(data, permitted) || data.amount !== permitted.amount) throw mismatch(PERMIT_SPONSORING);
  return data;
}

async function readApproval(sent: Record<string, unknown> | undefined, permitted: Permitted) {
  // Without the package that reads transactions none was asked for.
  if (sent?.signedTransaction === undefined || !isInstalled("viem")) return undefined;
  const { data } = signedApproval().safeParse(sent);
  if (!data) throw malformed(APPROVAL_SPONSORING, "transaction");
  if (!fits(data, permitted) || !(await approves(data.signedTransaction as `0x${string}`, permitted)))
    throw mismatch(APPROVAL_SPONSORING);
  return data;
}

const fits = (
  { from, asset, spender, amount }: { from: string; asset: string; spender: string; amount: string },
  permitted: Permitted,
) =>
  sameAddress(from, permitted.from) &&
  sameAddress(asset, permitted.token) &&
  sameAddress(spender, PERMIT2) &&
  BigInt(amount) >= BigInt(permitted.amount);

/** approve(address,uint256), of Permit2. */
const APPROVE_PERMIT2 = `0x095ea7b3${PERMIT2.slice(2).toLowerCase().padStart(64, "0")}`;
const viem = lazy(() => import("viem").catch(without("viem")));

/** Whether a transaction, signed by the payer on this chain, does nothing but allow Permit2 enough of the token. */
async function approves(serializedTransaction: `0x${string}`, permitted: Permitted): Promise<boolean> {
  const { parseTransaction, recoverTransactionAddress } = await viem();
  try {
    const { type, chainId, to, data, value = 0n } = parseTransaction(serializedTransaction);
    const call = data?.toLowerCase() ?? "";
    // guard: permit2: an approval allows Permit2 and does nothing else |
    //   - call.startsWith(APPROVE_PERMIT2) && | permit2
    const approvesEnough =
      call.length === APPROVE_PERMIT2.length + 64 &&
      call.startsWith(APPROVE_PERMIT2) &&
      BigInt(`0x${call.slice(-64)}`) >= BigInt(permitted.amount);
    if (!approvesEnough || type !== "eip1559" || chainId !== permitted.chainId || value !== 0n) return false;
    if (!to || !sameAddress(to, permitted.token)) return false;
    const signer = await recoverTransactionAddress({ serializedTransaction: serializedTransaction as `0x02${string}` });
    return sameAddress(signer, permitted.from);
  } catch {
    // No transaction, or none that anybody signed.
    return false;
  }
}

const malformed = (extension: string, what: string) =>
  new PaymentRefused("PAYMENT_MALFORMED", `The ${extension} extension holds no signed ${what}.`);
const mismatch = (extension: string) =>
  new PaymentRefused("PAYMENT_MISMATCH", `The signed permit does not go with the allowance in ${extension}.`);
