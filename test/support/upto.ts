/** Payments of up to an amount: a stock buyer, and a facilitator with Permit2 and a chain behind it. */
import { UptoEvmScheme } from "@x402/evm/upto/client";
import { type Abi, encodeFunctionData } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { UPTO_PROXY } from "../../src/payment/rails/evm/chain/permit2-contracts.js";
import type { PaymentRequirements } from "../../src/payment/x402/wire.js";
import { FACILITATOR_URL, type FakeFacilitator, fakeFacilitator } from "./facilitator.js";
import { PROXY_ABI } from "./upto-proxy-abi.js";
import { alice } from "./wallets.js";

export const SETTLER = "0x4020000000000000000000000000000000000A11";

export interface Permit {
  from: string;
  permitted: { token: string; amount: string };
  spender: string;
  nonce: string;
  deadline: string;
  witness: { to: string; facilitator: string; validAfter: string };
}

export interface UptoPayment {
  x402Version: 2;
  accepted: PaymentRequirements;
  payload: { signature: string; permit2Authorization: Permit };
  extensions?: Record<string, unknown>;
}

/** Signs as the official client does; with `extensions` of a 402 it also allows Permit2 to take the maximum. */
export async function signUpto(
  terms: PaymentRequirements,
  { wallet = alice, extensions }: { wallet?: PrivateKeyAccount; extensions?: Record<string, unknown> } = {},
): Promise<UptoPayment> {
  // No allowance yet, and no permit ever used.
  const buyer = { ...wallet, readContract: async () => 0n };
  const made = await new UptoEvmScheme(buyer as never).createPaymentPayload(
    2,
    terms as never,
    extensions ? { extensions } : undefined,
  );
  return { ...made, accepted: terms } as unknown as UptoPayment;
}

/** A log of the chain's first block. */
const OLDEST = {
  address: "0x00000000000000000000000000000000000000aa",
  topics: [`0x${"0d".repeat(32)}`],
  data: "0x",
  logIndex: "0x0",
  transactionHash: `0x${"0e".repeat(32)}`,
};

interface Body {
  paymentPayload: UptoPayment;
  paymentRequirements: PaymentRequirements;
}

export type UptoFault = "drop" | "drop-after" | "refuse-after" | "refuse" | "other-amount";

/** The facilitator's call of the proxy. */
function settling({
  permit: { permitted, nonce, deadline, from, witness },
  amount,
}: {
  permit: Permit;
  amount: string;
}) {
  const args = [{ permitted, nonce, deadline }, amount, from, witness, "0x"];
  return encodeFunctionData({ abi: PROXY_ABI as Abi, functionName: "settle", args });
}

