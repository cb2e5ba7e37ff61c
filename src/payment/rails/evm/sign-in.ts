/** Sign-in with an account of an EVM network: EIP-4361, by its key (EIP-191) or by its contract (EIP-1271). */
import { z } from "zod";
import { checksummed } from "../../../engines/addresses/ethereum.js";
import { once } from "../../../lib/lazy.js";
import type { SignedStatement, SignIn } from "../rail.js";
import type { Rpc } from "../rpc.js";
import { recoverAddress } from "./chain/recover.js";
import { address, isSignedByContract, sameAddress, signature } from "./chain/signature.js";
import { keccak } from "./chain/typed-data.js";

const proof = once(() => z.object({ address: address(), signature: signature() }));

export const evmSignIn = (node: Rpc | undefined): SignIn => ({
  type: "eip191",
  async isSigned(statement, beforeNode) {
    const { success, data } = proof().safeParse(statement);
    const text = success ? signInText(statement) : undefined;
    if (!data || text === undefined) return false;
    const hash = await hashMessage(text);
    const signer = await recoverAddress(hash, data.signature);
    if (signer !== undefined && sameAddress(signer, data.address)) return true;
    if (!node) return false;
    await beforeNode();
    return isSignedByContract(node, data.address, { hash, hex: data.signature });
  },
});

/** The message as wallets show and sign it. Undefined if a field would end its line, and so could pass for another one. */
export function signInText(given: SignedStatement): string | undefined {
  const { network, domain, statement, uri, version, nonce } = given;
  const lines = [
    `${domain} wants you to sign in with your Ethereum account:`,
    checksummed(given.address),
    "",
    ...(statement ? [statement] : []),
    "",
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${Number(network.split(":")[1])}`,
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(given.issuedAt).toISOString()}`,
    `Expiration Time: ${new Date(given.expirationTime).toISOString()}`,
  ];
  // guard: sign-in: no field passes for another line of the text | never | encodings
  return lines.some((line) => /[\r\n]/.test(line)) ? undefined : lines.join("\n");
}

/** The hash that a wallet signs of a text (EIP-191). */
async function hashMessage(text: string): Promise<Uint8Array> {
  const bytes = Buffer.from(text);
  return (await keccak())(Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${bytes.length}`), bytes]));
}
