/**
 * A facilitator for Solana, served through an injected fetch. As real ones may, it says yes to every copy of a
 * transaction, so it is up to us to take each for one purchase only. Beside it stands a node of its chain.
 */
import { VersionedTransaction } from "@solana/web3.js";
import { FACILITATOR_URL } from "./facilitator.js";
import { addressOf, feePayer, MEMO_PROGRAM, otherFeePayer, SOLANA } from "./solana.js";

export type SolanaFault = "drop" | "drop-after" | "failed-after" | "fails-on-chain" | "refuse";

/** It names the first in its offers. */
const keys = [feePayer, otherFeePayer];

interface Body {
  paymentPayload: { payload: { transaction: string } };
  paymentRequirements: { network: string; extra: { feePayer: string } };
}

interface Landed {
  signature: string;
  transaction: string;
  memo: string | null;
  err: object | null;
}

export function fakeSolanaFacilitator() {
  const calls: { path: string; body: Body }[] = [];
  const faults: SolanaFault[] = [];
  const landed: Landed[] = [];
  let listed = true;
  let chainVisible = true;
  let waiting: (() => void)[] = [];

  const supported = () => ({
    kinds: listed
      ? [{ x402Version: 2, scheme: "exact", network: SOLANA, extra: { feePayer: addressOf(feePayer) } }]
      : [],
    extensions: [],
    signers: { "solana:*": keys.map(addressOf) },
  });

  /** Signs for the fee and puts the transaction on chain, where the same one is not taken twice. */
  function land(transaction: string, err: object | null): Landed {
    const signed = VersionedTransaction.deserialize(Buffer.from(transaction, "base64"));
    const [payer] = signed.message.staticAccountKeys;
    signed.sign(keys.filter(({ publicKey }) => payer?.equals(publicKey)));
    const bytes = Buffer.from(signed.serialize()).toString("base64");
    const known = landed.find((entry) => entry.transaction === bytes);
    if (known) return known;
    const { message } = signed;
    const memos = message.compiledInstructions
      .filter(({ programIdIndex }) => message.staticAccountKeys[programIdIndex]?.toBase58() === MEMO_PROGRAM)
      .map(({ data }) => `[${data.length}] ${Buffer.from(data).toString()}`);
    const signature = Buffer.from(signed.signatures[0] ?? []).toString("hex");
    const entry = { signature, transaction: bytes, memo: memos.join("; ") || null, err };
    landed.unshift(entry);
    return entry;
  }

  function settle({ paymentPayload, paymentRequirements: { network } }: Body): Response {
    const fault = faults.shift();
    const no = (errorReason: string) => Response.json({ success: false, errorReason, transaction: "", network });
    if (fault === "drop") throw new TypeError("fetch failed");
    if (fault === "refuse") return no("invalid_exact_svm_transaction_simulation_failed");
    const failed = fault === "fails-on-chain";
    const { signature } = land(paymentPayload.payload.transaction, failed ? { InsufficientFunds: {} } : null);
    if (fault === "drop-after") throw new TypeError("fetch failed");
    if (fault === "failed-after" || failed) return no("invalid_exact_svm_transaction_failed");
    return Response.json({ success: true, transaction: signature, network });
  }

  function node({ method, params }: { method: string; params: [string] }): Response {
    const result = (value: unknown) => Response.json({ jsonrpc: "2.0", id: 1, result: value });
    if (method === "getSignaturesForAddress") return result(landed.map(({ transaction, ...entry }) => entry));
    if (method === "getTransaction") {
      const found = landed.find(({ signature }) => signature === params[0]);
      return result(found ? { transaction: [found.transaction, "base64"] } : null);
    }
    return result({ value: [null, null, null] });
  }

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input);
    if (url === "https://api.mainnet-beta.solana.com" && chainVisible) return node(JSON.parse(String(init?.body)));
    const path = url.startsWith(FACILITATOR_URL) ? url.slice(FACILITATOR_URL.length + 1) : "";
    if (path === "supported") {
      if (waiting.length > 0) await new Promise<void>((resolve) => waiting.push(resolve));
      return Response.json(supported());
    }
    if (path !== "verify" && path !== "settle") throw new TypeError(`fetch failed: ${url}`);
    const body = JSON.parse(String(init?.body)) as Body;
    calls.push({ path, body });
    await new Promise((resolve) => setImmediate(resolve));
    return path === "verify" ? Response.json({ isValid: true }) : settle(body);
  };

  return {
    fetch,
    calls,
    faults,
    landed,
    asked: (path: "verify" | "settle") => calls.filter((call) => call.path === path).length,
    unlist: () => {
      listed = false;
    },
    hideChain: () => {
      chainVisible = false;
    },
    /** From now on /supported hangs, until the returned function is called. */
    holdSupported() {
      waiting = [() => {}];
      return () => {
        for (const go of waiting) go();
        waiting = [];
      };
    },
  };
}
export type FakeSolanaFacilitator = ReturnType<typeof fakeSolanaFacilitator>;