/** The fake facilitator, which also settles `upto` payments; what it moves is listed in the same place. */
export function uptoFacilitator({ settler = SETTLER, extensions = ["eip2612GasSponsoring"] } = {}) {
  const exact: FakeFacilitator = fakeFacilitator();
  const calls: { path: string; body: Body }[] = [];
  const faults: UptoFault[] = [];
  const used = new Set<string>();
  const mined: { transaction: string; permit: Permit; amount: string }[] = [];
  let listed: string | undefined = settler;
  let chainVisible = false;
  let forgetful = false;
  let nodeSeconds = () => 0;

  function verify({ paymentPayload, paymentRequirements }: Body): Response {
    const { permit2Authorization: permit } = paymentPayload.payload;
    const payer = permit.from;
    // A used nonce shows as nothing but a transaction that would not work.
    if (used.has(permit.nonce))
      return Response.json({ isValid: false, invalidReason: "permit2_simulation_failed", payer });
    if (permit.permitted.amount !== paymentRequirements.amount)
      return Response.json({ isValid: false, invalidReason: "permit2_amount_mismatch", payer });
    return Response.json({ isValid: true, payer });
  }

  function settle({ paymentPayload, paymentRequirements: { network, amount } }: Body): Response {
    const { permit2Authorization: permit } = paymentPayload.payload;
    const no = (errorReason: string) =>
      Response.json({ success: false, errorReason, transaction: "", network, payer: permit.from });
    if (used.has(permit.nonce)) return no("permit2_simulation_failed");
    if (BigInt(amount) > BigInt(permit.permitted.amount))
      return no("invalid_upto_evm_payload_settlement_exceeds_amount");
    used.add(permit.nonce);
    exact.settled.push({ from: permit.from, to: permit.witness.to, value: BigInt(amount) });
    const transaction = `0x${BigInt(mined.length + 1)
      .toString(16)
      .padStart(64, "0")}`;
    mined.push({ transaction, permit, amount });
    return Response.json({ success: true, transaction, network, payer: permit.from, amount });
  }

  const word = (value: bigint | string) => BigInt(value).toString(16).padStart(64, "0");

  function node({ method, params }: { method: string; params: unknown[] }): Response {
    const result = (value: unknown) => Response.json({ jsonrpc: "2.0", id: 1, result: value });
    if (method === "eth_getBlockByNumber") {
      const isFirst = params[0] === "0x0";
      const timestamp = `0x${(isFirst ? 1 : nodeSeconds()).toString(16)}`;
      const transactions = isFirst ? [OLDEST.transactionHash] : [];
      return result({ number: isFirst ? "0x0" : "0x10", hash: `0x${"10".repeat(32)}`, timestamp, transactions });
    }
    if (method === "eth_getTransactionReceipt")
      return result({ status: "0x1", logs: params[0] === OLDEST.transactionHash ? [OLDEST] : [] });
    if (method === "eth_call") {
      const wordPosition = BigInt(`0x${(params[0] as { data: string }).data.slice(-64)}`);
      const bits = [...used].map(BigInt).filter((nonce) => nonce >> 8n === wordPosition);
      return result(`0x${word(bits.reduce((map, nonce) => map | (1n << (nonce & 255n)), 0n))}`);
    }
    if (method === "eth_getTransactionByHash") {
      const found = mined.find(({ transaction }) => transaction === params[0]);
      return result(found ? { to: UPTO_PROXY, input: settling(found) } : null);
    }
    const { topics, address } = params[0] as { topics: string[]; address: string };
    if (forgetful) return result([]);
    if (topics[0] === OLDEST.topics[0]) return result([OLDEST]);
    return result(
      mined
        .filter(({ permit }) => topics[1] === `0x${word(permit.from)}` && topics[2] === `0x${word(permit.witness.to)}`)
        .map(({ transaction, amount }) => ({
          address,
          topics,
          data: `0x${word(amount)}`,
          logIndex: "0x0",
          transactionHash: transaction,
        })),
    );
  }

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    if (url === "https://mainnet.base.org" && chainVisible) return node(JSON.parse(String(init?.body)));
    if (url === `${FACILITATOR_URL}/supported`) {
      const upto = { scheme: "upto", extra: { facilitatorAddress: listed } };
      const kinds = [{ scheme: "exact" }, ...(listed ? [upto] : [])];
      return Response.json({
        kinds: kinds.map((kind) => ({ x402Version: 2, network: "eip155:8453", ...kind })),
        extensions,
        signers: {},
      });
    }
    const path = url.slice(FACILITATOR_URL.length + 1);
    const body = init?.body ? (JSON.parse(String(init.body)) as Body) : undefined;
    if (body?.paymentRequirements?.scheme !== "upto") return exact.fetch(input, init);
    calls.push({ path, body });
    await new Promise((resolve) => setImmediate(resolve));
    if (path === "verify") return verify(body);
    const fault = faults.shift();
    const { network } = body.paymentRequirements;
    const no = () =>
      Response.json({ success: false, errorReason: "invalid_transaction_state", transaction: "", network });
    if (fault === "drop") throw new TypeError("fetch failed");
    if (fault === "refuse") return no();
    if (fault === "other-amount") {
      const payer = body.paymentPayload.payload.permit2Authorization.from;
      return Response.json({ success: true, transaction: "0xabc", network, payer, amount: "20000" });
    }
    const answer = settle(body);
    if (fault === "drop-after") throw new TypeError("fetch failed");
    return fault === "refuse-after" ? no() : answer;
  };

  return {
    ...exact,
    fetch,
    uptoCalls: calls,
    uptoFaults: faults,
    /** The account that it lists from the next time on that it is asked. */
    list(address: string | undefined) {
      listed = address;
    },
    setClock(seconds: () => number) {
      exact.setClock(seconds);
      nodeSeconds = seconds;
    },
    showChain() {
      chainVisible = true;
    },
    /** The node searches no logs any more, and finds none. */
    forgetLogs(isForgotten = true) {
      forgetful = isForgotten;
    },
    /** The payer makes the nonce unusable. */
    invalidate: (nonce: string) => void used.add(nonce),
  };
}
