/** Sign-in with an account of an EVM network: EIP-4361, by its key (EIP-191) or by its contract (EIP-1271). */
import { z } from "zod";
import { lazy, once } from "../../../lib/lazy.js";
import type { SignedStatement, SignIn } from "../rail.js";
import type { Rpc } from "../rpc.js";
import { recoverAddress } from "./recover.js";
import { address, isSignedByContract, sameAddress, signature } from "./signature.js";

const siwe = lazy(() => import("viem/siwe"));
const viem = lazy(() => import("viem/utils"));

const proof = once(() => z.object({ address: address(), signature: signature() }));

export const evmSignIn = (node: Rpc | undefined): SignIn => ({
  type: "eip191",
  async isSigned(statement, beforeNode) {
    const { success, data } = proof().safeParse(statement);
    if (!success) return false;
    const [{ hashMessage }, text] = await Promise.all([viem(), textOf(statement)]);
    const hash = Buffer.from(hashMessage(text).slice(2), "hex");
    const signer = await recoverAddress(hash, data.signature);
    if (signer !== undefined && sameAddress(signer, data.address)) return true;
    if (!node) return false;
    await beforeNode();
    return isSignedByContract(node, data.address, { hash, hex: data.signature });
  },
});

async function textOf({ network, issuedAt, expirationTime, address, ...statement }: SignedStatement): Promise<string> {
  const { createSiweMessage } = await siwe();
  return createSiweMessage({
    ...statement,
    address: address as `0x${string}`,
    chainId: Number(network.split(":")[1]),
    issuedAt: new Date(issuedAt),
    expirationTime: new Date(expirationTime),
  });
}
