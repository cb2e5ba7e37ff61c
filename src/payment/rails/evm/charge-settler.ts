/** Verifies and settles payments that the host's own account takes through Permit2: a facilitator for these alone. */
import { without } from "../../../errors.js";
import { lazy } from "../../../lib/lazy.js";
import type { Logger } from "../../../lib/logger.js";
import { amountOf, type PaymentToSettle, type SettleOutcome } from "../../x402/facilitator.js";
import { unavailable } from "../../x402/transport.js";
import type { Rail } from "../rail.js";
import type { Rpc } from "../rpc.js";
import { type Log, lacksAllowance, lacksFunds, readCoins, TRANSFER, toTopic } from "./chain/chain.js";
import { PERMIT2 } from "./chain/permit2-contracts.js";
import { type Mined, NotSent, type Sender } from "./chain/sender.js";
import { type Charge, chargeOf, transfersOf } from "./charge-payload.js";

const viem = lazy(() => import("viem/utils").catch(without("viem")));

const PERMISSIONS = "TokenPermissions(address token,uint256 amount)";
/** As Permit2 hashes it: a contract reads the text letter by letter, and signers write no blank behind a comma. */
const PLAIN = "PaymentWitness(bytes32 challengeHash)";
const WITH_ID = "PaymentWitness(bytes32 challengeHash,string externalId)";

const ABI = [
  "struct TokenPermissions { address token; uint256 amount; }",
  "struct Single { TokenPermissions permitted; uint256 nonce; uint256 deadline; }",
  "struct Batch { TokenPermissions[] permitted; uint256 nonce; uint256 deadline; }",
  "struct Details { address to; uint256 requestedAmount; }",
  "function permitWitnessTransferFrom(Single permit, Details details, address owner, bytes32 witness, string witnessTypeString, bytes signature)",
  "function permitBatchWitnessTransferFrom(Batch permit, Details[] details, address owner, bytes32 witness, string witnessTypeString, bytes signature)",
] as const;

type Hex = `0x${string}`;

/** The call of Permit2 that takes a payment. */
async function callOf(payment: PaymentToSettle): Promise<{ to: Hex; data: Hex }> {
  const { encodeFunctionData, parseAbi } = await viem();
  const { permit2Charge: charge, signature } = chargeOf(payment);
  const { permit, transferDetails, from } = charge;
  const abi = parseAbi(ABI);
  const lower = (text: string) => text.toLowerCase() as Hex;
  const permitted = permit.permitted.map(({ token, amount }) => ({ token: lower(token), amount: BigInt(amount) }));
  const details = transferDetails.map(({ to, requestedAmount }) => ({
    to: lower(to),
    requestedAmount: BigInt(requestedAmount),
  }));
  const dates = { nonce: BigInt(permit.nonce), deadline: BigInt(permit.deadline) };
  const rest = [lower(from), ...(await witnessOf(charge)), signature as Hex] as const;
  const [onlyPermitted, onlyDetails] = [permitted[0], details[0]];
  const data =
    permitted.length === 1 && onlyPermitted && onlyDetails
      ? encodeFunctionData({
          abi,
          functionName: "permitWitnessTransferFrom",
          args: [{ permitted: onlyPermitted, ...dates }, onlyDetails, ...rest],
        })
      : encodeFunctionData({
          abi,
          functionName: "permitBatchWitnessTransferFrom",
          args: [{ permitted, ...dates }, details, ...rest],
        });
  return { to: PERMIT2, data };
}

/** The witness's hash, and the text of its type. */
async function witnessOf({ witness: { challengeHash, externalId } }: Charge): Promise<readonly [Hex, string]> {
  const { concat, keccak256, stringToBytes } = await viem();
  const type = externalId === undefined ? PLAIN : WITH_ID;
  const hashOf = (text: string) => keccak256(stringToBytes(text));
  const words = [hashOf(type), challengeHash as Hex, ...(externalId === undefined ? [] : [hashOf(externalId)])];
  return [keccak256(concat(words)), `PaymentWitness witness)${type}${PERMISSIONS}`];
}

export type ChargeSettler = NonNullable<Rail["charges"]>;

export function createChargeSettler({
  sender,
  rpc,
  logger,
}: {
  sender: Sender;
  rpc: Rpc;
  logger?: Logger;
}): ChargeSettler {
  /** Why the chain would refuse it. Rejects while the chain cannot be read. */
  async function objection(payment: PaymentToSettle): Promise<string> {
    const [isPoor, isNotAllowed] = await Promise.all([lacksFunds(rpc, payment), lacksAllowance(rpc, payment, PERMIT2)]);
    if (isPoor) return "insufficient_funds";
    return isNotAllowed ? "permit2_allowance_required" : "permit2_simulation_failed";
  }

  return {
    wallet: sender.address,
    gas: () => readCoins(rpc, sender.address),
    async verify(payment) {
      try {
        if (await sender.tryOut(await callOf(payment))) return { kind: "valid" };
        // A node that answers this was there for the trial, too.
        await rpc("eth_chainId", []);
      } catch (error) {
        logger?.warn({ error, network: payment.requirements.network }, "payment.mpp.permit2: a permit cannot be tried");
        throw unavailable();
      }
      return { kind: "invalid", reason: await objection(payment) };
    },
    async settle(payment) {
      try {
        return judged(await sender.send(await callOf(payment)), payment);
      } catch (error) {
        const reason = await objection(payment);
        logger?.warn({ error, reason, network: payment.requirements.network }, "payment.mpp.permit2: not settled");
        if (error instanceof NotSent && reason !== "permit2_simulation_failed") return { kind: "refused", reason };
        return { kind: "pending", reason };
      }
    },
  };
}

function judged(sent: Mined | { transaction: string }, payment: PaymentToSettle): SettleOutcome {
  const { transaction } = sent;
  if (!("logs" in sent)) return { kind: "pending", reason: "transaction_timeout", transaction };
  if (!sent.succeeded) return { kind: "pending", reason: "transaction_failed", transaction };
  const isMade = transfersOf(payment.requirements).every((one) => sent.logs.some((log) => isLike(log, payment, one)));
  if (!isMade) return { kind: "pending", reason: "transfers_missing", transaction };
  return { kind: "settled", transaction, payer: payment.payer, amount: amountOf(payment) };
}

const isLike = (
  { address, topics, data }: Log,
  { payer, requirements }: PaymentToSettle,
  { to, amount }: { to: string; amount: bigint },
): boolean =>
  address.toLowerCase() === requirements.asset.toLowerCase() &&
  topics.join().toLowerCase() === [TRANSFER, toTopic(payer), toTopic(to)].join() &&
  BigInt(data) === amount;
