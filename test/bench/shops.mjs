/** The same endpoint at the same price, sold by this package and by the official x402 middleware. */
import { randomBytes } from "node:crypto";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import { x402ResourceServer } from "@x402/hono";
import { createHandler } from "coinslot";
import { capabilities } from "coinslot/capabilities";
import secp256k1 from "secp256k1";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { hashTypedData } from "viem/utils";

const { ecdsaSign } = secp256k1;

export const NETWORK = "eip155:8453";
export const TREASURY = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
export const PATH = "/api/convert/unit";
export const PROBE = `http://shop.test${PATH}`;
export const CALL = `${PROBE}?value=1&from=kg&to=lb`;
const LIFE_SECONDS = 3600;

const payerOf = (payment) => payment.payload.authorization.from;

/** A facilitator that believes everything, at once: what is left is the middleware's own work. */
export const yes = {
  verify: async (payment) => ({ isValid: true, payer: payerOf(payment) }),
  settle: async (payment) => ({
    success: true,
    transaction: payment.payload.authorization.nonce,
    network: NETWORK,
    payer: payerOf(payment),
  }),
};
export const kinds = [{ x402Version: 2, scheme: "exact", network: NETWORK }];

export const PAYMENT = {
  treasury: { [NETWORK]: TREASURY },
  facilitator: { supported: async () => ({ kinds }), ...yes },
  maxTimeoutSeconds: LIFE_SECONDS,
  rpc: false,
};

/** Every capability of the package, mounted. */
export function openOurs(options = {}, facilitator = PAYMENT.facilitator) {
  return createHandler({ capabilities, payment: { ...PAYMENT, facilitator }, trial: false, ...options });
}

/**
 * The routes and the server that `paymentMiddleware` of @x402/hono and @x402/express take. `facilitator` is one in this
 * process, or the client of one at an address, as their own documentation makes it.
 */
export function openTheirs({ verify = yes.verify, facilitator = inProcess(verify) } = {}) {
  const server = new x402ResourceServer(facilitator).register(NETWORK, new ExactEvmScheme());
  const accepts = {
    scheme: "exact",
    price: "$0.001",
    network: NETWORK,
    payTo: TREASURY,
    maxTimeoutSeconds: LIFE_SECONDS,
  };
  return [{ [`GET ${PATH}`]: { accepts, description: "Convert a value between units." } }, server];
}

const inProcess = (verify) => ({
  ...yes,
  verify,
  getSupported: async () => ({ kinds, extensions: [], signers: {} }),
});

/** The first offer of a 402, as stock clients read it. */
export function offerOf(response) {
  return JSON.parse(Buffer.from(response.headers.get("payment-required"), "base64").toString("utf8")).accepts[0];
}

/** The domain and types of an EIP-3009 authorization for an offer. */
export function typedDataFor(offer) {
  return {
    domain: { ...offer.extra, chainId: Number(NETWORK.split(":")[1]), verifyingContract: offer.asset },
    types: {
      TransferWithAuthorization: [
        { name: "from", type: "address" },
        { name: "to", type: "address" },
        { name: "value", type: "uint256" },
        { name: "validAfter", type: "uint256" },
        { name: "validBefore", type: "uint256" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "TransferWithAuthorization",
  };
}

/** Signed payments for an offer, each with a nonce of its own, as header values; of a new wallet where none is named. */
export function signPayments(offer, count, key = generatePrivateKey()) {
  const secret = Buffer.from(key.slice(2), "hex");
  const wallet = privateKeyToAccount(key);
  const now = Math.floor(Date.now() / 1000);
  const typedData = typedDataFor(offer);
  const headers = [];
  for (let i = 0; i < count; i++) {
    const authorization = {
      from: wallet.address,
      to: offer.payTo,
      value: offer.amount,
      validAfter: "0",
      validBefore: String(now + LIFE_SECONDS - 60),
      nonce: `0x${randomBytes(32).toString("hex")}`,
    };
    // As the wallet would, and ten times as fast: pools are of thousands.
    const hash = Buffer.from(hashTypedData({ ...typedData, message: authorization }).slice(2), "hex");
    const { signature: compact, recid } = ecdsaSign(hash, secret);
    const signature = `0x${Buffer.from([...compact, 27 + recid]).toString("hex")}`;
    const payment = { x402Version: 2, accepted: offer, payload: { signature, authorization } };
    headers.push(Buffer.from(JSON.stringify(payment)).toString("base64"));
  }
  return headers;
}
