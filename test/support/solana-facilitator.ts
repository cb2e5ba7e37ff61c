/**
 * A facilitator for Solana, served through an injected fetch. As real ones may, it says yes to every copy of a
 * transaction, so it is up to us to take each for one purchase only. Beside it stands a node of its chain.
 */
import { PublicKey, VersionedTransaction } from "@solana/web3.js";
import { FACILITATOR_URL } from "./facilitator.js";
import {
  addressOf,
  associatedAccountOf,
  buyer,
  feePayer,
  MEMO_PROGRAM,
  otherFeePayer,
  refundWallet,
  SOLANA,
  stranger,
  TOKEN_PROGRAM,
  toBase64,
  transactionOf,
  transfer,
  USDC_MINT,
  unitLimit,
  unitPrice,
} from "./solana.js";

export type SolanaFault =
  | "none"
  | "drop"
  | "drop-after"
  | "failed-after"
  | "fails-on-chain"
  | "refuse"
  | "lie-yes"
  /** It is done, and the answer names the transaction but not how it ended. */
  | "pending-after"
  /** As real ones do of what they were sent before, whatever became of it. */
  | "duplicate"
  /** The answer is lost, and the transaction on its way until `release()`. */
  | "hold";

/** How many blocks a transaction can be put on chain for. */
const BLOCKHASH_LIFE = 150;

/** It names the first in its offers. */
const keys = [feePayer, otherFeePayer];

interface Body {
  paymentPayload: { accepted: { payTo: string }; payload: { transaction: string } };
  paymentRequirements: { network: string; extra: { feePayer: string } };
}

interface Paging {
  limit?: number;
  before?: string;
}

interface Landed {
  signature: string;
  transaction: string;
  memo: string | null;
  err: object | null;
  accounts: string[];
  slot: number;
}

