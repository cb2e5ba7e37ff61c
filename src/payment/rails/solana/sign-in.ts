/** Sign-in with a Solana account: the lines of EIP-4361, signed by the account's own key. */
import { base58 } from "@scure/base";
import { lazy } from "../../../lib/lazy.js";
import type { SignedStatement, SignIn } from "../rail.js";

const curves = lazy(() => import("@noble/curves/ed25519.js"));

export const solanaSignIn: SignIn = {
  type: "ed25519",
  async isSigned(statement) {
    const { ed25519 } = await curves();
    try {
      const [signature, key] = [base58.decode(statement.signature), base58.decode(statement.address)];
      // Strict verification: under lenient rules anybody could sign for keys of small order.
      return ed25519.verify(signature, Buffer.from(textOf(statement)), key, { zip215: false });
    } catch {
      return false; // The key is not base58, or not a point on the curve.
    }
  },
};

function textOf({ network, address, ...statement }: SignedStatement): string {
  return [
    `${statement.domain} wants you to sign in with your Solana account:`,
    address,
    "",
    statement.statement,
    "",
    `URI: ${statement.uri}`,
    `Version: ${statement.version}`,
    `Chain ID: ${network.split(":")[1]}`,
    `Nonce: ${statement.nonce}`,
    `Issued At: ${statement.issuedAt}`,
    `Expiration Time: ${statement.expirationTime}`,
  ].join("\n");
}
