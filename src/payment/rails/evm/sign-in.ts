/** Signing in with an account of an EVM network: EIP-4361, by its key (EIP-191) or by its contract (EIP-1271). */
import { z } from "zod";
import { lazy, once } from "../../../lib/lazy.js";
import type { SignedStatement, SignIn } from "../rail.js";
import type { Rpc } from "../rpc.js";
import { recoverAddress } from "./recover.js";
import { address, sameAddress, signature } from "./signature.js";

const siwe = lazy(() => import("viem/siwe"));
const viem = lazy(() => import("viem/utils"));

const IS_VALID_SIGNATURE = "0x1626ba7e";
/** What a contract answers whose signature it is: the selector of the question, and nothing else of what it was asked. */
const YES = IS_VALID_SIGNATURE.padEnd(66, "0");
const proof = once(() => z.object({ address: address(), signature: signature() }));

export const evmSignIn = (node: Rpc | undefined): SignIn => ({
  type: "eip191",
  async isSigned(statement, beforeNode) {
    const { success, data } = proof().safeParse(statement);
    if (!success) return false;
    const [{ hashMessage }, text] = await Promise.all([viem(), textOf(statement)]);
    const hash = hashMessage(text);
    const signer = await recoverAddress(Buffer.from(hash.slice(2), "hex"), data.signature);
    if (signer !== undefined && sameAddress(signer, data.address)) return true;
    if (!node) return false;
    await beforeNode();
    return isContracts(node, hash, data);
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

/** What is no contract answers with nothing. */
async function isContracts(
  node: Rpc,
  hash: string,
  { address, signature }: z.infer<ReturnType<typeof proof>>,
): Promise<boolean> {
  const { encodeAbiParameters } = await viem();
  const types = [{ type: "bytes32" }, { type: "bytes" }] as const;
  const asked = encodeAbiParameters(types, [hash as `0x${string}`, signature as `0x${string}`]);
  const call = { to: address, data: IS_VALID_SIGNATURE + asked.slice(2) };
  // Nodes reject what a contract reverts.
  const answer = await node("eth_call", [call, "latest"]).catch(() => "0x");
  return typeof answer === "string" && answer.toLowerCase() === YES;
}
