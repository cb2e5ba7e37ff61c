/** How a payer's signature brings a deposit: by EIP-3009, which the token itself reads, or by Permit2, for any ERC-20. */
import { z } from "zod";
import { lazy, once } from "../../../lib/lazy.js";
import { PaymentRefused } from "../../x402/refusal.js";
import type { PaymentPayload } from "../../x402/wire.js";
import { PERMIT2 } from "./chain/permit2-contracts.js";
import { address, sameAddress, signature, uint256 } from "./chain/signature.js";
import type { TypedData } from "./chain/typed-data.js";
import {
  type ChannelHashes,
  DEPOSIT_COLLECTOR,
  DEPOSIT_TYPES,
  PERMIT2_DEPOSIT_COLLECTOR,
  PERMIT2_DEPOSIT_TYPES,
} from "./channel-typed-data.js";
import type { Token } from "./transfer.js";

/** Loaded by the first deposit with an allowance. */
const signedAllowances = lazy(() => import("./chain/allowance.js"));

const authorization = once(() =>
  z.object({ validAfter: uint256(), validBefore: uint256(), salt: z.string().max(80), signature: signature() }),
);
const permit = once(() =>
  z.object({
    from: address(),
    permitted: z.object({ token: address(), amount: uint256() }),
    spender: address(),
    nonce: uint256(),
    deadline: uint256(),
    witness: z.object({ channelId: z.string().regex(/^0x[0-9a-fA-F]{64}$/) }),
    signature: signature(),
  }),
);
/** One of both: a deposit that is signed twice would be read by each reader in its own way. */
export const depositAuthorization = once(() =>
  z.union([
    z.strictObject({ erc3009Authorization: authorization() }),
    z.strictObject({ permit2Authorization: permit() }),
  ]),
);
export type DepositAuthorization = z.infer<ReturnType<typeof depositAuthorization>>;

/** A deposit of an amount into a channel. */
export interface SentDeposit {
  id: string;
  payer: string;
  amount: bigint;
  authorization: DepositAuthorization;
  allowances: PaymentPayload["allowances"];
}

/** The data that the payer has signed, with the signed allowance that comes with it. */
export interface SignedDeposit {
  data: TypedData;
  hex: string;
  extensions?: Record<string, unknown>;
}

export interface DepositReader {
  /** The `extra` of an offer. */
  extra: Record<string, string>;
  /** Throws PaymentRefused if a deposit is of another form than offered, or signs anything but itself. */
  read(sent: SentDeposit, depositNonce: ChannelHashes["depositNonce"]): Promise<SignedDeposit>;
}

const lower = (text: string) => text.toLowerCase() as `0x${string}`;

/** Deposits by EIP-3009: the authorization's nonce binds it to one channel. */
export function authorizedDeposits({ address: token, name = "", version = "" }: Token, chainId: number): DepositReader {
  return {
    extra: { name, version },
    async read({ id, payer, amount, authorization: sent }, depositNonce) {
      if (!("erc3009Authorization" in sent)) throw mismatch("deposit is not by EIP-3009, as offered");
      const { validAfter, validBefore, salt, signature: hex } = sent.erc3009Authorization;
      if (!/^(?:0x[0-9a-fA-F]{1,64}|\d{1,78})$/.test(salt)) throw mismatch("deposit has no salt");
      const message = {
        from: lower(payer),
        to: lower(DEPOSIT_COLLECTOR),
        value: amount,
        validAfter: BigInt(validAfter),
        validBefore: BigInt(validBefore),
        nonce: depositNonce(id, BigInt(salt)),
      };
      const domain = { name, version, chainId, verifyingContract: token as `0x${string}` };
      return { hex, data: { domain, types: DEPOSIT_TYPES, primaryType: "ReceiveWithAuthorization", message } };
    },
  };
}

/** Deposits through Permit2: the witness binds the permit to one channel. */
export function permittedDeposits({ address: token, name, version }: Token, chainId: number): DepositReader {
  return {
    // The domain of the token's own permit, for wallets that have not allowed Permit2 yet.
    extra: { assetTransferMethod: "permit2", ...(name && version ? { name, version } : {}) },
    async read({ id, payer, amount, authorization: sent, allowances }) {
      if (!("permit2Authorization" in sent)) throw mismatch("deposit is not by Permit2, as offered");
      const { from, permitted, spender, nonce, deadline, witness, signature: hex } = sent.permit2Authorization;
      // guard: channel: a permit is of the channel's payer | gone | permit2-deposits
      if (!sameAddress(from, payer)) throw mismatch("deposit is not permitted by its payer");
      // guard: channel: a permit is for the offered token | gone | permit2-deposits
      if (!sameAddress(permitted.token, token)) throw mismatch("deposit is of another token");
      // guard: channel: a permit is for the deposited amount | gone | permit2-deposits
      if (BigInt(permitted.amount) !== amount) throw mismatch("deposit is not the permitted amount");
      // guard: channel: only the collector may use a permit | gone | permit2-deposits
      if (!sameAddress(spender, PERMIT2_DEPOSIT_COLLECTOR)) throw mismatch("deposit is for another spender");
      // guard: channel: a permit is for this channel alone | gone | permit2-deposits
      if (witness.channelId.toLowerCase() !== id) throw mismatch("deposit is for another channel");
      const data: TypedData = {
        domain: { name: "Permit2", chainId, verifyingContract: PERMIT2 },
        types: PERMIT2_DEPOSIT_TYPES,
        primaryType: "PermitWitnessTransferFrom",
        message: {
          permitted: { token: lower(token), amount },
          spender: lower(PERMIT2_DEPOSIT_COLLECTOR),
          nonce: BigInt(nonce),
          deadline: BigInt(deadline),
          witness: { channelId: lower(id) },
        },
      };
      const wanted = { from: payer, token, amount: String(amount), chainId };
      const extensions = allowances && (await (await signedAllowances()).readAllowances(allowances, wanted));
      return { hex, data, ...(extensions ? { extensions } : {}) };
    },
  };
}

const mismatch = (why: string) => new PaymentRefused("PAYMENT_MISMATCH", `The channel's ${why}.`);