export function fakeSolanaFacilitator() {
  const calls: { path: string; body: Body }[] = [];
  const faults: SolanaFault[] = [];
  const landed: Landed[] = [];
  let listed = true;
  let chainVisible = true;
  let dusted = 0;
  const failing = new Set<string>();
  /** The chain's last block. Buyers' transactions have a blockhash that is good for ever. */
  let height = 1000;
  /** By which clock blocks are made; unset, nothing that was signed is ever over. */
  let nodeSeconds = () => 0;
  const held: string[] = [];
  const beforeRead = new Map<string, () => unknown>();
  const afterSettle = new Map<number, () => unknown>();
  const asked = (path: "verify" | "settle") => calls.filter((call) => call.path === path).length;
  const owners = new Set([buyer, refundWallet].map((owner) => associatedAccountOf(addressOf(owner))));
  let waiting: (() => void)[] = [];

  const supported = () => ({
    kinds: listed
      ? [{ x402Version: 2, scheme: "exact", network: SOLANA, extra: { feePayer: addressOf(feePayer) } }]
      : [],
    extensions: [],
    signers: { "solana:*": keys.map(addressOf) },
  });

  /** Signs for the fee and puts the transaction on chain, where the same one is not taken twice. */
  function land(transaction: string, err: object | null): Landed | undefined {
    const signed = VersionedTransaction.deserialize(Buffer.from(transaction, "base64"));
    const madeAt = heightOf(signed.message.recentBlockhash);
    if (madeAt > 0 && madeAt + BLOCKHASH_LIFE < height) return undefined;
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
    const accounts = message.staticAccountKeys.map((key) => key.toBase58());
    const entry = {
      signature,
      transaction: bytes,
      memo: memos.join("; ") || null,
      err,
      accounts,
      slot: slotAt(height),
    };
    landed.unshift(entry);
    return entry;
  }

  function settle({ paymentPayload, paymentRequirements: { network } }: Body): Response {
    const fault = faults.shift();
    const no = (errorReason: string) => Response.json({ success: false, errorReason, transaction: "", network });
    if (fault === "drop") throw new TypeError("fetch failed");
    if (fault === "refuse") return no("invalid_exact_svm_transaction_simulation_failed");
    if (fault === "duplicate") return no("duplicate_settlement");
    if (fault === "lie-yes") return Response.json({ success: true, transaction: "lie", network });
    if (fault === "hold") {
      held.push(paymentPayload.payload.transaction);
      throw new TypeError("fetch failed");
    }
    const failed = fault === "fails-on-chain";
    const done = land(paymentPayload.payload.transaction, failed ? { InsufficientFunds: {} } : null);
    if (!done) return no("invalid_exact_svm_transaction_simulation_failed");
    const { signature } = done;
    if (fault === "pending-after")
      return Response.json({ success: false, errorReason: "settlement_pending", transaction: signature, network });
    if (fault === "drop-after") throw new TypeError("fetch failed");
    if (fault === "failed-after" || failed) return no("invalid_exact_svm_transaction_failed");
    return Response.json({ success: true, transaction: signature, network });
  }

  function node({ method, params }: { method: string; params: [string | string[], Paging?] }): Response {
    const result = (value: unknown) => Response.json({ jsonrpc: "2.0", id: 1, result: value });
    const [of, { limit = 1000, before } = {}] = params;
    if (method === "getSignaturesForAddress")
      return result(
        landed
          .slice(before === undefined ? 0 : landed.findIndex(({ signature }) => signature === before) + 1)
          .filter(({ accounts }) => accounts.includes(String(of)))
          .slice(0, limit)
          .map(({ signature, memo, err, slot }) => ({ signature, memo, err, slot })),
      );
    if (method === "getBlockTime") return result(nodeSeconds());
    if (method === "getEpochInfo") return result({ absoluteSlot: slotAt(height), blockHeight: height });
    if (method === "getLatestBlockhash")
      return result({
        context: { slot: slotAt(height) },
        value: { blockhash: blockhashAt(height), lastValidBlockHeight: height + BLOCKHASH_LIFE },
      });
    if (method === "getTransaction") {
      const found = landed.find(({ signature }) => signature === of);
      return result(found ? { transaction: [found.transaction, "base64"], meta: { err: found.err } } : null);
    }
    const accounts = [of].flat().map((account) => account === USDC_MINT || owners.has(account));
    return result({ value: accounts.map((exists) => (exists ? { owner: TOKEN_PROGRAM } : null)) });
  }

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input);
    if (url === "https://api.mainnet-beta.solana.com" && chainVisible) {
      const call = JSON.parse(String(init?.body));
      const before = beforeRead.get(call.method);
      beforeRead.delete(call.method);
      await before?.();
      if (failing.has(call.method)) throw new TypeError("fetch failed");
      return node(call);
    }
    const path = url.startsWith(FACILITATOR_URL) ? url.slice(FACILITATOR_URL.length + 1) : "";
    if (path === "supported") {
      if (waiting.length > 0) await new Promise<void>((resolve) => waiting.push(resolve));
      return Response.json(supported());
    }
    if (path !== "verify" && path !== "settle") throw new TypeError(`fetch failed: ${url}`);
    const body = JSON.parse(String(init?.body)) as Body;
    calls.push({ path, body });
    await new Promise((resolve) => setImmediate(resolve));
    if (path === "verify") return Response.json({ isValid: true });
    try {
      return settle(body);
    } finally {
      await afterSettle.get(asked("settle"))?.();
    }
  };

  return {
    setClock(seconds: () => number) {
      nodeSeconds = seconds;
    },
    fetch,
    calls,
    faults,
    landed,
    asked,
    /** Methods that the node does not answer. */
    failing,
    /** What happens before the node answers the next call of a method. */
    beforeRead: (method: string, then: () => unknown) => void beforeRead.set(method, then),
    /** What happens between the nth settlement and its answer. */
    settleThen: (nth: number, then: () => unknown) => void afterSettle.set(nth, then),
    /** Strangers' transfers of nothing, which mention an owner's token account, and have one memo or none. */
    dust(owner: string, count: number, memo: string | null = null) {
      const nothing = transfer({ from: stranger, destination: associatedAccountOf(owner), amount: 0n });
      const made = transactionOf({ instructions: [unitLimit(), unitPrice(), nothing], signers: [stranger] });
      const transaction = toBase64(made);
      const accounts = made.message.staticAccountKeys.map((key) => key.toBase58());
      const told = memo === null ? null : `[${memo.length}] ${memo}`;
      for (let i = 0; i < count; i++) {
        const signature = `dust-${dusted++}`;
        landed.unshift({ signature, transaction, memo: told, err: null, accounts, slot: slotAt(height) });
      }
    },
    /** Lets this many blocks pass. */
    skip: (blocks: number) => {
      height += blocks;
    },
    /** What was held back comes to the chain, if it is not too old; says how many did. */
    release: () => held.splice(0).filter((transaction) => land(transaction, null)).length,
    /** The owner's token account is closed. */
    closeAccount: (owner: string) => void owners.delete(associatedAccountOf(owner)),
    openAccount: (owner: string) => void owners.add(associatedAccountOf(owner)),
    /** What went from an owner to another one, oldest first, in atomic units. */
    moved: (from: string, to: string) => movedIn(landed, associatedAccountOf(from), associatedAccountOf(to)),
    unlist: () => {
      listed = false;
    },
    hideChain: () => {
      chainVisible = false;
    },
    showChain: () => {
      chainVisible = true;
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

/** Some slots have had no block. */
const slotAt = (height: number): number => height + 70;
const blockhashAt = (height: number): string => {
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32BE(height);
  return new PublicKey(bytes).toBase58();
};
const heightOf = (blockhash: string): number => new PublicKey(blockhash).toBuffer().readUInt32BE();

function movedIn(landed: Landed[], source: string, destination: string): bigint[] {
  const amounts: bigint[] = [];
  for (const { transaction, err } of landed) {
    const { message } = VersionedTransaction.deserialize(Buffer.from(transaction, "base64"));
    const transfer = message.compiledInstructions[2];
    const [from, , to] = (transfer?.accountKeyIndexes ?? []).map((i) => message.staticAccountKeys[i]?.toBase58());
    if (!err && from === source && to === destination)
      amounts.unshift(Buffer.from(transfer?.data ?? []).readBigUInt64LE(1));
  }
  return amounts;
}
export type FakeSolanaFacilitator = ReturnType<typeof fakeSolanaFacilitator>;
