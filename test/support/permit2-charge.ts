/** A buyer of `evm/charge` by Permit2: signs with viem's own hashing of typed data. */
import { Challenge } from "mppx";
import { concat, type Hex, keccak256, toBytes } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { PERMIT2 } from "../../src/payment/rails/evm/chain/permit2-contracts.js";

export interface ChargeRequest {
  amount: string;
  currency: Hex;
  recipient: Hex;
  methodDetails: {
    chainId: number;
    credentialTypes: string[];
    permit2Address?: Hex;
    spender: Hex;
    splits?: { amount: string; recipient: Hex }[];
  };
}

export type ChargeChallenge = Challenge.Challenge & { request: ChargeRequest };

/** The challenge that is paid by a permit, among those of a 402. */
export function chargeIn(response: Response): ChargeChallenge {
  const all = Challenge.fromResponseList(response) as ChargeChallenge[];
  const found = all.find(({ request }) => request.methodDetails.credentialTypes?.includes("permit2"));
  if (!found) throw new Error("no challenge is paid by a permit");
  return found;
}

export interface Signed {
  challenge: ChargeChallenge;
  payload: {
    type: "permit2";
    permit: { permitted: { token: Hex; amount: string }[]; nonce: string; deadline: string };
    transferDetails: { to: Hex; requestedAmount: string }[];
    witness: { challengeHash: Hex };
    signature: Hex;
  };
  source: string;
}

export interface SignOptions {
  nonce?: bigint;
  deadline?: number;
  spender?: Hex;
  /** The witness of the other draft. */
  withId?: boolean;
  change?(draft: Pick<Signed["payload"], "permit" | "transferDetails" | "witness">): void;
}

let nextNonce = 1n;

export async function signCharge(
  account: PrivateKeyAccount,
  challenge: ChargeChallenge,
  { nonce = nextNonce++, deadline, spender, withId = false, change }: SignOptions = {},
): Promise<Signed> {
  const { amount, currency, recipient, methodDetails } = challenge.request;
  const { splits = [], chainId } = methodDetails;
  const rest = splits.reduce((left, split) => left - BigInt(split.amount), BigInt(amount));
  const transfers = [{ recipient, amount: String(rest) }, ...splits];
  const ends = deadline ?? Math.floor(Date.parse(challenge.expires ?? "") / 1000);
  const draft = {
    permit: {
      permitted: transfers.map((one) => ({ token: currency, amount: one.amount })),
      nonce: String(nonce),
      deadline: String(ends),
    },
    transferDetails: transfers.map((one) => ({ to: one.recipient, requestedAmount: one.amount })),
    witness: { challengeHash: keccak256(concat([toBytes(challenge.id), toBytes(challenge.realm)])) as Hex },
  };
  change?.(draft);
  const { permit, witness } = draft;
  const permitted = permit.permitted.map((one) => ({ token: one.token, amount: BigInt(one.amount) }));
  const isBatch = permitted.length > 1;
  const primaryType = isBatch ? "PermitBatchWitnessTransferFrom" : "PermitWitnessTransferFrom";
  const signature = await account.signTypedData({
    domain: { name: "Permit2", chainId, verifyingContract: PERMIT2 },
    types: {
      [primaryType]: [
        { name: "permitted", type: isBatch ? "TokenPermissions[]" : "TokenPermissions" },
        { name: "spender", type: "address" },
        { name: "nonce", type: "uint256" },
        { name: "deadline", type: "uint256" },
        { name: "witness", type: "PaymentWitness" },
      ],
      TokenPermissions: [
        { name: "token", type: "address" },
        { name: "amount", type: "uint256" },
      ],
      PaymentWitness: [
        { name: "challengeHash", type: "bytes32" },
        ...(withId ? [{ name: "externalId", type: "string" }] : []),
      ],
    },
    primaryType,
    message: {
      permitted: isBatch ? permitted : permitted[0],
      spender: spender ?? methodDetails.spender,
      nonce: BigInt(permit.nonce),
      deadline: BigInt(permit.deadline),
      witness: { ...witness, ...(withId ? { externalId: "" } : {}) },
    },
  } as never);
  const source = `did:pkh:eip155:${chainId}:${account.address}`;
  return { challenge, payload: { type: "permit2", ...draft, signature }, source };
}

/** The headers of a request that pays so. */
export function charging({ challenge, ...sent }: Signed): { authorization: string } {
  const request = Buffer.from(JSON.stringify(sorted(challenge.request))).toString("base64url");
  const text = JSON.stringify({ challenge: { ...challenge, request }, ...sent });
  return { authorization: `Payment ${Buffer.from(text).toString("base64url")}` };
}

const sorted = (value: unknown): unknown =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, inner]) => [name, sorted(inner)]),
      );
