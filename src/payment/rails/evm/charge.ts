/**
 * Permit2 as the Machine Payments Protocol has it (`evm/charge`): the payer permits the host's own account to take the amount,
 * in parts where several are paid, and signs the hash of its challenge. Nobody else can use the permit.
 */
import { createHash } from "node:crypto";
import { PaymentRefused } from "../../x402/refusal.js";
import { chargeTermsOf, type PaymentPayload, type PaymentRequirements } from "../../x402/wire.js";
import type { CheckedPayment } from "../rail.js";
import { PERMIT2 } from "./chain/permit2-contracts.js";
import { recoverAddress } from "./chain/recover.js";
import { isSignedBy, sameAddress } from "./chain/signature.js";
import { hashTypedData, type TypedData } from "./chain/typed-data.js";
import { type Charge, readCharge, readChargePayload, transfersOf } from "./charge-payload.js";
import type { EvmChain } from "./transfer.js";

type Field = { name: string; type: string };
const TOKEN_PERMISSIONS = [
  { name: "token", type: "address" },
  { name: "amount", type: "uint256" },
];
const CHALLENGE_HASH = { name: "challengeHash", type: "bytes32" };
const EXTERNAL_ID = { name: "externalId", type: "string" };

const typesOf = (primary: string, permitted: string, witness: readonly Field[]) => ({
  [primary]: [
    { name: "permitted", type: permitted },
    { name: "spender", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
    { name: "witness", type: "PaymentWitness" },
  ],
  TokenPermissions: TOKEN_PERMISSIONS,
  PaymentWitness: witness,
});
const SINGLE = "PermitWitnessTransferFrom";
const BATCH = "PermitBatchWitnessTransferFrom";
// Constants: hashes of types are cached by identity. The texts of the drafts differ in the witness.
const TYPES = {
  single: /* @__PURE__ */ typesOf(SINGLE, "TokenPermissions", [CHALLENGE_HASH]),
  batch: /* @__PURE__ */ typesOf(BATCH, "TokenPermissions[]", [CHALLENGE_HASH]),
  singleWithId: /* @__PURE__ */ typesOf(SINGLE, "TokenPermissions", [CHALLENGE_HASH, EXTERNAL_ID]),
  batchWithId: /* @__PURE__ */ typesOf(BATCH, "TokenPermissions[]", [CHALLENGE_HASH, EXTERNAL_ID]),
};

const lower = (text: string) => text.toLowerCase() as `0x${string}`;

/** The typed data that a payer signs for a spender. */
function chargeData(
  { permit, witness }: Pick<Charge, "permit" | "witness">,
  { spender, chainId }: { spender: string; chainId: number },
): TypedData {
  const isBatch = permit.permitted.length > 1;
  const withId = witness.externalId !== undefined;
  const permitted = permit.permitted.map(({ token, amount }) => ({ token: lower(token), amount: BigInt(amount) }));
  return {
    domain: { name: "Permit2", chainId, verifyingContract: PERMIT2 },
    types: isBatch ? (withId ? TYPES.batchWithId : TYPES.batch) : withId ? TYPES.singleWithId : TYPES.single,
    primaryType: isBatch ? BATCH : SINGLE,
    message: {
      permitted: isBatch ? permitted : permitted[0],
      spender: lower(spender),
      nonce: BigInt(permit.nonce),
      deadline: BigInt(permit.deadline),
      witness: { challengeHash: lower(witness.challengeHash), externalId: "" },
    },
  };
}

/** Checks such a payment against terms of ours. Throws PaymentRefused. */
export async function checkCharge(
  payment: PaymentPayload,
  requirements: PaymentRequirements,
  { chainId, rpc }: EvmChain,
): Promise<CheckedPayment> {
  const sent = readChargePayload(payment.payload);
  const read = readCharge(requirements.network, payment.payload);
  const terms = chargeTermsOf(requirements);
  // Without its challenge a permit is bound to nothing.
  // guard: mpp permits: one without its challenge buys nothing | - || !payment.challenge | mpp-permit2
  if (!sent || !read || !terms || !payment.challenge)
    throw new PaymentRefused("PAYMENT_MALFORMED", "The payment must be a Permit2 authorization of evm/charge.");
  const { permit2Charge: charge, signature: hex } = sent;
  assertFits(charge, requirements);
  const { signed, proven } = await signedBy(charge, { hex, spender: terms.spender, chainId, rpc });
  return {
    id: read.id,
    payer: charge.from,
    proven,
    signatureHash: createHash("sha256").update(hex.toLowerCase()).digest("hex"),
    validAfter: 0,
    validBefore: Number(charge.permit.deadline),
    payload: { permit2Charge: signed, signature: hex },
  };
}

function assertFits({ permit: { permitted }, transferDetails }: Charge, requirements: PaymentRequirements): void {
  const wanted = transfersOf(requirements);
  // guard: mpp permits: only what was asked is transferred | gone | mpp-permit2
  if (permitted.length !== wanted.length || transferDetails.length !== wanted.length)
    throw mismatch(`has another number of transfers than the ${wanted.length} asked`);
  for (const [at, { to, amount }] of wanted.entries()) {
    const [allowed, detail] = [permitted[at], transferDetails[at]];
    // guard: mpp permits: one is for the token that was asked |
    //   - || !sameAddress(allowed.token, requirements.asset) | mpp-permit2
    if (!allowed || !detail || !sameAddress(allowed.token, requirements.asset)) throw mismatch("is for another token");
    // guard: mpp permits: each of those who share is paid | gone | mpp-permit2
    if (!sameAddress(detail.to, to)) throw mismatch("is made out to another address");
    // guard: mpp permits: one is for the price | gone | mpp-permit2
    if (BigInt(detail.requestedAmount) !== amount || BigInt(allowed.amount) < amount)
      throw mismatch(`is for another amount than the ${amount} asked for ${to}`);
  }
}

interface Signed {
  /** With the form of the witness that was signed. */
  signed: Charge;
  proven: boolean;
}

/** Clients sign the witness of one draft or of the other. */
async function signedBy(
  charge: Charge,
  { hex, spender, chainId, rpc }: { hex: string; spender: string } & EvmChain,
): Promise<Signed> {
  const { challengeHash, externalId } = charge.witness;
  const plain = { ...charge, witness: { challengeHash } };
  const withId = { ...charge, witness: { challengeHash, externalId: "" as const } };
  const [first, other] = externalId === undefined ? [plain, withId] : [withId, plain];
  const signer = await recoverAddress(await hashTypedData(chargeData(other, { spender, chainId })), hex);
  if (signer !== undefined && sameAddress(signer, charge.from)) return { signed: other, proven: true };
  const data = chargeData(first, { spender, chainId });
  return { signed: first, proven: await isSignedBy(charge.from, { data, hex }, rpc) };
}

const mismatch = (why: string) => new PaymentRefused("PAYMENT_MISMATCH", `The signed permit ${why}.`);
