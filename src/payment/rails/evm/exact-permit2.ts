/** `exact` through Permit2: any ERC-20 sells, without EIP-3009. The protocol's proxy takes the whole amount, once. */
import { createHash } from "node:crypto";
import { lazy } from "../../../lib/lazy.js";
import { EXACT_PROXY } from "./chain/permit2-contracts.js";
import { cannotPay, checkPermit, type Permit, permitData, permitMismatch, readPermit } from "./permit2.js";
import { REFUND_LIFE_SECONDS, type TransferMethod } from "./transfer.js";

/** Loaded by the first settlement whose outcome is unclear. */
const lookups = lazy(() => import("./chain/permit2-lookup.js"));

export const exactPermit2: TransferMethod = {
  extra: ({ name, version }) => ({
    assetTransferMethod: "permit2",
    // The domain of the token's own permit, for wallets that have not allowed Permit2 yet.
    ...(name && version ? { name, version } : {}),
  }),
  read: readPermit,
  check: (payment, requirements, chain) =>
    checkPermit(payment, requirements, { ...chain, proxy: EXACT_PROXY, assertWitness }),
  lookup: async (rpc, payment) => (await lookups()).findPermit(rpc, payment),
  lacksFunds: cannotPay,
  async signRefund(signer, back, requirements, chainId) {
    const permit: Permit = {
      from: signer.address,
      permitted: { token: requirements.asset, amount: requirements.amount },
      spender: EXACT_PROXY,
      nonce: BigInt(`0x${createHash("sha256").update(`return ${back.order}`).digest("hex")}`).toString(),
      deadline: String(back.now + REFUND_LIFE_SECONDS),
      witness: { to: back.to, validAfter: "0" },
    };
    const signature = await signer.signTypedData(permitData(permit, chainId));
    return { payload: { signature, permit2Authorization: permit }, requirements, payer: signer.address };
  },
};

function assertWitness({ facilitator }: Permit["witness"]): void {
  if (facilitator !== undefined) throw permitMismatch("names a facilitator, which the exact proxy does not read");
}
